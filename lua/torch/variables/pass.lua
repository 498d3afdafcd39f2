--- One way back through the record. The core goes as far as it can and asks for what only the
-- script knows: hooks, and derivatives of the script's own functions.
-- @module torch.variables.pass
local ffi = require 'ffi'
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local functions = require 'torch.variables.functions'
local recording = require 'torch.variables.recording'

local C, Tensor = th.C, th.Tensor

local M = {}

local started = ffi.new 'TH_Backward *[1]'
local pointers = ffi.typeof 'const TH_Tensor *[?]'
local Turn = ffi.typeof 'TH_Turn'
local ownTurn = Turn()
local running = 0

local DONE, HOOK = C.TH_TURN_DONE, C.TH_TURN_HOOK

--- The gradient of a result of the node whose turn it is; own: in memory that the caller may write
-- into, unless the pass itself is recorded.
local function gradient(pass, output, own)
   local g = Tensor()
   if C.TH_Backward_gradient(pass, output, own or false, g) ~= 0 then
      th.recover()
      th.check(C.TH_Backward_gradient(pass, output, own or false, g))
   end
   return g
end
M.gradient = gradient

--- What such a node has kept.
function M.saved(pass, index)
   local t = Tensor()
   th.check(C.TH_Backward_saved(pass, index - 1, t))
   return t
end

local function take(pass, turn)
   local f = functions.get(turn.callee)
   if turn.kind == HOOK then
      if not f then
         return -- another hook has taken it off
      end
      local g = recording.within(f, gradient(pass, turn.output, true))
      if g ~= nil then
         if not th.isTensor(g) then
            errors.raise(('hook: the function gave a %s, expected a tensor or nothing'):format(
               require('torch.class').type(g)))
         end
         th.check(C.TH_Backward_replace(pass, turn.output, g))
      end
   else
      f(pass, turn)
   end
end

local function finish(pass)
   C.TH_Backward_free(pass)
   functions.sweep()
end

-- From where the core has stopped, with a turn or a failure, to the end. The first stop is its
-- caller's, so that a pass without any is compiled.
local function goOn(pass, turn, status, create)
   running = running + 1
   local again = false
   while true do
      if status ~= 0 then
         local message, kind = ffi.string(C.TH_lastError()), C.TH_lastStatus()
         if kind ~= C.TH_OUT_OF_MEMORY or again then
            running = running - 1
            finish(pass)
            errors.raise(message)
         end
         again = true
         th.recover()
      elseif turn.kind == DONE then
         break
      else
         again = false
         local before = C.TH_Gradient_record(create)
         local ok, err = pcall(take, pass, turn)
         C.TH_Gradient_record(before)
         if not ok then
            running = running - 1
            finish(pass)
            error(err, 0)
         end
      end
      status = C.TH_Backward_run(pass, turn)
   end
   running = running - 1
end

-- A pass within a hook or a function of another must leave that one's turn alone.
local function freshTurn()
   return running == 0 and ownTurn or Turn()
end

local function start(outputs, gradients, count, inputs, inputCount, retain, create)
   local status = C.TH_Backward_start(started, outputs, gradients, count, inputs, inputCount,
      retain, create)
   if status ~= 0 then
      th.recover()
      th.check(C.TH_Backward_start(started, outputs, gradients, count, inputs, inputCount, retain,
         create))
   end
   return started[0]
end

--- Gradients of all leaves that `output` was made of, which are accumulated.
function M.one(output, g, retain, create)
   local turn = freshTurn()
   local status = C.TH_Backward_whole(started, output, g, retain, create, turn)
   if status ~= 0 and started[0] == nil then -- it has not begun
      th.recover()
      status = C.TH_Backward_whole(started, output, g, retain, create, turn)
      if status ~= 0 and started[0] == nil then
         errors.raise(ffi.string(C.TH_lastError()))
      end
   end
   if status ~= 0 or turn.kind ~= DONE then
      local pass = started[0]
      goOn(pass, turn, status, create)
      C.TH_Backward_free(pass)
   end
   functions.sweep()
end

--- The same of several outputs; with inputs, their gradients instead, as a list with false where
-- the outputs do not depend on one.
function M.several(outputs, gradients, inputs, retain, create)
   local out, count = functions.pointers(outputs)
   local given = nil
   if gradients then
      given = pointers(math.max(count, 1))
      for i = 1, count do
         given[i - 1] = gradients[i] or nil
      end
   end
   local wanted, inputCount = nil, 0
   if inputs then
      wanted, inputCount = functions.pointers(inputs)
   end
   local pass = start(out, given, count, wanted, inputCount, retain, create)
   local turn = freshTurn()
   goOn(pass, turn, C.TH_Backward_run(pass, turn), create)
   local results = {}
   for i = 1, inputCount do
      local r = Tensor()
      results[i] = C.TH_Backward_result(pass, i - 1, r) and r or false
   end
   finish(pass)
   return results
end

return M
