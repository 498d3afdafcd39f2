-- States that Torch7's optimisers left, with its fields: the next steps are the original's.
local torch = require 'torch'
local optim = require 'optim'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'
local objectives = dofile 'test/optim/objectives.lua'

local T = torch.Tensor

-- After one call with maxIter = 3, learningRate = 0.5, nCorrection = 2, from (-1.2, 1).
local function lbfgs_state()
   return {
      nIter = 3, funcEval = 3, t = 0.5, Hdiag = 0.0013886733883974071, f_old = 11.011191599950664,
      g_old = T { 95.359935658671816, 54.198658962360781 },
      d = T { -0.14440839535105768, -0.060567586256940753 },
      old_dirs = {
         T { 0.35507246376811596, 0.14492753623188406 },
         T { -0.07013251939429356, -0.036599336017496882 },
      },
      old_stps = {
         T { 357.58409967459033, 174.20499894980045 },
         T { -46.624164015918552, -32.006339987439688 },
      },
      ro = T { 0.0065696388569431111, 0.22516026958189925 },
      al = T { -0.0021994007213252515, 1.9524699527839107 },
      tmp1 = T { -3.5411856171632792, 8.6759047620500347 },
      dir_bufs = { T { 0, 0 } }, stp_bufs = { T { 0, 0 } },
   }
end

describe('a state of Torch7\'s', function()
   it('lbfgs goes on', function()
      local x = T { -0.98726425330170642, 1.0780444070859168 }
      local config = { maxIter = 3, learningRate = 0.5, nCorrection = 2 }
      local state = lbfgs_state()
      optim.lbfgs(objectives.rosenbrock, x, config, state)
      numbers.equal({ -1.0218616419684197, 1.061755111061051 }, x, 1e-12)
      assert.is_nil(state.old_dirs)
      assert.equal(6, state.nIter)
   end)

   it('rprop goes on', function()
      local function ones() return torch.ByteTensor { 1, 1 } end
      local function zeros() return torch.ByteTensor { 0, 0 } end
      local x = T { -1.25, 0.95 }
      local state = {
         delta = T { 128.15, 69.5 }, stepsize = T { 0.3, 0.3 }, sign = T { 1, 1 },
         psign = ones(), nsign = zeros(), zsign = zeros(), dminmax = zeros(),
      }
      for _ = 1, 3 do
         optim.rprop(objectives.rosenbrock, x, { stepsize = 0.5 }, state)
      end
      numbers.equal({ -0.92, 1.28 }, x, 1e-12)
   end)

   it('lbfgs without its memory is refused', function()
      local state = lbfgs_state()
      state.old_dirs = nil
      raises('lbfgs: its state has no memory of the steps it counts', optim.lbfgs,
         objectives.rosenbrock, T { -1, 1 }, {}, state)
   end)
end)
