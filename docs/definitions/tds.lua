---@meta tds
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

local tds = {}

---The C library, by LuaJIT's FFI.
tds.C = {}

---A counter that several threads may count up at once, without a lock.
---@class tds.AtomicCounter
---@overload fun(value?: number): tds.AtomicCounter
tds.AtomicCounter = {}

---A vector of elements of any kind that tds stores, nil included, outside of Lua's memory, which
---threads may share. Tables in it become tds.Vec (of numbered elements) or tds.Hash.
---@class tds.Vec
---@overload fun(...: any): tds.Vec
tds.Vec = {}

---The value.
---@overload fun(self: tds.AtomicCounter): number
---@param ... any
---@return any
function tds.AtomicCounter:get(...) end

---Add 1.
---@overload fun(self: tds.AtomicCounter): number
---@param ... any
---@return any
function tds.AtomicCounter:inc(...) end

---Set the value.
---@overload fun(self: tds.AtomicCounter, value: number)
---@param ... any
---@return any
function tds.AtomicCounter:set(...) end

---A hash table for keys and values of any kind that tds stores, outside of Lua's memory, which
---threads may share. Tables in a table become tds.Vec (of numbered elements) or tds.Hash.
---
---Every string is a key: there are no methods. Tensors as keys are the same key when they are the
---same view of the same memory. Each access is atomic; for several together threads take a lock.
---@param source? any table or tds.Hash (optional)
function tds.Hash(source) end

---The elements as one string.
---@param ... any
function tds.Vec:concat(...) end

---The elements as one text in a torch.CharStorage.
---@param ... any
function tds.Vec:concatstorage(...) end

---Put an element before another, or at the end.
---@overload fun(self: tds.Vec, i: any, value: number)
---@overload fun(self: tds.Vec, value: number)
---@param ... any
---@return any
function tds.Vec:insert(...) end

---Take an element out: the last one, or the one at a place; nothing happens where there is none.
---@overload fun(self: tds.Vec, i?: any)
---@param ... any
---@return any
function tds.Vec:remove(...) end

---Change the number of elements; new ones are nil.
---@overload fun(self: tds.Vec, n: integer)
---@param ... any
---@return any
function tds.Vec:resize(...) end

---Sort the elements in place.
---A comparison in Lua costs a copy of every element to Lua; a C function `int (*)(const tds_elem *,
---const tds_elem *)`, less than 0 for less, does not (lib/tds/include/tds.h has the struct).
---@param compare? any function(a, b): whether a comes before b; or such a C function. Without it, numbers or strings in their order. One that changes the vector makes the sort fail (optional)
function tds.Vec:sort(compare) end

---A counter that several threads may count up at once, without a lock.
---@param value? number (number, default 0)
function tds.atomic_counter(value) end

---A hash table for keys and values of any kind that tds stores, outside of Lua's memory, which
---threads may share. Tables in a table become tds.Vec (of numbered elements) or tds.Hash.
---
---Every string is a key: there are no methods. Tensors as keys are the same key when they are the
---same view of the same memory. Each access is atomic; for several together threads take a lock.
---@param source? any table or tds.Hash (optional)
function tds.hash(source) end

---A vector of elements of any kind that tds stores, nil included, outside of Lua's memory, which
---threads may share. Tables in it become tds.Vec (of numbered elements) or tds.Hash.
---@param ... any elements, or one table or tds.Vec of them
function tds.vec(...) end

return tds
