--- Constants of a file: each is decoded once, however many nodes read it, and so is what is made
-- of it: memory is bounded by the file's size, and what shares a weight shares its gradient, as
-- `getParameters` wants it.
-- @classmod onnx.import.constants
local torch = require 'torch'
local tools = require 'onnx.operators.tools'
local types = require 'onnx.types'

local Constants = {}
Constants.__index = Constants

--- @func external gives the bytes of data in another file
function Constants.new(external)
   return setmetatable({ external = external, tensors = {}, gradients = {}, settings = {},
      turned = {}, copied_from = {}, views = {}, counted = {}, copied = {} }, Constants)
end

--- The tensor of a TensorProto, or nil for one without elements, and a list of its sizes. What a
-- call of a function copies has the function's own as `source`.
function Constants:decode(proto)
   local key = proto.source or proto
   local found = self.tensors[key]
   if not found then
      local tensor, dims = types.decode(proto, self.external)
      found = { tensor = tensor, dims = dims }
      self.tensors[key], self.counted[tensor or found] = found, true
   end
   return found.tensor, found.dims
end

--- The gradient of a parameter: views of one tensor have views of one gradient.
function Constants:gradient(tensor)
   local storage = tensor:storage()
   local key = torch.pointer(storage)
   local found = self.gradients[key]
   if not found then
      found = { tensor = tensor, -- alive as long as its memory stands for it
         gradient = tensor.new(storage:size()):zero():storage() }
      self.gradients[key] = found
   end
   self.views[tensor] = self.views[tensor] or tensor.new(found.gradient, tensor:storageOffset(),
      tensor:size(), tensor:stride())
   return self.views[tensor]
end

--- A constant as onnx.Operator keeps one that is no parameter. What a real one says is set: it has
-- memory of its own, and does not learn with a parameter that the file has in the same place.
function Constants:plain(tensor)
   local found = self.settings[tensor]
   if not found then
      found = { constant = types.is_real(tensor) and tensor:clone() or tensor }
      self.settings[tensor] = found
   end
   return found
end

--- A matrix, transposed: a copy, as layers have their weights; of such a copy the matrix itself.
function Constants:transposed(tensor)
   local found = self.turned[tensor] or self.copied_from[tensor]
   if not found then
      found = tensor:t():contiguous()
      self.turned[tensor], self.copied_from[found] = found, tensor
   end
   return found
end

--- Where a matrix and its copy have both become parameters the copy becomes a view: they are one.
function Constants:tie()
   for tensor, copy in pairs(self.turned) do
      local gradient, own = self.views[tensor], self.views[copy]
      if gradient and own then
         copy:set(tensor:t())
         own:set(gradient:t())
      end
   end
end

--- Count a tensor that was computed, once; what was decoded is in the file.
function Constants:count(tensor)
   if not self.counted[tensor] then
      tools.spend(tensor:nElement())
      self.counted[tensor] = true
   end
end

--- Count a copy that a layer keeps for itself; the first one is of the file's size.
function Constants:copy(tensor)
   if self.copied[tensor] then
      tools.spend(tensor:nElement())
   end
   self.copied[tensor] = true
end

return Constants
