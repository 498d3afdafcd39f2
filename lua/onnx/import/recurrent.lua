-- LSTM, GRU and RNN: the layer of nn, and what makes the operator's outputs of the layer's.
local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local M = require 'onnx.import.layers'

-- Where our gate i is among those of the file, which has i, o, f, c and z, r, h.
local ORDER = { LSTM = { 1, 3, 4, 2 }, GRU = { 2, 1, 3 }, RNN = { 1 } }
local ACTIVATIONS = { LSTM = { 'Sigmoid', 'Tanh', 'Tanh' }, GRU = { 'Sigmoid', 'Tanh' },
   RNN = { 'Tanh' } }

local function reordered(part, order)
   local rows, parts = part:size(1) / #order, {}
   for i, gate in ipairs(order) do
      parts[i] = part:narrow(1, (gate - 1) * rows + 1, rows)
   end
   return torch.cat(parts, 1)
end

local function check_activations(n, kind, directions)
   local given, wanted = n.a.activations or {}, ACTIVATIONS[kind]
   local relu = kind == 'RNN' and given[1] == 'Relu'
   for i, name in ipairs(given) do
      if name ~= (relu and 'Relu' or wanted[(i - 1) % #wanted + 1]) then
         n:fail("the activation '%s' is not read", name)
      end
   end
   if #given ~= 0 and #given ~= #wanted * directions then
      n:fail('%d activations for %d directions', #given, directions)
   end
   return relu
end

local function zeros(constant)
   return constant and constant:eq(0):all()
end

-- Which of the operands 6 and 7, the states at the beginning, come from the graph.
local function states(n)
   local list = { 1 }
   for i = 6, 7 do
      if n:has(i) and not zeros(n:constant(i)) then
         if n:isConstant(i) then
            n:fail 'states at the beginning are constants other than 0'
         end
         list[#list + 1] = i
      end
   end
   return list
end

local function check_options(n, kind)
   if n.a.direction == 'reverse' or n.a.layout == 1 or n.a.clip or n.a.input_forget == 1 then
      n:fail 'direction reverse, layout 1, clip and input_forget are not read'
   elseif n:has(5) then
      n:fail 'lengths of sequences are not read'
   elseif n:has(8) and not zeros(n:constant(8)) then
      n:fail 'peepholes are not read'
   elseif kind == 'GRU' and n.a.linear_before_reset ~= 1 then
      n:fail 'of GRU that with linear_before_reset = 1 is read'
   end
end

-- The layer's weights in its vectors.
local function fill(layer, kind, W, R, B)
   local rows = layer.gates * layer.hiddenSize
   for direction = 1, layer.bidirectional and 2 or 1 do
      local parts = layer:parts(1, direction == 2)
      parts[1]:copy(reordered(W[direction], ORDER[kind]))
      parts[2]:copy(reordered(R[direction], ORDER[kind]))
      for i = 1, B and 2 or 0 do
         parts[2 + i]:copy(reordered(B[direction]:narrow(1, (i - 1) * rows + 1, rows), ORDER[kind]))
      end
   end
   return layer
end

-- What the operator gives: Y and, where they are wanted, the last states Y_h and Y_c.
local function with_outputs(n, layer, directions)
   local net = nn.Sequential() -- of T x N x directions * hidden
   net:add(onnx.Operator('Reshape', { ranks = { 3 } }, { 1, { kind = 'long', sizes = { 4 },
      values = { 0, 0, directions, layer.hiddenSize } } }))
   net:add(nn.Transpose { 2, 3 })
   local cells = n.outputs > 2 and n:wanted(3)
   if cells or n.outputs > 1 and n:wanted(2) then
      local last = nn.Select(1, -1)
      if directions == 2 then -- the other direction ends at the first
         last = nn.Concat(1):add(nn.Sequential():add(nn.Select(1, -1)):add(nn.Narrow(1, 1, 1)))
            :add(nn.Sequential():add(nn.Select(1, 1)):add(nn.Narrow(1, 2, 1)))
      end
      net:add(nn.ConcatTable():add(nn.Identity()):add(last))
   elseif n.outputs > 1 then
      net:add(nn.ConcatTable():add(nn.Identity()))
   end
   if not cells then
      return nn.Sequential():add(layer):add(net)
   end
   return nn.Sequential():add(onnx.WithCells(layer))
      :add(nn.ParallelTable():add(net):add(nn.Identity())):add(nn.FlattenTable())
end

local function recurrent(kind)
   return function(n)
      local W, R, B = n:constant(2), n:constant(3), n:constant(4)
      if not W or not R or n:has(4) and not B then
         n:fail 'weights that are no constants are not read'
      end
      local directions = W:size(1)
      if W:dim() ~= 3 or R:dim() ~= 3 or directions > 2 or R:size(1) ~= directions
         or (n.a.direction == 'bidirectional') ~= (directions == 2) then
         n:fail 'weights are not of the directions that there are'
      end
      check_options(n, kind)
      local relu = check_activations(n, kind, directions)
      local hidden, gates = R:size(3), nn[kind].gates
      if W:size(2) ~= gates * hidden or R:size(2) ~= gates * hidden
         or B and (B:dim() ~= 2 or B:size(1) ~= directions or B:size(2) ~= 2 * gates * hidden) then
         n:fail 'weights do not fit each other'
      end
      local inputs = states(n)
      if #inputs > 1 and #inputs ~= 1 + nn[kind].states then
         n:fail 'one state at the beginning is given, one is not'
      end
      local layer = nn[kind](W:size(3), hidden, 1, B ~= nil, false, 0, directions == 2, relu)
      fill(layer, kind, W, R, B)
      return with_outputs(n, layer, directions), inputs
   end
end

for kind in pairs(ORDER) do
   M[kind] = recurrent(kind)
end
