local torch = require 'torch'
local fused = require 'test.support.fused'

-- How far results are from exact ones in units in the last place of a float.
local function units(r, exact)
   local least = 2 ^ -149
   if exact ~= exact or r ~= r then
      return exact ~= exact and r ~= r and 0 or math.huge
   elseif r == exact then
      return 0
   elseif math.abs(r) == math.huge then -- what no float holds is infinite
      return math.abs(exact) >= 2 ^ 128 - 2 ^ 103 and r * exact > 0 and 0 or math.huge
   end
   local _, exponent = math.frexp(exact)
   return math.abs(r - exact) / math.max(2 ^ (exponent - 24), least)
end

describe('functions of floats within a fused loop', function()
   fused.prepare(setup, teardown, before_each)

   -- The bounds that torch.fuse.inline states; libm is nearer.
   local bounds = { exp = 2, expm1 = 2, log = 2, log1p = 2, tanh = 3 }
   local edges = { 0, -0, 1, -1, math.huge, -math.huge, 0 / 0, 2 ^ -149, -2 ^ -149, 2 ^ -126,
      -2 ^ -127, 2 ^ -24, -2 ^ -24, 88.72283, 88.72284, 88.8, 89.5, -87.4, -103.2, -103.98,
      -104.5, 1000, -1000, 0.34657, -0.34657, 0.34659, 9.01, 10, -9.5, 0.70710677, 0.70710678,
      1.4142135, 0.99999994, 1.0000001, -0.99999994, 3e38, 1e10, 20.5, -17.5, -20.5 }

   -- Exact: torch's own operation of doubles.
   for name, bound in pairs(bounds) do
      it(name .. ' is within its bound', function()
         local n = #edges
         local x = torch.FloatTensor(n + 3 * 20000)
         x:narrow(1, 1, n):copy(torch.FloatTensor(edges))
         x:narrow(1, n + 1, 20000):uniform(-1, 1)
         x:narrow(1, n + 20001, 20000):uniform(-100, 100)
         x:narrow(1, n + 40001, 20000):copy(torch.exp(torch.DoubleTensor(20000):uniform(-80, 80)))
         local f = torch.fuse(('y = %s(x)'):format(name))
         assert.truthy(fused.isCompiled(f, x))
         local r = f(x):double():totable()
         local exact = torch[name](x:double()):totable()
         local places = x:double():totable()
         for i = 1, #r do
            local off = units(r[i], exact[i])
            if off > bound then
               error(('%s(%.9g) is %.9g instead of %.9g: %g units'):format(name, places[i], r[i],
                  exact[i], off))
            end
         end
      end)
   end

   it('keeps the sign of 0', function()
      local x = torch.FloatTensor { 0, -0 }
      for _, name in ipairs { 'expm1', 'log1p', 'tanh' } do
         local y = torch.fuse(('y = 1 / %s(x)'):format(name))(x)
         assert.same({ math.huge, -math.huge }, y:totable(), name)
      end
   end)
end)
