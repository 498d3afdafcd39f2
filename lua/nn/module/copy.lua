-- nn.Module: copies of a module: other element types, clones, shared parameters, files.

local torch = require 'torch'
local nn = require 'nn'
local declare = require 'nn.base.declare'
local utils = require 'nn.utils'
local types = require 'torch.types'
local vectors = require 'nn.module.vectors'
local raise = require('torch.errors').raise

local Module = nn.Module

--- Convert every tensor of the module, sub-modules included; tensors that shared memory still do.
-- `m:type()` returns the present type's name.
-- @string[opt] typename for example 'torch.FloatTensor'
-- @tparam[opt] table cache old object -> new; pass the same table to keep sharing between modules
-- @return self
-- @example nn.Linear(3, 2):type('torch.FloatTensor').weight:type() --> 'torch.FloatTensor'
function Module:type(typename, cache)
   if not typename then
      return self._type
   end
   if not cache then
      vectors.part(self, typename)
   end
   cache = cache or {}
   for key, value in pairs(self) do
      self[key] = utils.recursiveType(value, typename, cache)
   end
   self._type = typename
   return self
end

--- `m:type 'torch.FloatTensor'`.
-- @tparam[opt] table cache as for `type`
-- @return self
-- @example nn.Linear(3, 2):float():type() --> 'torch.FloatTensor'
function Module:float(...)
   return self:type('torch.FloatTensor', ...)
end

--- `m:type 'torch.DoubleTensor'`.
-- @tparam[opt] table cache as for `type`
-- @return self
function Module:double(...)
   return self:type('torch.DoubleTensor', ...)
end

--- `m:type 'torch.CudaTensor'`: float, on the current device; needs cutorch.
-- @tparam[opt] table cache as for `type`
-- @return self
function Module:cuda(...)
   return self:type('torch.CudaTensor', ...)
end

--- Make the named tensors views of those of `module`: what one writes, both have.
-- @param module a module of the same class
-- @param ... names: 'weight', 'bias', 'gradWeight', …
-- @return self
-- @raise "share: the other module, a nn.Tanh, has no weight; this one is a nn.Linear"
-- @example
-- local a, b = nn.Linear(2, 1), nn.Linear(2, 1)
-- b:share(a, 'weight')
-- a.weight:fill(7)
-- b.weight --> { { 7, 7 } }
function Module:share(module, ...)
   for _, name in ipairs { ... } do
      if self[name] then
         if module[name] == nil then
            raise(('share: the other module, a %s, has no %s; this one is a %s'):format(
               torch.typename(module), name, torch.typename(self)))
         end
         self[name]:set(module[name])
         self.shared, module.shared = true, true
      end
   end
   return self
end

local function copy_of(object)
   local file = torch.MemoryFile('rw'):binary()
   file:writeObject(object)
   file:seek(1)
   local copy = file:readObject()
   file:close()
   return copy
end

--- A deep copy. Tensors named in the arguments are shared with the original instead.
-- @param ... names: 'weight', 'bias', 'gradWeight', …
-- @return the copy
-- @example
-- local m = nn.Linear(2, 1)
-- local copy, twin = m:clone(), m:clone('weight', 'gradWeight')
-- m.weight:fill(7)
-- twin.weight:equal(m.weight), copy.weight:equal(m.weight) --> true, false
function Module:clone(...)
   local clone = copy_of(self)
   if types.variables then
      require('nn.base.variables').copy_marks(clone, self)
   end
   if select('#', ...) > 0 then
      clone:share(self, ...)
   end
   return clone
end

--- Write the module's fields to a file, as one table: what `torch.save` calls.
-- @tparam torch.File file
function Module:write(file)
   local fields = {}
   for k, v in pairs(self) do
      fields[k] = v
   end
   file:writeObject(fields)
end

--- Take the fields that `write` wrote: what `torch.load` calls. Those that an old file lacks get
-- their defaults; then `__upgrade(version)`, where a class defines it, does once what else a file
-- of an earlier version needs.
-- @tparam torch.File file
-- @int version the class's `__version` when the file was written
-- @raise "a number where the fields of a nn.Linear should be"
function Module:read(file, version)
   declare.read(self, file, version)
end
