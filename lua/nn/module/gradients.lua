-- nn.Module: gradients by inputs whose memory is shared.

local nn = require 'nn'

local Module = nn.Module

--- Let the gradients by inputs inside this net share memory: `backward` gives that of each back as
-- soon as the module before has used it, and the next one takes it.
--
-- A training step then needs memory for its outputs and two or three gradients instead of all: half
-- of it for a ResNet. The gradients of the parameters and the net's own `gradInput` are what they
-- are without. The `gradInput` of modules inside containers is empty after `backward`, which is why
-- nobody gets it unasked but from a train.Trainer, while it trains, and from nn.Residual,
-- nn.FeedForward and nn.MultiHeadAttention, which share theirs unless they are told `false`;
-- `updateGradInput` keeps all of them, for `accGradParameters` to use.
--
-- Said of the containers that are there: what is added later is told by another call. An
-- nn.gModule keeps the gradients between its nodes, which go to several; containers in its nodes
-- share.
-- @bool[opt=true] on
-- @return self
-- @example
-- local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Tanh()):add(nn.Linear(2, 1))
-- net:shareGradInput()
-- net:forward(torch.ones(5, 3))
-- #net:backward(torch.ones(5, 3), torch.ones(5, 1)) --> { 5, 3 }
-- net:get(3).gradInput:nElement() --> 0
function Module:shareGradInput(on)
   on = on ~= false
   self:apply(function(module)
      if module.modules then
         module.sharesGradInput = on
      end
   end)
   return self
end
