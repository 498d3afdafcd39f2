--- Kernels of recurrent cells: what comes between the products of one step.
--
-- Gates are in the order i, f, g, o (LSTM) and r, z, n (GRU); `input` and `hidden` are sums of
-- products, of the input and of the state. LSTMFused leaves the activations in `input`, which is
-- its gradient's `storage`; GRUFused leaves what its gradient needs in a `storage` of N x 5H.
-- @module nn.thnn.recurrent

local check = require 'nn.check'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local compute = {}

local function add_bias(t, bias)
   return bias and t:add(bias:view(1, -1):expandAs(t)) or t
end

local function check_gates(layer, t, name, gates, state)
   if t.ndim ~= 2 or state.ndim ~= 2 or t:size(1) ~= state:size(1)
      or t:size(2) ~= gates * state:size(2) then
      check.fail(layer, '%s is %s, expected N x %d H, with states of N x H; they are %s', name,
         check.describe(t), gates, check.describe(state))
   end
end

function compute.LSTMFused_updateOutput(layer, a)
   check_gates(layer, a.input, 'input', 4, a.cell)
   check.count(layer, a.hidden, a.input, 'hidden')
   local gates = add_bias(add_bias(a.input:add(a.hidden), a.bias1), a.bias2)
   ops.lstm_cell(layer, a.output, a.outputCell, gates, a.cell, nil, 0)
end

function compute.LSTMFused_updateGradInput(layer, a)
   check_gates(layer, a.storage, 'storage', 4, a.cx)
   a.gradInputCx:resizeAs(a.cx):copy(a.gradOutputCell)
   ops.lstm_cell_backward(layer, a.gradInGates, a.gradInputCx, a.gradOutput, nil, a.storage, a.cy,
      a.cx, nil, 0)
end

function compute.GRUFused_updateOutput(layer, a)
   check_gates(layer, a.input, 'input', 3, a.hx)
   check.count(layer, a.hidden, a.input, 'hidden')
   local N, H = a.hx:size(1), a.hx:size(2)
   a.storage:resize(N, 5 * H)
   local gates = add_bias(a.input:clone(), a.bias1)
   local hidden = add_bias(a.hidden:clone(), a.bias2)
   ops.gru_cell(layer, a.output, gates, hidden, a.hx, nil, 0)
   a.storage:narrow(2, 1, 3 * H):copy(gates)
   a.storage:narrow(2, 3 * H + 1, H):copy(a.hx)
   a.storage:narrow(2, 4 * H + 1, H):copy(hidden:narrow(2, 2 * H + 1, H))
end

function compute.GRUFused_updateGradInput(layer, a)
   check_gates(layer, a.storage, 'storage', 5, a.gradOutput)
   local H = a.gradOutput:size(2)
   local gates = a.storage:narrow(2, 1, 3 * H):contiguous()
   local h0 = a.storage:narrow(2, 3 * H + 1, H):contiguous()
   local hidden = th.like(gates):resizeAs(gates):zero() -- the parts of r and z are not needed
   hidden:narrow(2, 2 * H + 1, H):copy(a.storage:narrow(2, 4 * H + 1, H))
   ops.gru_cell_backward(layer, a.gradInInput, a.gradInHidden, a.gradInputHx, a.gradOutput, nil,
      gates, hidden, h0, nil, 0)
end

return require('nn.thnn.rows').chapter([[
   LSTMFused_updateOutput(input, hidden, bias1?, bias2?, cell, output, outputCell) : LSTM
   LSTMFused_updateGradInput(storage, gradInGates, cx, cy, gradOutput, gradOutputCell, gradInputCx)
      : LSTM
   GRUFused_updateOutput(input, hidden, bias1?, bias2?, hx, output, storage) : GRU
   GRUFused_updateGradInput(gradInInput, gradInHidden, gradOutput, gradInputHx, storage) : GRU
]], { compute = compute })
