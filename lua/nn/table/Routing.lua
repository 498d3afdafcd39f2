--- Layers that compute nothing: their output is made of the input's tensors, or of parts of them,
-- in another arrangement. For table layers to derive from.
--
-- What they hold are the user's tensors: they let go of them where other layers empty or convert
-- their buffers.
-- @classmod nn.Routing

local nn = require 'nn'
local nested = require 'nn.nested'

local Routing, Module = nn.declare('nn.Routing', { input = 'any' })

function Routing:__initialize()
   self.output, self.gradInput = {}, {}
end

function Routing:clearState()
   self.output, self.gradInput = nested.released(self.output), nested.released(self.gradInput)
   return self
end

function Routing:type(typename, cache)
   if typename then
      self:clearState()
   end
   return Module.type(self, typename, cache)
end
