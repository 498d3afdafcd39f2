--- What each module of a network is where it computes in lower precision: `low` and `float`, as
-- `precision/types` has it; `passing`, which gives what its last module gives, and computes
-- nothing; `branching`, a container that may add up what its modules give; `any`.
-- @module torch.train.precision.roles

local torch = require 'torch'
local types = require 'torch.train.precision.types'

local M = {}

local WEAK = { __mode = 'k' }
local PASSING = {
   ['nn.Sequential'] = true, ['nn.Inference'] = true, ['nn.GPU'] = true, ['nn.Placed'] = true,
}

local function role_of(module)
   local name = torch.typename(module)
   if types.low[name] then
      return 'low'
   elseif types.float[name] then
      return 'float'
   elseif PASSING[name] then
      return 'passing'
   end
   return module.modules and 'branching' or 'any'
end

local function assign(self, module, edge)
   if self.roles[module] then
      return
   end
   local role = role_of(module)
   self.roles[module], self.edge[module] = role, edge
   if role == 'passing' or role == 'branching' then
      for _, child in ipairs(module.modules or {}) do
         assign(self, child, role == 'branching')
      end
   end
end

--- Say what each module of `self.model` is: `self.roles`, and `self.edge`, whether what it gives
-- has to be float. What distributes batches has float on both sides; of stages only the last one
-- gives it.
function M.assign(self)
   self.roles, self.edge = setmetatable({}, WEAK), setmetatable({}, WEAK)
   local model = self.model
   if torch.isTypeOf(model, 'distributed.Pipeline') then
      for i, stage in ipairs(model.modules) do
         assign(self, stage, model.first + i - 1 == model.stages)
      end
      return
   end
   local replicas = torch.isTypeOf(model, 'nn.DataParallelTable') and model.modules
   for _, part in ipairs(replicas or { model }) do
      assign(self, part, true)
   end
end

return M
