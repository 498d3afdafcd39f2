-- Whatever a layer or criterion is given, the error names it or the operation, at the user's line.

local torch = require 'torch'
local nn = require 'nn'
local raises = require 'test.support.raises'

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
