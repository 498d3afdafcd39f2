--- A function of Variables as a graph: it is run once on the sample, and every operation of the
-- core that it asks for on the way is written by that operation's exporter.
--
-- The core tells of each call by a hook, which is a function of Lua here, so LuaJIT's compiler
-- is off
-- meanwhile. A tensor is known by its memory and its geometry; what no operation has made of the
-- input is a constant. All tensors are kept until the end, so that no memory comes twice.
-- @module onnx.export.calls
local ffi = require 'ffi'
local torch = require 'torch'
local operations = require 'onnx.export.operations'
local signatures = require 'torch.signatures'
local th = require 'torch.ffi'
local types = require 'torch.types'

local C = th.C
local M = {}

local Trace = {}
Trace.__index = Trace

-- A handle of a tensor that the core shows, with the memory kept.
local function handle(pointer)
   if pointer == nil or pointer.store == nil then
      return nil
   end
   local t = types.tensors[pointer.device_type * 16 + pointer.dtype].new()
   th.check(C.TH_alias(t, pointer))
   return t
end

local function store_of(t)
   return tonumber(ffi.cast('intptr_t', t.store))
end

local function key_of(t)
   local parts = { store_of(t), tonumber(t.offset) }
   for d = 1, t:dim() do
      parts[#parts + 1] = ('%d/%d'):format(t:size(d), t:stride(d))
   end
   return table.concat(parts, ' ')
end

-- A constant. One that is stretched over the batch is a row, stretched over any batch.
local function constant(g, t)
   if not g.dynamic or t:stride(1) ~= 0 or t:size(1) ~= g.batch or g.batch == 1 then
      return t:clone()
   end
   local sizes = t:size():fill(1):totable()
   sizes[1] = g.batch
   return g:value(g:expand(t:narrow(1, 1, 1):clone(), sizes, g.first), t)
end

--- The value of a tensor: of the graph, or itself, a constant.
function Trace:read(t)
   local known, store = self.known[key_of(t)], store_of(t)
   local of_store = self.stores[store]
   if known and known.version == t.store.version[0] then
      return known.value
   elseif of_store then
      self.g:refuse('it reads a tensor that was written in part, or otherwise than by operations '
         .. 'of torch: write results as new tensors')
   end
   return constant(self.g, t)
end

--- From now on the memory has this value.
function Trace:write(t, name, is_view)
   local store = store_of(t)
   if not is_view then
      for key in pairs(self.stores[store] or {}) do
         self.known[key] = nil
      end
      self.stores[store] = name and {} or nil
   end
   self.kept[#self.kept + 1] = t
   if name then
      local key = key_of(t)
      self.stores[store] = self.stores[store] or {}
      self.stores[store][key] = true
      self.known[key] = { value = self.g:value(name, t), version = t.store.version[0] }
   end
end

local VIEWS = {
   narrow = true, select = true, transpose = true, permute = true, expand = true, view = true,
   squeeze = true, unsqueeze = true, alias = true, unfold = true,
}
-- They give a tensor sizes, and no elements.
local SIZES = { resize = true, resizeAs = true }

local function list_of(pointer, count)
   local list = {}
   for i = 1, count do
      list[i] = tonumber(pointer[i - 1])
   end
   return list
end

-- What a call was given, by the names of its parameters; whether something of it is of the graph.
local function arguments(self, parameters, call)
   local a, results, traced, outs = {}, {}, false, {}
   for i, parameter in ipairs(parameters) do
      local name, role, value = parameter.name, parameter.role, call.values[i - 1]
      if role == 'out' then
         outs[#outs + 1] = handle(value.tensor) or false
      elseif role == 'inout' then
         local t = handle(value.tensor)
         outs[#outs + 1], a[name] = t or false, t and self:read(t)
      elseif role == 'in' then
         local t = handle(value.tensor)
         a[name] = t and self:read(t)
      elseif role == 'ins' then
         a[name] = {}
         for k = 1, tonumber(call.values[i].integer) do
            a[name][k] = self:read(handle(value.tensors[k - 1]))
            traced = traced or self.g.isValue(a[name][k])
         end
      elseif role == 'number' then
         a[name] = value.number
      elseif role == 'integer' then
         a[name] = tonumber(value.integer)
      elseif role == 'flag' then
         a[name] = value.integer ~= 0
      elseif role == 'integers' then
         a[name] = value.integers ~= nil and list_of(value.integers, a.ndim or a.dims) or nil
      elseif role == 'result' then
         results[1] = name
      end
      traced = traced or self.g.isValue(a[name])
   end
   return a, traced, outs, results[1] ~= nil
end

-- Results are written by an operation before it ends: what it read of them lies in the past.
function Trace:before(call)
   local signature = C.TH_signature(call.operation)
   local name = ffi.string(signature.name)
   if SIZES[name] then
      return
   end
   self.parameters[name] = self.parameters[name] or signatures.parameters(signature)
   local a, traced, outs, number = arguments(self, self.parameters[name], call)
   self.open = { name = name, a = a, traced = traced, number = number, outs = outs }
end

function Trace:after(call)
   local open = self.open
   self.open = nil
   if not open or call.status ~= 0 then
      return
   end
   local outs, at = {}, 0
   for i, parameter in ipairs(self.parameters[open.name]) do
      if parameter.role == 'out' or parameter.role == 'inout' then
         at = at + 1
         outs[at] = handle(call.values[i - 1].tensor) or false
      end
   end
   if not open.traced then
      for _, t in ipairs(outs) do
         if t and not VIEWS[open.name] then
            self:write(t, nil)
         end
      end
      return
   end
   local export = operations[open.name]
   if open.number then
      self.g:refuse('%s gives a number, which would be a constant of the file: name a dimension',
         open.name)
   elseif not export then
      self.g:refuse('there is no exporter for the operation %s; onnx.export.operations takes one',
         open.name)
   end
   local names = { export(self.g, open.a, outs[1]) }
   for i, t in ipairs(outs) do
      if t then
         self:write(t, names[i], VIEWS[open.name])
      end
   end
end

-- The core's hook: nothing may be raised through it.
local function hook_of(self)
   local depth, busy = 0, false
   return function(_, call, after)
      if busy or self.failure then
         return
      end
      depth = depth + (after and -1 or 1)
      if after and depth == 0 or not after and depth == 1 then
         busy = true
         local grad = torch.setGradEnabled(false)
         local ok, message = pcall(after and self.after or self.before, self, call)
         torch.setGradEnabled(grad)
         busy = false
         if not ok then
            self.failure = { message }
         end
      end
   end
end

local function watched(self, f, input)
   local compiled = jit.status()
   jit.off()
   jit.flush() -- compiled code cannot be called back
   local hook = ffi.cast('TH_CallHook', hook_of(self))
   th.check(C.TH_watchCalls(hook, nil))
   local ok, result = pcall(f, input)
   C.TH_unwatchCalls(hook, nil)
   hook:free()
   if compiled then
      jit.on()
   end
   if self.failure then
      error(self.failure[1], 0)
   elseif not ok then
      error(result, 0)
   end
   return result
end

local function each(nest, f)
   if torch.isTensor(nest) then
      return f(nest)
   elseif type(nest) ~= 'table' then
      error(('the function gave a %s, expected tensors'):format(type(nest)), 0)
   end
   local list = {}
   for key, value in pairs(nest) do
      list[key] = each(value, f)
   end
   return list
end

--- The graph of a function for a sample.
-- @func f of the sample, gives a tensor or a table of tensors
-- @param g onnx.export.Graph
-- @param values the sample's names
-- @param input the sample
-- @return values
function M.trace(f, g, values, input)
   g.class = 'the function'
   local self = setmetatable({ g = g, known = {}, stores = {}, kept = {}, parameters = {} }, Trace)
   local function begin(nest, value)
      if torch.isTensor(nest) then
         local leaf = nest:clone()
         if types.isFloating(leaf.dtype) then
            leaf = leaf:requiresGrad()
         end
         self:write(leaf, value.name)
         return leaf
      end
      local list = {}
      for key, inner in pairs(nest) do
         list[key] = begin(inner, value[key])
      end
      return list
   end
   local output = watched(self, f, begin(input, values))
   return each(output, function(t)
      local value = self:read(t:detach())
      if not g.isValue(value) then
         return g:value(g:op('Identity', { value }), value)
      end
      return value
   end)
end

return M
