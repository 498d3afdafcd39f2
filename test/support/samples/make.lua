--- What samples are made of.
local torch = require 'torch'
local nn = require 'nn'

local M = {}

-- Away from 0, where |x| and its kin have no derivative.
function M.random(...)
   local x = torch.randn(...)
   return x:add(0.1, torch.sign(x))
end

function M.positive(...)
   return torch.rand(...):add(0.2)
end

-- All elements at least 0.1 apart, so that no maximum changes.
function M.distinct(...)
   local x = torch.Tensor(...)
   return x:copy(torch.randperm(x:nElement()):mul(0.1):viewAs(x))
end

function M.of(f, ...)
   local arguments = { ... }
   return function()
      return f(unpack(arguments))
   end
end

function M.elementwise(name, values, ...)
   values = values or M.random
   return {
      new = M.of(nn[name], ...), input = M.of(values, 3, 4), single = M.of(values, 4),
   }
end

function M.images(new, planes, values)
   values = values or M.random
   return {
      new = new, input = M.of(values, 2, planes, 5, 6), single = M.of(values, planes, 5, 6),
      wrong = M.of(M.random, 5, 6),
   }
end

-- A table of two.
function M.pair(a, b)
   return function()
      return { a(), b() }
   end
end

function M.mlp()
   return nn.Sequential():add(nn.Linear(4, 5)):add(nn.Tanh()):add(nn.Linear(5, 3))
end

-- Of criterions: an input and a target of its shape.
function M.regression(new)
   return {
      new = new,
      input = function() return M.random(3, 4), M.random(3, 4):mul(3) end,
      single = function() return M.random(4), M.random(4):mul(3) end,
      wrong = function() return M.random(3, 4), M.random(5) end,
   }
end

-- Of criterions: scores and classes.
function M.classification(new)
   return {
      new = new,
      input = function() return M.random(4, 3), torch.LongTensor { 1, 3, 2, 3 } end,
      single = function() return M.random(3), 2 end,
      wrong = function() return M.random(4, 3), torch.LongTensor { 1, 3 } end,
   }
end

return M
