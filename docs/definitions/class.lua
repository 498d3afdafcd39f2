---@meta class
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class class
class = {}

---An instance of a class whose `__init` is not called.
---@param name string (string)
function class.factory(name) end

---Whether an object is of a class, or of one of its children; of anything else, whether it is of
---that type of Lua's.
---@param object any
---@param name string (string)
function class.istype(object, name) end

---The table of a class's methods, which is the metatable of its instances; nil where there is no
---such class.
---@param name string (string)
function class.metatable(name) end

---Make a class.
---@param name string as yet without a class (string)
---@param parent? any name of the class that it is a child of (optional)
---@param ctype? any C type (ffi.typeof) whose objects are of this class; also in parent's place (optional)
---@return any
function class.new(name, parent, ctype) end

---The name of an object's class; Lua's type of anything else.
---@param ... any
function class.type(...) end

return class
