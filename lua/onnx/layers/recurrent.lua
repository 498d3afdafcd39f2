-- Recurrent layers. Gates lie in another order in the file: i, o, f, c and z, r, h.
local torch = require 'torch'
local L = require('onnx.export.walk').layers

local ORDER = { LSTM = { 1, 4, 2, 3 }, GRU = { 2, 1, 3 }, RNN = { 1 } }

local function reordered(part, order)
   local rows = part:size(1) / #order
   local parts = {}
   for i, gate in ipairs(order) do
      parts[i] = part:narrow(1, (gate - 1) * rows + 1, rows)
   end
   return torch.cat(parts, 1)
end

-- W, R and B of both directions of a layer.
local function weights(m, layer, order)
   local list = { {}, {}, {} }
   for direction = 1, m.bidirectional and 2 or 1 do
      local parts = m:parts(layer, direction == 2)
      for i = 1, 2 do
         local w = reordered(parts[i], order)
         list[i][direction] = w:view(1, w:size(1), w:size(2))
      end
      local bias = parts[3] and torch.cat(reordered(parts[3], order), reordered(parts[4], order), 1)
      list[3][direction] = bias and bias:view(1, -1)
   end
   return torch.cat(list[1], 1), torch.cat(list[2], 1), list[3][1] and torch.cat(list[3],
      1) or false
end

-- @return the name of the outputs; that of the last cells of the one layer, if they are wanted
local function writer(kind, cells)
   return function(g, m, input)
      local last
      local x = input.name and input or input[1]
      if not input.name and input.lengths then
         g:refuse('lengths of sequences are not exported')
      elseif m.remembering then
         g:refuse('it remembers its states from call to call: call remember(false)')
      end
      local dims, directions = x.tensor:dim(), m.bidirectional and 2 or 1
      local y = x
      if dims == 2 then
         y = g:unsqueeze(x, 1)
      elseif m.batchFirst then
         y = g:transpose(x, 1, 0, 2)
      end
      local attributes = { hidden_size = m.hiddenSize,
         direction = directions == 2 and 'bidirectional' or 'forward' }
      if kind == 'GRU' then
         attributes.linear_before_reset = 1
      elseif kind == 'RNN' then
         local f = m.relu and 'Relu' or 'Tanh'
         attributes.activations = directions == 2 and { f, f } or { f }
      end
      for layer = 1, m.numLayers do
         local W, R, B = weights(m, layer, ORDER[kind])
         local operands = { y, W, R, B, false }
         for i = 1, not input.name and m.states or 0 do
            operands[5 + i] = input[1 + i] and g:slice(input[1 + i], 0, (layer - 1) * directions,
               layer * directions)
         end
         local _ -- y is T x directions x N x hidden
         y, _, last = g:op(kind, operands, attributes, cells and 3 or 1)
         if directions == 1 then
            y = g:squeeze(y, 1)
         else
            y = g:op('Reshape', { g:transpose(y, 0, 2, 1, 3),
               g:integers { 0, 0, 2 * m.hiddenSize } })
         end
      end
      if dims == 2 then
         y = g:squeeze(y, 1)
      elseif m.batchFirst then
         y = g:transpose(y, 1, 0, 2)
      end
      return y, last
   end
end

for kind in pairs(ORDER) do
   L['nn.' .. kind] = writer(kind)
end

local with_cells = writer('LSTM', true)

L['onnx.WithCells'] = function(g, m, input)
   return { with_cells(g, m.modules[1], input) }
end
