-- Whatever a layer or criterion is given, the error names it, at the user's line.

local torch = require 'torch'
local nn = require 'nn'
local nested = require 'nn.nested'
local nests = require 'test.support.nests'
local raises = require 'test.support.raises'
local samples = require 'test.support.samples'

local layers = {
   function() return nn.Linear(3, 2) end,
   function() return nn.SpatialConvolution(1, 2, 3, 3) end,
   function() return nn.SpatialFullConvolution(1, 2, 3, 3) end,
   function() return nn.SpatialMaxPooling(2, 2) end,
   function() return nn.SpatialAveragePooling(2, 2) end,
   function() return nn.View(3) end,
   function() return nn.Reshape(3) end,
   function() return nn.Dropout() end,
   function() return nn.Tanh() end,
   function() return nn.ReLU() end,
   function() return nn.ReLU(true) end,
   function() return nn.LogSoftMax() end,
   function() return nn.Select(1, 1) end,
   function() return nn.Squeeze() end,
   function() return nn.Contiguous() end,
   function() return nn.Transpose { 1, 2 } end,
   function() return nn.Convert('bf', 'fb') end,
   function() return nn.Index(1) end,
   function() return nn.Max(1) end,
   function() return nn.Sum(1) end,
   function() return nn.Normalize(2) end,
   function() return nn.CAdd(3) end,
   function() return nn.LookupTable(3, 2) end,
   function() return nn.SparseLinear(3, 2) end,
   function() return nn.IndexLinear(3, 2) end,
   function() return nn.Bilinear(3, 2, 2) end,
   function() return nn.PartialLinear(3, 2) end,
   function() return nn.Euclidean(3, 2) end,
   function() return nn.Copy() end,
   function() return nn.MaskedSelect() end,
   function() return nn.Replicate(2) end,
}

-- Inputs of layers that take no tensor of any size.
local values, keys = torch.ones(1, 3), torch.LongTensor { 1 }
local inputs = {
   ['nn.Index'] = { values, keys },
   ['nn.MaskedSelect'] = { values, torch.ByteTensor(1, 3):fill(1) },
   ['nn.LookupTable'] = keys,
   ['nn.SparseLinear'] = torch.ones(1, 2),
   ['nn.IndexLinear'] = { keys, torch.ones(1) },
   ['nn.Bilinear'] = { values, torch.ones(1, 2) },
}

-- Their gradients have no use for the input.
local ignored = { ['nn.Dropout'] = true, ['nn.Copy'] = true }

local criteria = {
   function() return nn.MSECriterion() end,
   function() return nn.ClassNLLCriterion() end,
   function() return nn.CrossEntropyCriterion() end,
}

local no_tensors = { false, 3, 'text', {}, print, 5LL, torch.LongStorage { 1, 2 } }

local function assert_refused(what, f)
   local ok, err = pcall(f)
   assert.is_false(ok, what .. ' was accepted')
   assert.matches('bad_input_spec.lua:%d+: %a', err, 1, false, what)
   assert.matches('input is ', err)
end

