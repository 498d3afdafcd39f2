--- Stages that are of several processes, one of each: what all of them have to know of one
-- another's. In a training of another kind everything here is as it is.
-- @module torch.train.trainer.staged

local torch = require 'torch'
local optim = require 'optim'
local options = require 'torch.options'
local restore = require 'torch.train.checkpoint.restore'
local vectors = require 'torch.train.trainer.vectors'
local workers = require 'torch.train.trainer.workers'

local M = {}

--- Whether each process has a stage.
function M.is(self)
   return workers.several(self) and self.workers.staged
end

--- Those of a group's parameters that are of this process's stage.
-- @param parameters of optim.groups
function M.own_of(self, parameters)
   if not M.is(self) then
      return parameters
   elseif torch.isTensor(parameters) then
      parameters = { parameters }
   elseif torch.isTypeOf(parameters, 'nn.Module') then
      parameters = parameters:parameters()
   end
   local own = {}
   for _, t in ipairs(parameters or {}) do
      own[#own + 1] = vectors.hold(self.state.parameters, t) and t or nil
   end
   return own
end

--- optim.clipGradNorm by the norm of the gradients of all stages.
-- @return the norm before
function M.clip(self, gradients, most)
   if not M.is(self) then
      return optim.clipGradNorm(gradients, most)
   end
   local list, squares = {}, 0
   vectors.each(function(g)
      list[#list + 1] = g:nElement() > 0 and g or nil
   end, gradients)
   for _, g in ipairs(list) do
      squares = squares + g:norm() ^ 2
   end
   local norm = math.sqrt(workers.over_stages(self, squares))
   if norm + 1e-6 > most or norm ~= norm then
      for _, g in ipairs(list) do
         g:mul(most / (norm + 1e-6))
      end
   end
   return norm
end

-- Copies on the host of this process's layers.
local function own_layers(self)
   local copier, own = require('distributed.host_copy').copier(), {}
   for i, layer in ipairs(self.state.network.modules[1].modules) do
      own[i] = copier(layer)
   end
   return own
end

--- The model as all stages have it, in all processes: layers of others' stages are on the host.
function M.collect(self)
   if not M.is(self) then
      return
   end
   local layers, here, at = require('nn.containers.balance').layers(self.model), {}, 0
   for _, layer in ipairs(self.state.network.modules[1].modules) do
      here[layer] = true -- one without parameters may be in others' stages as well
   end
   for _, theirs in ipairs(workers.gather(self, own_layers(self))) do
      for i, layer in ipairs(theirs) do
         if not here[layers[at + i]] then
            restore.into(layers[at + i], layer)
         end
      end
      at = at + #theirs
   end
end

--- A table by names, with the entries of all stages.
-- @tab[opt] own of tensors
function M.joined(self, own)
   if not M.is(self) then
      return own
   end
   local all, copy = {}, require('distributed.host_copy').nest(own or {})
   for _, theirs in ipairs(workers.gather(self, copy)) do
      for name, value in pairs(theirs) do
         all[name] = value
      end
   end
   return next(all) and all or nil
end

--- What a checkpoint has of each process by itself; nil where one stands for all.
-- @tab saved the checkpoint, as this process would write it
function M.of_all(self, saved)
   return M.is(self) and workers.gather(self, { vectors = saved.vectors,
      optimizer = saved.optimizer, parts = require('distributed.host_copy').nest(saved.parts) })
      or nil
end

--- The part of a checkpoint that is this process's: vectors, optimizer, parts.
-- @string path the file
-- @tab saved
function M.part(path, self, saved)
   local theirs, own = saved.stages and #saved.stages or 1, M.is(self) and self.workers.size or 1
   if theirs ~= own then
      options.fail("train.Trainer: '%s': the network has stages in %d processes in the checkpoint, "
         .. 'and in %d in the Trainer; stages are cut alike for a run that goes on', path, theirs,
         own)
   end
   return saved.stages and saved.stages[self.workers.rank] or saved
end

return M
