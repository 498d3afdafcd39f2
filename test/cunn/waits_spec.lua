-- Which layers wait for the device, pass by pass: no others than "What waits" in docs/cuda.md
-- names, and all of those. On simulated devices: there the calls that wait can be made to fail.
local cuda = require 'test.support.cuda'
if not cuda.available or not os.getenv 'THC_SIM_DEVICES' then
   return
end

local torch = require 'torch'
require 'cunn'
local samples = require 'test.support.samples'
local nested = require 'nn.nested'
local C = require('cutorch.ffi').C

local WAITING = { 'cudaStreamSynchronize', 'cudaDeviceSynchronize', 'cudaEventSynchronize' }
local NOT_SUPPORTED = 801 -- an error of CUDA that leaves the device as it is

-- The classes that the section's table names, and those that wait only "with" something.
local function documented()
   local file = assert(io.open 'docs/cuda.md')
   local section = (file:read '*a' .. '\n## '):match '## What waits\n(.-)\n## '
   file:close()
   local names, sometimes = {}, {}
   for row in section:gmatch '|[^\n]*' do
      for name in row:gmatch '`n?n?%.?(%u%w+)`' do
         names[name] = true
         sometimes[name] = row:find ' with ' ~= nil or nil
      end
   end
   return names, sometimes
end

local function on_device(nest)
   return nested.onto(function(_, x)
      if not torch.isTensor(x) then
         return x
      end
      local kind = torch.typename(x):match 'torch%.(%w+)Tensor'
      kind = (kind == 'Double' or kind == 'Float') and '' or kind
      return x:type('torch.Cuda' .. kind .. 'Tensor')
   end, nil, nest)
end

local function copy(nest)
   return nested.onto(function(_, x)
      return torch.isTensor(x) and x:clone() or x
   end, nil, nest)
end

local function waits(f, ...)
   for _, call in ipairs(WAITING) do
      assert.equal(0, C.THC_Sim_fail(call, 1, NOT_SUPPORTED))
   end
   local ok, message = pcall(f, ...)
   for _, call in ipairs(WAITING) do
      C.THC_Sim_fail(call, 0, 0)
   end
   if ok then
      return false
   end
   assert.matches('cuda%a+Synchronize', tostring(message))
   return true
end

-- Whether one of the class's samples waits when it runs a second time.
local function layer_waits(sample)
   local m, x = sample.new():type 'torch.CudaTensor', on_device(sample.input())
   m:backward(x, copy(m:forward(x)))
   local forward = waits(m.forward, m, x)
   local g = copy(m:forward(x))
   return forward or waits(m.backward, m, x, g)
end

-- A criterion's loss is a number: its forward pass always waits.
local function criterion_waits(sample)
   local m, x, t = sample.new():type 'torch.CudaTensor', sample.input()
   x, t = on_device(x), t ~= nil and on_device(t) or nil
   m:forward(x, t)
   m:backward(x, t)
   return waits(m.backward, m, x, t)
end

local function walk(list, waiting, found, not_run)
   for class, of_class in pairs(list) do
      for _, sample in ipairs(of_class) do
         local ok, answer = true, false
         if not sample.prints then
            ok, answer = pcall(waiting, sample)
         end
         if not ok then
            not_run[#not_run + 1] = class .. ': ' .. tostring(answer)
         elseif answer then
            found[class] = true
         end
      end
   end
end

describe('"What waits" #cuda', function()
   it('names the layers and criterions that wait, and no others', function()
      local found, not_run = {}, {}
      walk(samples.layers, layer_waits, found, not_run)
      walk(samples.criterions, criterion_waits, found, not_run)
      local names, sometimes = documented()
      local unnamed, idle = {}, {}
      for class in pairs(found) do
         if not names[class] then
            unnamed[#unnamed + 1] = class
         end
      end
      for class in pairs(names) do
         if (samples.layers[class] or samples.criterions[class]) and not found[class]
            and not sometimes[class] then
            idle[#idle + 1] = class
         end
      end
      table.sort(unnamed)
      table.sort(idle)
      assert.same({}, not_run)
      assert.same({}, unnamed)
      assert.same({}, idle)
   end)
end)
