-- nn.Module: copies of a module: other element types, clones, shared parameters, files.

local torch = require 'torch'
local nn = require 'nn'
local declare = require 'nn.base.declare'
local utils = require 'nn.utils'

-- Not pairs: these loops recurse (torch/serialize/writer.lua tells what LuaJIT makes of that).
local follow = next

local Module = nn.Module

--- Convert every tensor of the module, sub-modules included; tensors that shared memory still do.
-- `m:type()` returns the present type's name.
-- @string[opt] typename for example 'torch.FloatTensor'
-- @tparam[opt] table cache old object -> new; pass the same table to keep sharing between modules
-- @return self
function Module:type(typename, cache)
   if not typename then
      return self._type
   end
   cache = cache or {}
   for key, value in follow, self do
      self[key] = utils.recursiveType(value, typename, cache)
   end
   self._type = typename
   return self
end

function Module:float(...)
   return self:type('torch.FloatTensor', ...)
end

function Module:double(...)
   return self:type('torch.DoubleTensor', ...)
end

function Module:cuda(...)
   return self:type('torch.CudaTensor', ...)
end

--- Make the named tensors views of those of `module`.
-- @param module a module of the same class
-- @param ... names: 'weight', 'bias', 'gradWeight', …
-- @return self
function Module:share(module, ...)
   for _, name in ipairs { ... } do
      if self[name] then
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
function Module:clone(...)
   local clone = copy_of(self)
   if select('#', ...) > 0 then
      clone:share(self, ...)
   end
   return clone
end

--- What a saved module consists of: one table of all fields.
function Module:write(file)
   local fields = {}
   for k, v in follow, self do
      fields[k] = v
   end
   file:writeObject(fields)
end

--- Read a module's fields. Those that an old file lacks get their defaults, and `upgrade(version)`,
-- where a class defines it, does once what else a file of an earlier version needs.
-- @param file a torch.File
-- @int version the class's __version when the file was written
function Module:read(file, version)
   declare.read(self, file, version)
end
