--- Every class of nn on a device against the CPU, by the samples of test/nn's walk: operations for
-- test/gpu/operations.lua.
local torch = require 'torch'
local sorted_keys = require 'xlua.sorted_keys'
local compare = require 'test.gpu.compare'

local function is_cuda(to)
   return torch.typename(to(torch.FloatTensor(1))) ~= 'torch.FloatTensor'
end

-- A nest of tensors on the side of `to`: real numbers as floats, others in their type.
local function on_side(to, nest)
   if torch.isTensor(nest) then
      local kind = torch.typename(nest):match 'torch%.(%w+)Tensor'
      if not is_cuda(to) then
         return (kind == 'Double') and nest:float() or nest
      end
      return nest:type((kind == 'Double' or kind == 'Float') and 'torch.CudaTensor'
         or ('torch.Cuda%sTensor'):format(kind))
   elseif type(nest) ~= 'table' then
      return nest
   end
   local result = {}
   for k, x in pairs(nest) do
      result[k] = on_side(to, x)
   end
   return result
end

local function copied(nest)
   return require 'nn.nested'.into(function(_, x)
      return torch.isTensor(x) and x:clone() or x
   end, nil, nest)
end

-- The tensors and numbers of a nest, one after the other.
local function add_leaves(list, nest)
   require 'nn.nested'.each(function(x)
      list[#list + 1] = torch.isTensor(x) and x:clone() or x
   end, nest)
end

-- What a sample of a layer or criterion answers: outputs, then gradients.
local function answers(sample, is_criterion, to, seed, evaluate)
   torch.manualSeed(3)
   local module = sample.new():type(is_cuda(to) and 'torch.CudaTensor' or 'torch.FloatTensor')
   local input, target = sample.input()
   input, target = on_side(to, input), on_side(to, target)
   if evaluate and not is_criterion then
      module:evaluate()
   end
   torch.manualSeed(seed)
   local list = {}
   if is_criterion then
      list[1] = module:forward(input, target)
      add_leaves(list, module:backward(input, target))
      return list
   end
   local y = copied(module:forward(copied(input)))
   add_leaves(list, y)
   local outputs = #list
   module:zeroGradParameters()
   -- Twice: what the first call leaves behind is found by the second.
   for _ = 1, sample.inplace and 1 or 2 do
      add_leaves(list, module:backward(copied(input), copied(y)))
   end
   local _, gradients = module:parameters()
   add_leaves(list, gradients or {})
   return list, outputs
end


local function differs(a, b)
   for i = 1, #a do
      if not pcall(compare, '', a[i], b[i], 0) then
         return true
      end
   end
   return false
end

-- Both sides of every class of a list, all of which are tried before one is an error.
local function compare_samples(list, is_criterion, to)
   require 'nn'
   if not is_cuda(to) then
      return
   end
   require 'cunn'
   local function host(t)
      return t
   end
   local wrong = {}
   for _, class in ipairs(sorted_keys(list)) do
      for i, sample in ipairs(list[class]) do
         local name = ('nn.%s, sample %d'):format(class, i)
         print(name) -- a fault ends the process here
         local ok, message = pcall(function()
            local evaluate = sample.noise
            local expected = answers(sample, is_criterion, host, 7, evaluate)
            local drawn = differs(expected, answers(sample, is_criterion, host, 8, evaluate))
            if drawn and not evaluate then -- the two sides draw other numbers
               evaluate = true
               expected = answers(sample, is_criterion, host, 7, evaluate)
               answers(sample, is_criterion, to, 7, false) -- for its faults
               drawn = differs(expected, answers(sample, is_criterion, host, 8, evaluate))
            end
            local found = answers(sample, is_criterion, to, 7, evaluate)
            assert(#expected == #found, 'other results')
            for k = 1, #expected do
               compare('result ' .. k, expected[k], found[k], drawn and math.huge or 1e-3)
            end
         end)
         if not ok then
            wrong[#wrong + 1] = ('%s: %s'):format(name, message)
         end
      end
   end
   if #wrong > 0 then
      error(table.concat(wrong, '\n'), 0)
   end
end

local samples = require 'test.support.samples'

--- @param operation function(name, f): takes an operation for each chapter, and one for criterions
return function(operation)
   for _, chapter in ipairs(sorted_keys(samples.chapters)) do
      operation('samples of ' .. chapter, function(to)
         compare_samples(samples.chapters[chapter], false, to)
         return 1
      end)
   end
   operation('samples of criterions', function(to)
      compare_samples(samples.criterions, true, to)
      return 1
   end)
end