-- What is given in the place of an operand: { value }. Some layers take some of them.
local function wrong_values(operand)
   local other = torch.FloatTensor():type()
   local list = {
      {}, { 3 }, { 'text' }, { {} }, { print }, { true }, { torch.LongStorage { 1, 2 } },
      { torch.Tensor() }, { torch.ones(1) }, { torch.ones(1, 1, 1, 1, 1, 1) },
   }
   if torch.isTensor(operand) then
      list[#list + 1] = { { operand } }
      list[#list + 1] = { operand:type(other) }
   elseif nested.is_table(operand) then
      list[#list + 1] = { { 3, 4 } }
      list[#list + 1] = { operand[1] }
      for key, value in pairs(operand) do
         for _, wrong in ipairs(wrong_values(value)) do
            local copy = {}
            for k, v in pairs(operand) do
               copy[k] = v
            end
            copy[key] = wrong[1]
            list[#list + 1] = { copy }
         end
      end
   end
   return list
end

-- An error, if there is one, blames this file, names the layer and is none of Lua's own; but for
-- one in a function that nn.Lambda was given, which is the script's own mistake at its own line.
local function assert_no_internal_error(f, ...)
   local ok, err = pcall(f, ...)
   if not ok and not err:match '^%./test/support/samples/simple%.lua:%d+: ' then
      assert.matches('bad_input_spec.lua:%d+: .', err)
      assert.matches('nn%.%a', err)
      assert.is_nil(err:find 'attempt to ', err)
      assert.is_nil(err:find '\nstack traceback', err)
   end
end

local function try(object, method, first, second)
   object[method](object, first, second)
   return object
end

local function try_layer(sample)
   local x = sample.input()
   local y = nests.clone(sample.new():forward(nests.clone(x)))
   for _, wrong in ipairs(wrong_values(x)) do
      assert_no_internal_error(try, sample.new(), 'forward', wrong[1])
      local used = try(sample.new(), 'forward', nests.clone(x))
      assert_no_internal_error(try, used, 'backward', wrong[1], nests.clone(y))
      assert_no_internal_error(try, sample.new(), 'backward', wrong[1], nests.clone(y))
   end
   for _, wrong in ipairs(wrong_values(y)) do
      local used = try(sample.new(), 'forward', nests.clone(x))
      assert_no_internal_error(try, used, 'backward', nests.clone(x), wrong[1])
   end
end

local function try_criterion(sample)
   for _, make in pairs { sample.input, sample.single } do
      local x, t = make()
      for _, method in ipairs { 'forward', 'backward' } do
         for _, wrong in ipairs(wrong_values(x)) do
            assert_no_internal_error(try, try(sample.new(), 'forward', x, t), method, wrong[1], t)
         end
         for _, wrong in ipairs(wrong_values(t)) do
            assert_no_internal_error(try, try(sample.new(), 'forward', x, t), method, x, wrong[1])
         end
      end
   end
end

describe('nn: whatever the samples of', function()
   for kind, check in pairs { layers = try_layer, criterions = try_criterion } do
      for name, list in pairs(samples[kind]) do
         it(name .. ' are given, no error is internal', function()
            local print = _G.print
            _G.print = function() end -- nn.PrintSize
            local ok, err = pcall(function()
               for _, sample in ipairs(list) do
                  check(sample)
               end
            end)
            _G.print = print
            if not ok then
               error(err, 0)
            end
         end)
      end
   end
end)

describe('nn: bad input', function()
   for _, new in ipairs(layers) do
      local name = torch.typename(new())
      it(name .. ' refuses what is no tensor', function()
         for i = 1, #no_tensors + 1 do
            local value = no_tensors[i] or nil
            assert_refused(name .. ':forward', function() new():forward(value) end)
            if not ignored[name] then
               assert_refused(name .. ':backward', function()
                  new():backward(value, torch.Tensor(1))
               end)
            end
            local input = inputs[name] or torch.Tensor(1, 1, 5, 3)
            local _, err = pcall(function() new():backward(input, value) end)
            assert.matches('bad_input_spec.lua:%d+: ' .. name .. ': gradOutput is ', err)
         end
      end)
   end

   for _, new in ipairs(criteria) do
      local name = torch.typename(new())
      it(name .. ' refuses what is no tensor', function()
         for i = 1, #no_tensors + 1 do
            local value = no_tensors[i] or nil
            for _, method in ipairs { 'forward', 'backward' } do
               assert_refused(name .. ':' .. method, function()
                  local criterion = new()
                  criterion[method](criterion, value, torch.Tensor(1))
               end)
            end
            if type(value) ~= 'number' then
               local _, err = pcall(function() new():forward(torch.Tensor(2, 3), value) end)
               assert.matches('bad_input_spec.lua:%d+: nn%.%w+: target is ', err)
            end
         end
      end)
   end

   it('says what to convert: whole numbers only themselves', function()
      local layer, x = nn.Tanh(), torch.randn(3)
      raises("nn.Tanh: input is a torch.FloatTensor, but the layer is of type torch.DoubleTensor. "
         .. "Convert one: input:type('torch.DoubleTensor') or layer:type('torch.FloatTensor')",
         layer.forward, layer, x:float())
      local ok, message = pcall(layer.forward, layer, x:long())
      assert.is_false(ok)
      assert.matches("Convert it: input:type%('torch.DoubleTensor'%)$", message)
   end)

   it('leaves layer and arguments as they were', function()
      local layer, x = nn.ReLU(true), torch.randn(4)
      layer:forward(torch.randn(2))
      local before = x:clone()
      raises('must have the same number of elements, but have 5 and 4', layer.backward, layer, x,
         torch.randn(5))
      assert.is_true(x:equal(before))
      local linear = nn.Linear(3, 2)
      local y = linear:forward(torch.randn(4, 3)):clone()
      raises('nn.Linear: input is 4x4, expected N x 3', linear.forward, linear, torch.randn(4, 4))
      assert.is_true(linear.output:equal(y))
   end)
end)
