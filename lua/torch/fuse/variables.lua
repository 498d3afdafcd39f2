--- Fused functions of Variables: one node, whose way back is a fused function, too.
-- @module torch.fuse.variables
local ffi = require 'ffi'
local functions = require 'torch.variables.functions'
local pass = require 'torch.variables.pass'
local quick = require 'torch.fuse.quick'
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
            check(C.TH_Backward_handOver(running, at[k], summed(gradients[k], originals[place])))
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

-- --- quick calls --------------------------------------------------------------------------------

local DERIVATION = [[
local f, saved, gradient, give = ...
return function(pass)
   local $slopes = f($saved, $given)
$give
end]]

-- A function(pass) that gives the gradients of some operands: of tensors of one size, so that
-- there is nothing to be summed.
local function derivation(self, wanted)
   local program = self.program
   local text = DERIVATION:gsub('%$(%l+)', {
      slopes = quick.each(#wanted, 'd$i', ', '),
      saved = quick.each(#program.arguments, 'saved(pass, $i)', ', '),
      given = quick.each(#program.results, 'gradient(pass, $k, false)', ', '),
      give = quick.each(#wanted, function(i)
         return ('   give(pass, %d, d%d)'):format(wanted[i] - 1, i)
      end),
   })
   return assert(loadstring(text, debug.getinfo(1, 'S').source))(self:__gradient(wanted),
      pass.saved, pass.gradient, function(running, input, g)
         check(C.TH_Backward_handOver(running, input, g))
      end)
end

-- The derivative of all calls of a function whose arguments are tensors.
local function derivative(self)
   local count, derivations = #self.program.arguments, {} -- by the bits of the operands wanted
   return function(running)
      local bits = 0
      for i = 1, count do
         bits = bits * 2 + (C.TH_Backward_needs(running, i - 1) and 1 or 0)
      end
      if bits > 0 and not derivations[bits] then
         local wanted = {}
         for i = 1, count do
            wanted[#wanted + 1] = C.TH_Backward_needs(running, i - 1) and i or nil
         end
         derivations[bits] = derivation(self, wanted)
      end
      if bits > 0 then
         derivations[bits](running)
      end
   end
end

local recorded = ffi.new 'bool[1]'

local function run_unrecorded(call)
   C.TH_Gradient_record(false)
   return C.TH_runPlainLoop(call)
end

--- Record a quick call: its plan is filled, its results are new.
-- @return false, with nothing done, where it is none for the quick way
function M.record(self, plan)
   local call = plan.call
   if call.operand_count ~= #self.program.arguments or not C.TH_Gradient_recording() then
      return false
   end
   local ran, status = pcall(run_unrecorded, call)
   C.TH_Gradient_record(true)
   if not ran then -- Ctrl-C
      error(status, 0)
   elseif status ~= 0 then
      return false
   end
   plan.derivative = plan.derivative or derivative(self)
   local number = functions.hold(plan.derivative)
   status = C.TH_Function_record(number, 'torch.fuse', plan.outputs, call.result_count,
      plan.operands, call.operand_count, plan.operands, call.operand_count, recorded)
   if status ~= 0 or not recorded[0] then
      functions.drop(number)
   end
   check(status)
   return true
end

return M
