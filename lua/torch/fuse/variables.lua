--- Fused functions of Variables: one node, whose way back is a fused function, too.
-- @module torch.fuse.variables
local functions = require 'torch.variables.functions'
local pass = require 'torch.variables.pass'
local recording = require 'torch.variables.recording'
local th = require 'torch.ffi'
local types = require 'torch.types'

local C, check, isTensor, like = th.C, th.check, th.isTensor, th.like

local M = {}

-- A gradient for an operand that was expanded: summed over what it was repeated along.
local function summed(g, x)
   local lead = g.ndim - x.ndim
   for d = 1, g.ndim do
      local size = d > lead and x.sizes[d - lead - 1] or 1
      if size == 1 and g.sizes[d - 1] ~= 1 then
         g = g:sum(d)
      end
   end
   return g.ndim == x.ndim and g or g:view(x:size())
end

-- Places of the arguments of floating type, which alone have gradients; the tensors among them all.
local function sorted(arguments)
   local places, inputs, saved = {}, {}, {}
   for i, x in ipairs(arguments) do
      if isTensor(x) then
         saved[#saved + 1] = x
         if types.isFloating(x.dtype) then
            places[#places + 1], inputs[#inputs + 1] = i, x
         end
      end
   end
   return places, inputs, saved
end

-- The arguments again, of which the record has kept the tensors.
local function again(arguments, run)
   local list, n = {}, 0
   for i, x in ipairs(arguments) do
      if x == true then
         n = n + 1
         x = pass.saved(run, n)
      end
      list[i] = x
   end
   return list
end

--- The results of a call; `run` computes them.
-- @param given results to write into, or nil
function M.call(self, run, given, arguments, float, number)
   local results, count = {}, #self.program.results
   for k = 1, count do
      results[k] = like(float)
   end
   recording.with(false, run, self, results, arguments, float, number)
   local places, inputs, saved = sorted(arguments)
   local kept = {}
   for i, x in ipairs(arguments) do
      kept[i] = isTensor(x) or x
   end
   local function derive(running, turn)
      local wanted, at = {}, {}
      for i, place in ipairs(places) do
         if C.TH_Backward_needs(running, i - 1) then
            wanted[#wanted + 1], at[#at + 1] = place, i - 1
         end
      end
      local list = again(kept, running)
      local originals = { unpack(list) }
      for k = 1, turn.outputs do
         list[#list + 1] = pass.gradient(running, k - 1, false)
      end
      if #wanted > 0 then
         local gradients = { self:__gradient(wanted)(unpack(list)) }
         for k, place in ipairs(wanted) do
            check(C.TH_Backward_give(running, at[k], summed(gradients[k], originals[place])))
         end
      end
   end
   functions.record(derive, results, inputs, saved, nil, 'torch.fuse')
   for k = 1, given and count or 0 do
      if given[k] ~= nil then
         results[k] = given[k]:resizeAs(results[k]):copy(results[k])
      end
   end
   return unpack(results, 1, count)
end

return M
