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

-- Whether a layer has these activations, and whether that is an RNN's Relu.
local function known_activations(n, kind, directions)
   local given, wanted = n.a.activations or {}, ACTIVATIONS[kind]
   local relu = kind == 'RNN' and given[1] == 'Relu'
   for i, name in ipairs(given) do
      if name ~= (relu and 'Relu' or wanted[(i - 1) % #wanted + 1]) then
         return false
      end
   end
   return #given == 0 or #given == #wanted * directions, relu
end

local function zeros(constant)
   return constant and constant:eq(0):all()
end

-- Which of the operands 6 and 7, the states at the beginning, come from the graph; nil where one is
-- a constant other than 0, or one is given and one is not.
local function states(n, kind)
   local list = { 1 }
   for i = 6, 7 do
      if n:has(i) and not zeros(n:constant(i)) then
         if n:isConstant(i) then
            return nil
         end
         list[#list + 1] = i
      end
   end
   return (#list == 1 or #list == 1 + nn[kind].states) and list or nil
end

-- Whether a layer has what a node's attributes and operands ask for.
local function has_options(n, kind)
   return n.a.direction ~= 'reverse' and n.a.layout ~= 1 and not n.a.clip
      and n.a.input_forget ~= 1 and not n:has(5) and (not n:has(8) or zeros(n:constant(8)))
      and (kind ~= 'GRU' or n.a.linear_before_reset == 1)
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
   net:add(onnx.Operator('Reshape', { ranks = { 3 } }, { 1,
      { constant = torch.LongTensor { 0, 0, directions, layer.hiddenSize } } }))
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

-- The layer, or nil for what onnx.operators computes step by step.
local function recurrent(kind)
   return function(n)
      local W, R, B = n:constant(2), n:constant(3), n:constant(4)
      if not W or not R or n:has(4) and not B then
         return nil
      end
      local directions = W:size(1)
      if W:dim() ~= 3 or R:dim() ~= 3 or directions > 2 or R:size(1) ~= directions
         or (n.a.direction == 'bidirectional') ~= (directions == 2) then
         n:fail 'weights are not of the directions that there are'
      end
      local hidden, gates = R:size(3), nn[kind].gates
      if W:size(2) ~= gates * hidden or R:size(2) ~= gates * hidden
         or B and (B:dim() ~= 2 or B:size(1) ~= directions or B:size(2) ~= 2 * gates * hidden) then
         n:fail 'weights do not fit each other'
      end
      local known, relu = known_activations(n, kind, directions)
      local inputs = known and has_options(n, kind) and states(n, kind)
      if not inputs then
         return nil
      end
      local layer = nn[kind](W:size(3), hidden, 1, B ~= nil, false, 0, directions == 2, relu)
      for _, own in ipairs { W, R, B } do
         n.constants:copy(own)
      end
      fill(layer, kind, W, R, B)
      return with_outputs(n, layer, directions), inputs
   end
end

for kind in pairs(ORDER) do
   M[kind] = recurrent(kind)
end
