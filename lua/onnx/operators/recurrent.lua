-- LSTM, GRU and RNN step by step, for what no layer of nn does: lengths of sequences, the other
-- direction alone, peepholes, other activations, weights that are computed.
local torch = require 'torch'
local pointwise = require 'onnx.operators.pointwise'
local tools = require 'onnx.operators.tools'

local sizes_of, view = tools.sizes, tools.view
local M = {}

-- --- activations ---------------------------------------------------------------------------------

-- Their alpha and beta where a file gives none; false: it has none.
local DEFAULTS = {
   Sigmoid = { false, false }, Tanh = { false, false }, Relu = { false, false },
   Softsign = { false, false }, Softplus = { false, false }, Elu = { 1, false },
   LeakyRelu = { 0.01, false }, ThresholdedRelu = { 1, false }, Affine = { 1, 0 },
   ScaledTanh = { 1, 1 }, HardSigmoid = { 0.2, 0.5 },
}
local NAMES = {} -- which files write in any case
for name in pairs(DEFAULTS) do
   NAMES[name:lower()] = name
end
local OWN = {
   Affine = function(c, x)
      return x * c.alpha + c.beta
   end,
   ScaledTanh = function(c, x)
      return torch.tanh(x * c.beta) * c.alpha
   end,
}

-- A list of functions; alpha and beta go in turn to those that have one. Clipped is what comes into
-- gates, not an LSTM's cell (each third), as in onnxruntime.
local function activations(c, names, kind)
   local list, next_alpha, next_beta = {}, 1, 1
   for i, given in ipairs(c.activations or names) do
      local name = NAMES[given:lower()]
         or error(("the activation '%s' is not read"):format(given), 0)
      local defaults = DEFAULTS[name]
      local f, own = OWN[name] or pointwise[name], {}
      own.alpha, own.beta = defaults[1] or nil, defaults[2] or nil
      if own.alpha then
         own.alpha = (c.activation_alpha or {})[next_alpha] or own.alpha
         next_alpha = next_alpha + 1
      end
      if own.beta then
         own.beta = (c.activation_beta or {})[next_beta] or own.beta
         next_beta = next_beta + 1
      end
      local clip = not (kind == 'LSTM' and i % 3 == 0) and c.clip
      list[i] = function(x)
         return f(own, clip and torch.clamp(x, -clip, clip) or x)
      end
   end
   return list
end

-- --- one step ------------------------------------------------------------------------------------

local function gate(x, k, H)
   return x:narrow(2, (k - 1) * H + 1, H)
end

local function peep(p, x)
   return p and torch.cmul(x, tools.expand(view(p, { 1, p:nElement() }), sizes_of(x))) or 0
end

-- x: what the input adds to all gates, of N x gates H; w: the direction's weights; f: activations.
-- Each gives the new h and, of an LSTM, c.
local STEPS = {}

function STEPS.RNN(x, w, f, h)
   return f[1](x + torch.mm(h, w.R) + w.Rb)
end

function STEPS.GRU(x, w, f, h, _, c)
   local H = h:size(2)
   local from_h = torch.mm(h, w.R) + w.Rb
   local z = f[1](gate(x, 1, H) + gate(from_h, 1, H))
   local r = f[1](gate(x, 2, H) + gate(from_h, 2, H))
   local new
   if c.linear_before_reset == 1 then
      new = torch.cmul(r, gate(from_h, 3, H))
   else
      new = torch.mm(torch.cmul(r, h), gate(w.R, 3, H)) + gate(w.Rb, 3, H)
   end
   new = f[2](gate(x, 3, H) + new)
   return new + torch.cmul(z, h - new)
end

--- Source: Gers, Schraudolph and Schmidhuber, JMLR 3 (2002), for peepholes.
function STEPS.LSTM(x, w, f, h, cell, c)
   local H = h:size(2)
   local all = x + torch.mm(h, w.R) + w.Rb
   local i = f[1](gate(all, 1, H) + peep(w.P[1], cell))
   local forget = c.input_forget == 1 and 1 - i or f[1](gate(all, 3, H) + peep(w.P[3], cell))
   local new = torch.cmul(forget, cell) + torch.cmul(i, f[2](gate(all, 4, H)))
   local o = f[1](gate(all, 2, H) + peep(w.P[2], new))
   return torch.cmul(o, f[3](new)), new
end

-- --- sequences -----------------------------------------------------------------------------------

local function spread(row, N)
   return tools.expand(view(row, { 1, row:nElement() }), { N, row:nElement() })
end

-- A direction's weights as the steps want them.
local function weights_of(d, W, R, B, P, N)
   local w = { W = W:select(1, d):t(), R = R:select(1, d):t(), P = {} }
   local G, H = R:size(2), R:size(3)
   local none = W.new():resize(N, G):zero()
   w.Wb = B and spread(B:select(1, d):narrow(1, 1, G), N) or none
   w.Rb = B and spread(B:select(1, d):narrow(1, G + 1, G), N) or none
   for k = 1, P and 3 or 0 do
      w.P[k] = P:select(1, d):narrow(1, (k - 1) * H + 1, H)
   end
   return w
