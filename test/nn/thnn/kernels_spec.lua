-- Walks the kernels that Torch7's header declares: each does what the layer or criterion of its
-- name does, and is called with its arguments in the header's order. One without a case in
-- test/support/kernels fails.
local torch = require 'torch'
local cases = require 'test.support.kernels.cases'
local own = require 'test.support.kernels.own'

local TYPES = { 'torch.DoubleTensor', 'torch.FloatTensor' }
local SCALE = 0.5

-- Name -> list of the names of its arguments.
local calls, order = {}, {}
for line in io.lines 'test/data/thnn_calls.txt' do
   local name, list = line:match '^([%w_]+)%((.*)%)$'
   if name then
      calls[name], order[#order + 1] = {}, name
      for argument in list:gmatch '[%w_]+' do
         table.insert(calls[name], argument)
      end
   end
end

-- What a layer calls the header's arguments.
local FIELDS = {
   pT = 'padT', pW = 'padW', pH = 'padH', aT = 'adjT', aW = 'adjW', aH = 'adjH',
   ceilMode = 'ceil_mode', batchMode = 'batch_mode', ignore_index = 'ignoreIndex',
   total_weight = 'total_weight_tensor',
}

local SCRATCH = {
   finput = true, fgradInput = true, columns = true, ones = true, gradColumns = true,
   addBuffer = true, buffer = true, gradWeightBuf = true, gradWeightBuf2 = true, count = true,
   sorted = true, generator = true,
}

local MAY_BE_NIL = {
   weight = true, bias = true, gradWeight = true, gradBias = true, weights = true,
}

local function copy(x)
   return torch.isTensor(x) and x:clone() or x
end

-- The values of a kernel's arguments, by name, from a layer that has run.
local function arguments(case, layer, input, values)
   local given = case.names and case.names(layer, input) or {}
   return function(name)
      if values[name] ~= nil then
         return values[name]
      elseif given[name] ~= nil then
         return given[name]
      elseif SCRATCH[name] then
         return input.new(1)
      end
      local value = layer[FIELDS[name] or name]
      assert(value ~= nil or MAY_BE_NIL[name], 'the case says nothing of ' .. name)
      return value
   end
end

-- In doubles the arguments are cdata, as Torch7's layers have them, in floats tensors. `flat`: the
-- weight has two dimensions in the call.
local function run(name, typename, value, flat)
   local list, n = {}, #calls[name]
   for i, argument in ipairs(calls[name]) do
      local x = value(argument)
      if flat and (argument == 'weight' or argument == 'gradWeight') then
         x = x:view(x:size(1), -1)
      end
      list[i] = typename == TYPES[1] and torch.isTensor(x) and x:cdata() or x
   end
   torch.getmetatable(typename).THNN[name](unpack(list, 1, n))
end

-- The kernel reads these, and leaves them as they are.
local function unchanged(tensors)
   local before = {}
   for name, x in pairs(tensors) do
      before[name] = x:clone()
   end
   return function()
      for name, x in pairs(tensors) do
         assert.is_true(x:equal(before[name]), name .. ' has changed')
      end
   end
end

local function same(expected, x, what)
   assert.same(expected:size():totable(), x:size():totable(), what)
   local difference = (expected:double() - x:double()):abs():max()
   local tolerance = torch.typename(x) == 'torch.DoubleTensor' and 1e-13 or 1e-5
   assert.is_true(difference <= tolerance, ('%s differs by %g'):format(what, difference))
end

local function prepared(case, typename)
   torch.manualSeed(7)
   local layer = case[2]()
   local made = type(case[3]) == 'function' and case[3]()
      or torch.Tensor(unpack(case[3])):uniform(-1, 1)
   local long = torch.typename(made):match 'Long'
   local input = long and made or made:type(typename)
   layer:type(typename)
   if layer.pooling then -- the input is that of the layer before
      input = layer.pooling:forward(input):clone()
   end
   return layer, input, layer.pooling and made:type(typename) or input
end

local check = {}

function check.updateOutput(name, typename, case)
   local layer, input, first = prepared(case, typename)
   local target = case.target and case.target(unpack(input:size():totable()))
   target = target and (torch.typename(target):match 'Long' and target or target:type(typename))
   local values = { input = input, target = target, output = input.new(1):fill(7) }
   local names = arguments(case, layer, first, values)
   local scratch = {}
   for _, field in ipairs { 'indices', 'save_mean', 'save_std', 'noise', 'isTarget', 'scale' } do
      scratch[field] = field == 'indices' and torch.LongTensor() or input.new()
   end
   local running = {
      running_mean = copy(layer.running_mean), running_var = copy(layer.running_var),
   }
   local unpooled = layer.pooling
   local is_unchanged = unchanged { input = input, target = target, weight = layer.weight }
   run(name, typename, function(argument)
      if argument == 'indices' and unpooled then
         return unpooled.indices
      end
      return running[argument] or scratch[argument] or names(argument)
   end, case.flat)
   is_unchanged()
   local expected = layer:forward(input, target)
   if type(expected) == 'number' then
      expected = input.new { expected }
   end
   same(expected, values.output, 'output')
   for _, field in ipairs { 'indices', 'save_mean', 'save_std', 'isTarget', 'scale' } do
      if layer[field] and scratch[field]:nElement() > 0 then
         same(layer[field], scratch[field], field)
      end
   end
   for field, x in pairs(running) do
      same(layer[field], x, field)
   end
end

-- Both gradients; those of parameters are added to what there is, times the scale.
local function gradients(name, typename, case)
   local layer, input, first = prepared(case, typename)
   local y = layer:forward(input)
   local g = y:clone():uniform(-1, 1)
   local values = {
      input = input, gradOutput = g, gradInput = torch.isTensor(input) and input.new(1) or nil,
   }
   local names = arguments(case, layer, first, values)
   for _, gradient in ipairs(select(2, layer:parameters()) or {}) do
      gradient:uniform()
   end
   local mine = { gradWeight = copy(layer.gradWeight), gradBias = copy(layer.gradBias) }
   local lrn = name:match 'LRN'
   local is_unchanged = unchanged { input = input, gradOutput = g, output = y }
   run(name, typename, function(argument)
      if argument == 'scale' and not lrn then
         return SCALE
      end
      return mine[argument] or names(argument)
   end, case.flat)
   is_unchanged()
   return layer, layer:backward(input, g, SCALE), values.gradInput, mine
end

function check.updateGradInput(name, typename, case)
   if not case.target then
      local _, expected, gx = gradients(name, typename, case)
      return same(expected, gx, 'gradInput')
   end
   local layer, input, first = prepared(case, typename)
   local target = case.target(unpack(input:size():totable()))
   target = target and (torch.typename(target):match 'Long' and target or target:type(typename))
   layer:forward(input, target)
   local values = { input = input, target = target, gradInput = input.new(1) }
   local names = arguments(case, layer, first, values)
   run(name, typename, function(argument)
      local x = names(argument)
      return argument == 'gradOutput' and x:type(typename) or x
   end)
   same(layer:backward(input, target), values.gradInput, 'gradInput')
end

function check.accGradParameters(name, typename, case)
   local layer, _, _, mine = gradients(name, typename, case)
   same(layer.gradWeight, mine.gradWeight, 'gradWeight')
   if layer.gradBias then
      same(layer.gradBias, mine.gradBias, 'gradBias')
   end
end

function check.backward(name, typename, case)
   local layer, expected, gx, mine = gradients(name, typename, case)
   same(expected, gx, 'gradInput')
   for field, x in pairs(mine) do
      same(layer[field], x, field)
   end
end

describe('kernels', function()
   for _, name in ipairs(order) do
      it(name .. ' is computed as by its layer', function()
         local of, method = name:match '^(%w+)_(%w+)$'
         local count = own[name] and 1 or 0
         for _, typename in ipairs(TYPES) do
            if own[name] then
               torch.manualSeed(7)
               own[name](torch.getmetatable(typename).THNN[name], typename)
            else
               for _, case in ipairs(cases) do
                  if case[1] == of then
                     check[method](name, typename, case)
                     count = count + 1
                  end
               end
            end
         end
         assert.is_true(count > 0, 'no case in test/support/kernels')
      end)
   end

   it('are those of the header, no more', function()
      local names = {}
      for name in pairs(require('nn.THNN').kernels['torch.FloatTensor']) do
         names[#names + 1] = name
      end
      table.sort(names)
      table.sort(order)
      assert.same(order, names)
   end)
end)
