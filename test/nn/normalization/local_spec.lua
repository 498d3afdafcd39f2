-- Layers that normalise by what is around a place, against their definitions.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

-- Weighted means around each place and the weights inside the image, element by element.
local function around(x, kernel)
   local C, H, W = x:size(1), x:size(2), x:size(3)
   local reachH, reachW = (kernel:size(1) - 1) / 2, (kernel:size(2) - 1) / 2
   local means, weights = torch.zeros(H, W), torch.zeros(H, W)
   for i = 1, H do
      for j = 1, W do
         for a = -reachH, reachH do
            for b = -reachW, reachW do
               local h, w = i + a, j + b
               if h >= 1 and h <= H and w >= 1 and w <= W then
                  local weight = kernel[a + reachH + 1][b + reachW + 1] / kernel:sum()
                  weights[i][j] = weights[i][j] + weight
                  means[i][j] = means[i][j] + weight / C * x:select(2, h):select(2, w):sum()
               end
            end
         end
      end
   end
   return means:view(1, H, W):expandAs(x), weights:view(1, H, W):expandAs(x)
end

describe('Local normalisation', function()
   before_each(function()
      torch.manualSeed(9)
   end)

   for _, case in ipairs { { 3, 5 }, { 3 } } do
      local name = #case == 2 and 'a matrix' or 'a vector'

      it('subtracts and divides as defined, with ' .. name, function()
         local kernel, x = torch.rand(unpack(case)), torch.randn(2, 5, 4)
         local given = kernel:clone()
         local rows = kernel:dim() == 2 and kernel or torch.ger(kernel, kernel)
         local means, weights = around(x, rows)
         numbers.same(x - torch.cdiv(means, weights),
            nn.SpatialSubtractiveNormalization(2, kernel):forward(x), 1e-12)
         local squares = around(torch.cmul(x, x), rows)
         local s = squares:clone():sqrt():cdiv(weights)
         s[s:le(0.9)] = 0.5
         numbers.same(torch.cdiv(x, s),
            nn.SpatialDivisiveNormalization(2, kernel, 0.9, 0.5):forward(x), 1e-12)
         numbers.same(given, kernel)
      end)
   end

   it('with contrast is one after the other', function()
      local kernel, x = torch.rand(3, 3), torch.randn(2, 5, 4)
      local y = nn.SpatialSubtractiveNormalization(2, kernel):forward(x)
      numbers.same(nn.SpatialDivisiveNormalization(2, kernel):forward(y),
         nn.SpatialContrastiveNormalization(2, kernel):forward(x), 1e-12)
   end)

   it('with contrast divides by no less than it is told', function()
      local kernel, x = torch.rand(3, 3), torch.randn(2, 5, 4)
      local means, weights = around(x, kernel)
      local y = x - torch.cdiv(means, weights)
      local squares = around(torch.cmul(y, y), kernel)
      local s = squares:clone():sqrt():cdiv(weights)
      local between = (s:min() + s:max()) / 2
      local function divided(threshold, value)
         local d = s:clone()
         d[d:le(threshold)] = value
         return torch.cdiv(y, d)
      end
      numbers.same(divided(between, 0.5),
         nn.SpatialContrastiveNormalization(2, kernel, between, 0.5):forward(x), 1e-12)
      numbers.same(divided(between, between),
         nn.SpatialContrastiveNormalization(2, kernel, between):forward(x), 1e-12)
      numbers.same(torch.zeros(2, 5, 4),
         nn.SpatialContrastiveNormalization(2, kernel):forward(torch.zeros(2, 5, 4)), 0)
   end)

   it('wants odd sizes', function()
      raises('kernel is 2x3, expected odd sizes', function()
         nn.SpatialSubtractiveNormalization(1, torch.rand(2, 3))
      end)
   end)

   it('across planes has the formula of its docstring', function()
      local x = torch.randn(5, 2, 3)
      local y = nn.SpatialCrossMapLRN(3, 0.5, 0.75, 2):forward(x)
      for c = 1, 5 do
         local first, last = math.max(c - 1, 1), math.min(c + 1, 5)
         local sum = x:narrow(1, first, last - first + 1):clone():pow(2):sum(1)[1]
         numbers.same(torch.cmul(x[c], sum:mul(0.5 / 3):add(2):pow(-0.75)), y[c], 1e-12)
      end
   end)
end)
