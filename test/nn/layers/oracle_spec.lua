-- Layers with parameters, states or several inputs against PyTorch's, in double: oracle.py has
-- written oracle.lua.
local torch = require 'torch'
local nn = require 'nn'
local oracle = require 'test.nn.layers.oracle'

-- As in oracle.py.
local function wave(sizes, phase, scale)
   local x = torch.Tensor(torch.LongStorage(sizes))
   local n = x:nElement()
   return x:copy(torch.range(1, n):mul(0.7):add(phase):sin():mul(scale or 0.5):viewAs(x))
end

local function make(text)
   return setfenv(assert(loadstring('return ' .. text)), {
      nn = nn, math = math,
      evaluated = function(layer)
         layer:evaluate()
         return layer
      end,
      then_ = function(a, b) return nn.Sequential():add(a):add(b) end,
   })()
end

-- 'modules.1.weight' of a layer: the table that has the field, and its name.
local function place(layer, path)
   local holder, last = layer, path
   for name, rest in path:gmatch '(%w+)%.(.*)' do
      holder, last = holder[tonumber(name) or name], rest
      if rest:find('.', 1, true) then
         return place(holder, rest)
      end
   end
   return holder, last
end

local function fill(layer, parameters)
   for k, parameter in ipairs(parameters) do
      local path, sizes, gradient = unpack(parameter)
      local value = wave(sizes, k)
      if gradient == 'buffer+' then
         value:add(0.5)
      end
      local holder, name = place(layer, path)
      if holder[name] then
         holder[name]:copy(value)
      else
         holder[name] = value -- what the first pass would draw
      end
   end
   layer:zeroGradParameters()
   if layer.updateWeight then
      layer:updateWeight()
   end
end

-- Both round in the last digits and sum in other orders; some add 1e-12 to norms.
local function near(expected, got, what)
   local difference = (torch.Tensor(expected) - got:contiguous():view(-1)):abs():max()
   assert(difference <= 1e-10, ('%s differs by %g'):format(what, difference)) -- NaN: neither
end

local function input_of(case)
   if case.positions then
      return torch.LongTensor(case.x)
   end
   local x = {}
   for k, sizes in ipairs(case.x) do
      x[k] = wave(sizes, 0.3 + k - 1, 1)
   end
   return #x > 1 and x or x[1]
end

describe('PyTorch agrees with', function()
   for _, case in ipairs(oracle) do
      it(case.make, function()
         local layer, input = make(case.make), input_of(case)
         fill(layer, case.parameters)
         local y = layer:forward(input)
         assert.same(case.size, y:size():totable())
         near(case.y, y, 'the output')
         local gx = layer:backward(input, wave(case.size, 1.3, 1))
         gx = torch.isTensor(gx) and { gx } or gx
         for k, expected in ipairs(case.gx) do
            near(expected, gx[k], ('gradInput %d'):format(k))
         end
         for _, list in ipairs { 'gradients', 'after' } do
            for path, expected in pairs(case[list]) do
               local holder, name = place(layer, path)
               near(expected, holder[name], path)
            end
         end
      end)
   end
end)
