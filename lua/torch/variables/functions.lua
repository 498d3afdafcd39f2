--- Functions of the script that the record needs: derivatives of its own nodes, hooks.
-- @module torch.variables.functions
local ffi = require 'ffi'
local th = require 'torch.ffi'

local C, check = th.C, th.check

local M = {}

local held = {} -- number -> function
local endings = {} -- number -> what to call when no node needs it any more
local last = 0

--- Forget those that no node needs any more.
local function sweep()
   local number = C.TH_Gradient_dropped()
   while number ~= 0 do
      local ending = endings[number]
      held[number], endings[number] = nil, nil
      if ending then
         ending()
      end
      number = C.TH_Gradient_dropped()
   end
end
M.sweep = sweep

--- Keep a function under a number; `ending` is called when no node needs it any more.
function M.hold(f, ending)
   sweep()
   last = last + 1
   held[last], endings[last] = f, ending
   return last
end

function M.get(number)
   return held[number]
end

function M.drop(number)
   held[number], endings[number] = nil, nil
end

--- How many are held: for tests.
function M.count()
   sweep()
   local n = 0
   for _ in pairs(held) do
      n = n + 1
   end
   return n
end

local pointers = ffi.typeof 'const TH_Tensor *[?]'
local flag = ffi.new 'bool[1]'

--- A list of tensors as C takes it; the list has to outlive the call.
function M.pointers(list)
   local n = #list
   local p = pointers(math.max(n, 1))
   for i = 1, n do
      p[i - 1] = list[i]
   end
   return p, n
end

--- Make outputs the results of a node whose derivative is `f(pass, turn)`; errors call it `name`.
-- f must not hold the outputs: they hold the node, and that holds f.
-- @return whether it was recorded: an input needs a gradient
function M.record(f, outputs, inputs, saved, ending, name)
   local number = M.hold(f, ending)
   local out, outCount = M.pointers(outputs)
   local inp, inCount = M.pointers(inputs)
   local kept, keptCount = M.pointers(saved)
   local status = C.TH_Function_record(number, name, out, outCount, inp, inCount, kept, keptCount,
      flag)
   if status ~= 0 or not flag[0] then
      M.drop(number)
   end
   check(status)
   return flag[0]
end

return M
