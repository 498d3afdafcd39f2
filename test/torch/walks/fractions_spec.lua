-- Positions, sizes, counts and dimensions with fractions: cut off before anything is compared with
-- them. Each call gives what it gives with the integers, and is refused where those are.
local torch = require 'torch'
local evaluate = require('test.support.walks.expressions').evaluate

local expressions = {
   'x[3]', 'x[-1]', 'v[5]', 'v[-5]', 'x[{ 3, 4 }]', 'x[{ -3, -4 }]', 'b[{ 2, 3, -3 }]',
   'x[{ 3 }]', 'x[{ { 1, 3 }, 4 }]', 'x[{ {}, { -4, -1 } }]', 'v[{ { 5 } }]', 'v[{ { 1, 5 } }]',
   's[8]', 's[1]', 'x:size()[2]', 'put(v, 5, u:sum())',
   'put(v, -5, u:sum())', 'put(x, { 3, -1 }, u:sum())',
   'put(x, { { 2, 3 }, 4 }, u:sum())', 'put(x, -1, u:sum())', 'put(s, 8, u:sum())',
   'x:size(2)', 'x:stride(2)', 'v:size(1)', 'x:select(2, 4)', 'x:select(1, -3)',
   'x:narrow(2, 3, 2)', 'x:sub(1, 3, -4, -1)', 'b:transpose(1, 3)', 'b:permute(3, 1, 2)',
   'v:unfold(1, 2, 3)', 'x:view(3, 1, 4):squeeze(2)', 'x:view(12, 1):squeeze(2)',
   'x:unsqueeze(3)', 'x:split(3)', 'x:split(1, 2)', 'torch.split(x, 3, 2)', 'x:chunk(2, 2)',
   'torch.chunk(x, 3)', 'x:sum(2)', 'torch.max(x, 2)', 'x:cumsum(2)', 'x:sort(2)', 'x:topk(3, 2)',
   'x:index(1, i)', 'torch.cat(x, x, 2)', 'torch.Tensor(3, 4):zero()', 'torch.zeros(3, 2)',
   'torch.eye(3)', 'torch.randperm(5)', 'torch.random(3)', 'torch.random(1, 3)', 'v:random(3)',
   'v:random(2, 3)', 'torch.random(-3, -1)', 'torch.LongTensor(9):random(-3, 3)',
   'torch.multinomial(v, 2)', 'torch.DoubleStorage(s, 2, 7)', '#torch.DoubleStorage(3)',
}

-- Each number further from 0 by less than 1.
local function longer(text, by)
   return (' ' .. text):gsub('([^%w_.])(%-?)(%d+)', function(before, sign, number)
      return before .. sign .. (number + by)
   end)
end

describe('fractions', function()
   for _, text in ipairs(expressions) do
      it('are cut off in ' .. text, function()
         local expected = evaluate(text)
         for _, by in ipairs { 0.3, 0.5, 0.9 } do
            assert.equal(expected, evaluate(longer(text, by)), longer(text, by))
         end
      end)
   end

   it('of one draw and of many give the same integers', function()
      torch.manualSeed(3)
      local drawn = torch.LongTensor(100):random(1.5, 3.9)
      assert.same({ 1, 3 }, { drawn:min(), drawn:max() })
      torch.manualSeed(3)
      for i = 1, 100 do
         assert.equal(drawn[i], torch.random(torch._gen, '1.5', 3.9))
      end
   end)

   it('below the first position are out of range', function()
      local x = torch.range(1, 4)
      for _, k in ipairs { 0.9, 0.5, -0.5, -0.9, 5, -5, 0 / 0 } do
         for _, f in ipairs {
            function() return x[k] end, function() x[k] = 1 end, function() return x[{ k }] end,
            function() return x[{ { k } }] end, function() return x:view(2, 2)[{ k, 1 }] end,
            function() return x:view(2, 2)[{ k, {} }] end, function() return x:select(1, k) end,
         } do
            local ok, message = pcall(f)
            assert.is_false(ok, k)
            assert.matches('out of range', message, 1, true)
         end
         if k ~= 5 then
            local s = torch.DoubleStorage { 1, 2, 3, 4 }
            assert.is_false(pcall(function() return s[k] end))
            assert.is_false(pcall(x.size, x, k))
         end
      end
   end)

   it('in positions of a storage meet the element itself, whatever its bits are', function()
      local s = torch.DoubleStorage { 1, -0 / 0, 3, 4 }
      assert.is_true(s[2.5] ~= s[2.5])
      assert.equal(3, s[3.5])
   end)
end)
