-- Every row of the table of derivatives, against differences (test/support/walks/derivatives.lua).
-- A row of lib/TH/ops without a derivative, and without a reason why there is none, fails by name.
-- `TH_COUNTS=1 busted ...` prints how much was tried.
local ffi = require 'ffi'
local torch = require 'torch'
local C = require('torch.ffi').C
local calls = require 'torch.gen.calls'
local signatures = require 'torch.signatures'
local derivatives = require 'test.support.walks.derivatives'

local rows = {}
for i, name in ipairs(signatures.names()) do
   rows[name] = C.TH_derivative(i - 1)
end

-- LAPACK's operations are the CPU's alone.
local ON_CPU = {
   gesv = true, trtrs = true, symeig = true, inverse = true, potrf = true, potrs = true,
   potri = true, svd = true, qr = true, eig = true, gels = true,
}

-- `busted --run=cuda` walks on CUDA types.
local cuda = torch.DoubleTensor(1).device_type ~= C.TH_CPU

describe('the derivative of', function()
   local counts = { ways = 0, none = 0 }

   for _, call in ipairs(calls) do
      local row = rows[call.name]
      if row.kind == C.TH_DERIVATIVE_KNOWN and not (cuda and ON_CPU[call.name]) then
         it(call.name .. ' agrees with differences', function()
            local faults, tried = derivatives.walk(call, row)
            assert.same({}, faults)
            assert.is_true(tried > 0, 'no arguments gave numbers')
            counts.ways = counts.ways + tried
         end)
      elseif row.kind ~= C.TH_DERIVATIVE_KNOWN then
         it(call.name .. ' is missing for a reason', function()
            assert.is_true(row.kind ~= C.TH_DERIVATIVE_UNKNOWN,
               'add a row to lib/TH/core/gradient/rules')
            assert.is_true(#ffi.string(row.text) >= 5)
            counts.none = counts.none + 1
         end)
      end
   end

   it('was tried', function()
      assert.equal(#calls, counts.none + (function()
         local n = 0
         for _, call in ipairs(calls) do
            n = n + (rows[call.name].kind == C.TH_DERIVATIVE_KNOWN and 1 or 0)
         end
         return n
      end)())
      if os.getenv 'TH_COUNTS' then
         print(('\nDerivatives and second ones: %d ways, %d rows without'):format(counts.ways,
            counts.none))
      end
   end)
end)

describe('the derivative of the view', function()
   local x
   before_each(function()
      torch.manualSeed(5)
      x = torch.randn(3, 4):requiresGrad()
   end)

   for name, f in pairs {
      narrow = function(t) return t:narrow(2, 2, 3) end,
      select = function(t) return t:select(1, 2) end,
      transpose = function(t) return t:t() end,
      permute = function(t) return t:view(3, 2, 2):permute(3, 1, 2) end,
      unfold = function(t) return t:unfold(2, 3, 1) end,
      expand = function(t) return t:view(3, 1, 4):expand(3, 5, 4) end,
      view = function(t) return t:view(2, 6) end,
      squeeze = function(t) return t:view(3, 1, 4):squeeze() end,
      unsqueeze = function(t) return t:unsqueeze(2) end,
      alias = function(t) return torch.Tensor(t) end,
      copy = function(t) return t:clone() end,
      ['x[i]'] = function(t) return t[2] end,
      ['x[{i, j}]'] = function(t) return t[{ 2, 3 }] end,
      ['x[{...}]'] = function(t) return t[{ { 1, 2 }, { 2, 4 } }] end,
      ['x[mask]'] = function(t) return t[t:gt(0)] end,
   } do
      it(name .. ' agrees with differences, twice', function()
         local function g(t) return torch.cmul(f(t), f(t)) end
         assert.is_true(torch.gradcheck(g, x))
         assert.is_true(torch.gradgradcheck(g, x))
      end)
   end
end)