end

-- For each step which of the samples are still in their sequence; nil where all are.
local function running(lengths, T, N, H, like)
   local list, masks = tools.list(lengths), {}
   if #list ~= N then
      error(('%d lengths for %d sequences'):format(#list, N), 0)
   end
   local class = tools.beside('torch.ByteTensor', like)
   for t = 1, T do
      local on, all = {}, true
      for n = 1, N do
         on[n] = t <= list[n] and 1 or 0
         all = all and on[n] == 1
      end
      masks[t] = not all and tools.expand(torch.ByteTensor(on):view(N, 1), { N, H }):type(class)
         or nil
   end
   masks.any = masks[1] -- what has no step ends in 0, whatever it began with
   return masks
end

-- One direction: the h of all steps, the last h and the last cell.
local function run(kind, c, x, w, f, h, cell, masks, backwards)
   local T, N, I = unpack(sizes_of(x))
   local G = w.R:size(2)
   local inputs = view(torch.mm(view(x, { T * N, I }), w.W), { T, N, G })
   local zero, ys = h:detach():clone():zero(), {}
   for k = 1, T do
      local t = backwards and T - k + 1 or k
      local new, new_cell = STEPS[kind](inputs:select(1, t) + w.Wb, w, f, h, cell, c)
      local mask = masks[t]
      ys[t] = mask and torch.where(mask, new, zero) or new
      h = mask and torch.where(mask, new, h) or new
      cell = mask and new_cell and torch.where(mask, new_cell, cell) or new_cell
   end
   if masks.any then
      h, cell = torch.where(masks.any, h, zero), cell and torch.where(masks.any, cell, zero)
   end
   return ys, h, cell
end

local function stacked(list, sizes)
   for i, x in ipairs(list) do
      list[i] = view(x, sizes)
   end
   return #list > 1 and torch.cat(list, 1) or list[1]
end

-- The state at the beginning of a direction.
local function state(given, d, x, N, H, layout)
   if not given then
      return x.new():resize(N, H):zero()
   end
   return given:select(layout == 1 and 2 or 1, d):contiguous()
end

-- In the order of operands: W is D x gates H x I, R D x gates H x H, B D x 2 gates H, P D x 3 H.
local function recurrent(kind, gates, names)
   return function(c, x, W, R, B, lengths, h0, c0, P)
      x = c.layout == 1 and x:transpose(1, 2):contiguous() or x
      local T, N = x:size(1), x:size(2)
      local D, H = R:size(1), R:size(3)
      if R:size(2) ~= gates * H or W:size(2) ~= gates * H or W:size(1) ~= D or D > 2
         or (c.direction == 'bidirectional') ~= (D == 2) then
         error('weights are not of the directions or the sizes that there are', 0)
      end
      tools.spend(T * N * D * H * gates * 4)
      local all, per = activations(c, names, kind), #names
      if #all ~= per * D and (c.activations or #all ~= per) then
         error(('%d activations for %d directions'):format(#all, D), 0)
      end
      local masks = lengths and running(lengths, T, N, H, x) or {}
      local ys, hs, cells = {}, {}, {}
      for d = 1, D do
         local f = c.activations and { unpack(all, (d - 1) * per + 1, d * per) } or all
         local backwards = d == 2 or c.direction == 'reverse'
         local y
         y, hs[d], cells[d] = run(kind, c, x, weights_of(d, W, R, B, P, N), f,
            state(h0, d, x, N, H, c.layout), kind == 'LSTM' and state(c0, d, x, N, H, c.layout),
            masks, backwards)
         ys[d] = stacked(y, { 1, 1, N, H })
      end
      local y = D == 2 and torch.cat(ys[1], ys[2], 2) or ys[1] -- T x D x N x H
      local h, last = stacked(hs, { 1, N, H }), kind == 'LSTM' and stacked(cells, { 1, N, H })
      if c.layout == 1 then
         y = y:permute(3, 1, 2, 4):contiguous()
         h = h:transpose(1, 2):contiguous()
         last = last and last:transpose(1, 2):contiguous()
      end
      return c.outputs == 1 and y or { y, h, last or nil }
   end
end

M.LSTM = recurrent('LSTM', 4, { 'Sigmoid', 'Tanh', 'Tanh' })
M.RNN = recurrent('RNN', 1, { 'Tanh' })

local gru = recurrent('GRU', 3, { 'Sigmoid', 'Tanh' })
function M.GRU(c, x, W, R, B, lengths, h0)
   return gru(c, x, W, R, B, lengths, h0)
end

return M
