-- Kernels that no layer computes in the same way: what each must give, by a computation of its own.
-- Name -> function(kernel, typename), which raises.
local assert = require 'luassert'
local torch = require 'torch'
local nn = require 'nn'

local STEP = 1e-5

local own = {}

local function random(typename, ...)
   return torch.Tensor(...):uniform(-1, 1):type(typename)
end

local function close(expected, x, what, tolerance)
   assert.same(expected:size():totable(), x:size():totable(), what)
   local difference = (expected:double() - x:double()):abs():max()
   tolerance = tolerance or torch.typename(x) == 'torch.DoubleTensor' and 1e-12 or 1e-5
   assert.is_true(difference <= tolerance, ('%s differs by %g'):format(what, difference))
end

-- d loss()/dx by central differences, in doubles.
local function slope(x, loss)
   local gradient, all = x:clone(), x:view(-1)
   local g = gradient:view(-1)
   for i = 1, all:nElement() do
      local was = all[i]
      all[i] = was + STEP
      local high = loss()
      all[i] = was - STEP
      g[i] = (high - loss()) / (2 * STEP)
      all[i] = was
   end
   return gradient
end

local function is_double(typename)
   return typename == 'torch.DoubleTensor'
end

local function kernel_of(name, typename)
   return torch.getmetatable(typename).THNN[name]
end

local function sigmoid(x)
   return torch.sigmoid(x)
end

-- --- recurrent cells ----------------------------------------------------------------------------

local N, H = 3, 4

local function part(x, i)
   return x:narrow(2, (i - 1) * H + 1, H)
end

local function row(bias)
   return bias:view(1, -1):expand(N, bias:nElement())
end

local function lstm(input, hidden, b1, b2, cell)
   local sums = input + hidden + row(b1) + row(b2)
   local c = torch.cmul(sigmoid(part(sums, 2)), cell)
      + torch.cmul(sigmoid(part(sums, 1)), torch.tanh(part(sums, 3)))
   return torch.cmul(sigmoid(part(sums, 4)), torch.tanh(c)), c
end

local function gru(input, hidden, b1, b2, h)
   local i, g = input + row(b1), hidden + row(b2)
   local r, z = sigmoid(part(i, 1) + part(g, 1)), sigmoid(part(i, 2) + part(g, 2))
   local n = torch.tanh(part(i, 3) + torch.cmul(r, part(g, 3)))
   return n + torch.cmul(z, h - n)
end

local function cell_operands(typename, gates)
   return random(typename, N, gates * H), random(typename, N, gates * H),
      random(typename, gates * H), random(typename, gates * H), random(typename, N, H)
end

function own.LSTMFused_updateOutput(kernel, typename)
   local input, hidden, b1, b2, cell = cell_operands(typename, 4)
   local h, c = lstm(input, hidden, b1, b2, cell)
   local y, yc = input.new(), input.new()
   kernel(input:clone(), hidden, b1, b2, cell, y, yc)
   close(h, y, 'output')
   close(c, yc, 'outputCell')
   kernel(input:clone(), hidden, nil, nil, cell, y, yc)
   close(lstm(input, hidden, b1:clone():zero(), b2:clone():zero(), cell), y, 'without biases')
end

function own.LSTMFused_updateGradInput(kernel, typename)
   local input, hidden, b1, b2, cell = cell_operands(typename, 4)
   local y, c, storage = input.new(), input.new(), input:clone()
   kernel_of('LSTMFused_updateOutput', typename)(storage, hidden, b1, b2, cell, y, c)
   local g, gc = random(typename, N, H), random(typename, N, H)
   local gates, gcell = input.new(), input.new()
   kernel(storage, gates, cell, c, g, gc, gcell)
   if is_double(typename) then
      local function loss()
         local h, cy = lstm(input, hidden, b1, b2, cell)
         return h:dot(g) + cy:dot(gc)
      end
      close(slope(input, loss), gates, 'gradInGates', 1e-8)
      close(slope(cell, loss), gcell, 'gradInputCx', 1e-8)
   end
end

function own.GRUFused_updateOutput(kernel, typename)
   local input, hidden, b1, b2, h = cell_operands(typename, 3)
   local y, storage = input.new(), input.new()
   kernel(input, hidden, b1, b2, h, y, storage)
   close(gru(input, hidden, b1, b2, h), y, 'output')
   assert.same({ N, 5 * H }, storage:size():totable())
   kernel(input, hidden, nil, nil, h, y, storage)
   close(gru(input, hidden, b1:zero(), b2:zero(), h), y, 'without biases')
end

function own.GRUFused_updateGradInput(kernel, typename)
   local input, hidden, b1, b2, h = cell_operands(typename, 3)
   local y, storage = input.new(), input.new()
   kernel_of('GRUFused_updateOutput', typename)(input, hidden, b1, b2, h, y, storage)
   local g, gi, gh, gx = random(typename, N, H), input.new(), input.new(), input.new()
   kernel(gi, gh, g, gx, storage)
   if is_double(typename) then
      local function loss()
         return gru(input, hidden, b1, b2, h):dot(g)
      end
      close(slope(input, loss), gi, 'gradInInput', 1e-8)
      close(slope(hidden, loss), gh, 'gradInHidden', 1e-8)
      close(slope(h, loss), gx, 'gradInputHx', 1e-8)
   end
end

-- --- lookup tables ------------------------------------------------------------------------------

function own.LookupTable_renorm(kernel, typename)
   local weight = random(typename, 5, 3):mul(3)
   local expected = weight:clone()
   for _, i in ipairs { 2, 4 } do
      expected[i]:mul(math.min(1, 1.5 / expected[i]:norm(2)))
   end
   kernel(torch.LongTensor { 4, 2, 4 }:cdata(), weight:cdata(), 1.5, 2)
   close(expected, weight, 'weight', 1e-5)
end

-- Bags { 3, 1 }, { 3, 3, 2 }, { 5 }.
local WORDS, OFFSETS = { 3, 1, 3, 3, 2, 5 }, { 1, 3, 6 }

local function bags(mode)
   local first, last, r = { 1, 3, 6 }, { 2, 5, 6 }, {}
   for b = 1, 3 do
      for k = first[b], last[b] do
         r[#r + 1] = { b, WORDS[k], mode == 1 and 1 / (last[b] - first[b] + 1) or 1 }
      end
   end
   return r
end

local function words()
   return torch.LongTensor(WORDS), torch.LongTensor(OFFSETS)
end

function own.LookupTableBag_updateOutput(kernel, typename)
   local weight, input, offsets = random(typename, 5, 3), words()
   for mode = 0, 1 do
      local expected = weight.new(3, 3):zero()
      for _, entry in ipairs(bags(mode)) do
         expected[entry[1]]:add(entry[3], weight[entry[2]])
      end
      local y, bag, lengths = weight.new(), torch.LongTensor(), torch.LongTensor()
      kernel(input, offsets, weight, y, bag, mode, lengths)
      close(expected, y, 'output')
      assert.same({ 1, 1, 2, 2, 2, 3 }, bag:totable())
      assert.same({ 2, 3, 1 }, lengths:totable())
   end
end

function own.LookupTableBag_accGradParameters(kernel, typename)
   local input, offsets = words()
   local weight, g = random(typename, 5, 3), random(typename, 3, 3)
   for mode = 0, 1 do
      local bag, lengths = torch.LongTensor(), torch.LongTensor()
      kernel_of('LookupTableBag_updateOutput', typename)(input, offsets, weight, weight.new(), bag,
         mode, lengths)
      local gradWeight = random(typename, 5, 3)
      local expected = gradWeight:clone()
      for _, entry in ipairs(bags(mode)) do
         expected[entry[2]]:add(0.5 * entry[3], g[entry[1]])
      end
      kernel(input, g, gradWeight, bag, nil, nil, nil, false, mode, lengths, 0.5)
      close(expected, gradWeight, 'gradWeight')
   end
end

-- --- sparse inputs ------------------------------------------------------------------------------
-- Against products with the dense input.

local FEATURES, OUTPUTS = 6, 4

local function entries(typename)
   local dense = torch.Tensor(2, FEATURES):zero()
   dense[1][2], dense[1][5], dense[2][5], dense[2][6] = 0.5, -1, 2, 0.25
   local wide = torch.Tensor { { { 2, 0.5 }, { 5, -1 } }, { { 5, 2 }, { 6, 0.25 } } }
   local flat = torch.Tensor { { 1, 2, 0.5 }, { 1, 5, -1 }, { 2, 5, 2 }, { 2, 6, 0.25 } }
   return dense:type(typename), flat:type(typename), wide:type(typename)
end

local function sparse(form)
   local prefix = form == 2 and '' or 'legacy'
   local function name(method)
      return prefix == '' and method or prefix .. method:gsub('^%l', string.upper)
   end

   own['SparseLinear_' .. name 'updateOutput'] = function(kernel, typename)
      local input = { entries(typename) }
      local weight, bias = random(typename, OUTPUTS, FEATURES), random(typename, OUTPUTS)
      local y = weight.new(2, OUTPUTS)
      kernel(input[form]:cdata(), y:cdata(), weight:cdata(), bias:cdata())
      close(torch.mm(input[1], weight:t()):add(bias:view(1, -1):expand(2, OUTPUTS)), y, 'output')
   end

   own['SparseLinear_' .. name 'accGradParameters'] = function(kernel, typename)
      local input, g = { entries(typename) }, random(typename, 2, OUTPUTS)
      local weight, bias = random(typename, OUTPUTS, FEATURES), random(typename, OUTPUTS)
      local gradWeight, gradBias = weight:clone():uniform(), bias:clone():uniform()
      local expected = gradWeight:clone():addmm(0.5, g:t(), input[1]):add(0.05, weight)
      local expected_bias = gradBias:clone():add(0.5, g:sum(1):view(-1))
      kernel(input[form], g, gradWeight, gradBias, weight, bias, 0.1, 0.5)
      close(expected, gradWeight, 'gradWeight')
      close(expected_bias, gradBias, 'gradBias')
   end

   own['SparseLinear_' .. name 'zeroGradParameters'] = function(kernel, typename)
      local input = { entries(typename) }
      local gradWeight, gradBias = random(typename, OUTPUTS, FEATURES), random(typename, OUTPUTS)
      local expected = gradWeight:clone()
      for _, feature in ipairs { 2, 5, 6 } do
         expected:select(2, feature):zero()
      end
      kernel(gradWeight, gradBias, input[form])
      close(expected, gradWeight, 'gradWeight', 0)
      assert.equal(0, gradBias:abs():max())
   end

   own['SparseLinear_' .. name 'updateParameters'] = function(kernel, typename)
      local input = { entries(typename) }
      local weight, bias = random(typename, OUTPUTS, FEATURES), random(typename, OUTPUTS)
      local gradWeight, gradBias = random(typename, OUTPUTS, FEATURES), random(typename, OUTPUTS)
      local expected, expected_bias = weight:clone(), torch.add(bias, -0.1, gradBias)
      for _, feature in ipairs { 2, 5, 6 } do
         expected:select(2, feature):add(-0.1, gradWeight:select(2, feature))
      end
      kernel(weight, bias, gradWeight, gradBias, input[form], 0.1)
      close(expected, weight, 'weight')
      close(expected_bias, bias, 'bias')
   end
end
sparse(2)
sparse(3)

-- Feature 5 comes twice, in two samples.
local KEYS, SIZES = { 2, 5, 5, 6 }, { 2, 2 }

local function indexed(typename)
   local _, flat = entries(typename)
   return torch.LongTensor(KEYS), flat:select(2, 3):clone(), torch.LongTensor(SIZES),
      torch.LongTensor { 0, 2 }
end

local function index_layer(typename, normalize)
   local layer = nn.IndexLinear(FEATURES, OUTPUTS, false, nil, nil, nil, normalize):type(typename)
   layer.weight:uniform(-1, 1)
   layer.bias:uniform(-1, 1)
   return layer
end

local function both(f)
   return function(kernel, typename)
      f(kernel, typename, false)
      f(kernel, typename, true)
   end
end

own.IndexLinear_updateOutput = both(function(kernel, typename, normalize)
   local keys, values, sizes, starts = indexed(typename)
   local layer = index_layer(typename, normalize)
   local weight, y = layer.weight:clone(), values.new()
   kernel(keys, layer.offset, values, sizes, starts, y, weight, layer.bias, values.new(), 1)
   close(layer:forward { keys, values, sizes }, y, 'output')
   close(layer.weight, weight, 'weight')
   if not normalize then
      local dense = entries(typename)
      close(torch.mm(dense, weight):add(layer.bias:view(1, -1):expand(2, OUTPUTS)), y, 'output')
   end
end)

-- A step by the kernels that have a row for each key is a step by the layer's gradient.
own.IndexLinear_accGradParameters = both(function(kernel, typename, normalize)
   local keys, values, sizes, starts = indexed(typename)
   local layer, g = index_layer(typename, normalize), random(typename, 2, OUTPUTS)
   layer:forward { keys, values, sizes }
   local weight, bias = layer.weight:clone(), layer.bias:clone()
   local gradWeight, gradBias = values.new(), bias:clone():zero()
   kernel(keys, layer.offset, values, sizes, starts, g, gradWeight, gradBias, weight, bias,
      values.new(), 0, 0.5)
   assert.same({ 4, weight:size(2) }, gradWeight:size():totable())
   kernel_of('IndexLinear_updateParameters', typename)(gradWeight, gradBias, weight, bias, keys,
      starts, layer.offset, 0, 0.1)
   layer:zeroGradParameters()
   layer:accGradParameters({ keys, values, sizes }, g, 0.5)
   close(torch.add(layer.weight, -0.1, layer.gradWeight), weight, 'weight')
   close(torch.add(layer.bias, -0.1, layer.gradBias), bias, 'bias')
end)

function own.IndexLinear_updateParameters(kernel, typename)
   local weight, bias = random(typename, FEATURES, OUTPUTS), random(typename, OUTPUTS)
   local rows, gradBias = random(typename, 2, OUTPUTS), random(typename, OUTPUTS)
   local expected, expected_bias = weight:clone(), torch.add(bias, -0.1, gradBias)
   expected[5]:mul(1 - 0.1 * 0.2):add(-0.1, rows[1])
   expected[2]:mul(1 - 0.1 * 0.2):add(-0.1, rows[2])
   kernel(rows, gradBias, weight, bias, torch.LongTensor { 15, 12 }, torch.LongTensor { 0 }, 9, 0.2,
      0.1)
   close(expected, weight, 'weight')
   close(expected_bias, bias, 'bias')
end

own.IndexLinear_accUpdateGradParameters = both(function(kernel, typename, normalize)
   local keys, values, sizes, starts = indexed(typename)
   local layer, g = index_layer(typename, normalize), random(typename, 2, OUTPUTS)
   layer:forward { keys, values, sizes }
   local weight, bias = layer.weight:clone(), layer.bias:clone()
   kernel(keys, layer.offset, values, sizes, starts, g, weight, bias, 0, 0.1)
   layer:zeroGradParameters()
   layer:accGradParameters({ keys, values, sizes }, g, 1)
   close(torch.add(layer.weight, -0.1, layer.gradWeight), weight, 'weight')
   close(torch.add(layer.bias, -0.1, layer.gradBias), bias, 'bias')
end)

-- --- images as columns --------------------------------------------------------------------------

local UNFOLD = { 4, 2, 3, 5, 1, 0, 2, 9, 7 } -- kW, kH, dW, dH, padW, padH, planes, width, height

local function unfold_sizes()
   local kW, kH, dW, dH, padW, padH, planes, W, high = unpack(UNFOLD)
   return math.floor((W + 2 * padW - kW) / dW) + 1, math.floor((high + 2 * padH - kH) / dH) + 1,
      planes * kW * kH
end

local function each_place(f)
   local kW, kH, dW, dH, padW, padH, planes, W, high = unpack(UNFOLD)
   local oW, oH = unfold_sizes()
   for p = 1, planes do
      for i = 1, kH do
         for j = 1, kW do
            for y = 1, oH do
               for x = 1, oW do
                  local r, c = (y - 1) * dH - padH + i, (x - 1) * dW - padW + j
                  if r >= 1 and r <= high and c >= 1 and c <= W then
                     f(((p - 1) * kH + i - 1) * kW + j, (y - 1) * oW + x, p, r, c)
                  end
               end
            end
         end
      end
   end
end

local function unfold(kernel, columns, image)
   local oW, oH = unfold_sizes()
   local list = { columns:cdata(), image:cdata(), unpack(UNFOLD) }
   list[#list + 1], list[#list + 2] = oW, oH
   kernel(unpack(list))
end

function own.unfolded_copy(kernel, typename)
   local oW, oH, taps = unfold_sizes()
   local image = random(typename, 2, 7, 9)
   local columns = image.new(taps, oH * oW):fill(9)
   local expected = columns:double():zero()
   local host = image:double()
   each_place(function(tap, place, p, r, c)
      expected[tap][place] = host[p][r][c]
   end)
   unfold(kernel, columns, image)
   close(expected, columns, 'columns', 0)
end

function own.unfolded_acc(kernel, typename)
   local oW, oH, taps = unfold_sizes()
   local image, columns = random(typename, 2, 7, 9), random(typename, taps, oH * oW)
   local expected, host = image:double():clone(), columns:double()
   each_place(function(tap, place, p, r, c)
      expected[p][r][c] = expected[p][r][c] + host[tap][place]
   end)
   unfold(kernel, columns, image)
   close(expected, image, 'image')
end

-- --- sampling at given places -------------------------------------------------------------------

-- Linear between elements, 0 outside.
local function sample(image, x, y)
   local high, W = #image, #image[1]
   local px, py = (x + 1) / 2 * (W - 1), (y + 1) / 2 * (high - 1)
   local r = 0
   for j = math.floor(px), math.floor(px) + 1 do
      for i = math.floor(py), math.floor(py) + 1 do
         if i >= 0 and i < high and j >= 0 and j < W then
            r = r + (1 - math.abs(px - j)) * (1 - math.abs(py - i)) * image[i + 1][j + 1]
         end
      end
   end
   return r
end

local function sampled(input, grid)
   local images, places, r = input:totable(), grid:totable(), {}
   for n, planes in ipairs(images) do
      for _, image in ipairs(planes) do
         for _, line in ipairs(places[n]) do
            for _, place in ipairs(line) do
               r[#r + 1] = sample(image, place[1], place[2])
            end
         end
      end
   end
   return torch.Tensor(r):view(#images, #images[1], grid:size(2), grid:size(3))
end

local function grid_operands(typename)
   return random(typename, 2, 2, 3, 4), random(typename, 2, 2, 3, 2):mul(1.3)
end

function own.SpatialGridSamplerBilinear_updateOutput(kernel, typename)
   local input, grid = grid_operands(typename)
   grid[1][1][1]:fill(1) -- the last element itself
   local y = input.new()
   kernel(input:cdata(), grid:cdata(), y:cdata())
   close(sampled(input, grid), y, 'output')
   assert.is_true(math.abs(y[1][1][1][1] - input[1][1][3][4]) < 1e-6)
end

function own.SpatialGridSamplerBilinear_updateGradInput(kernel, typename)
   local input, grid = grid_operands(typename)
   local g, gx, ggrid = random(typename, 2, 2, 2, 3), input.new(), input.new()
   kernel(input, gx, grid, ggrid, g)
   if is_double(typename) then
      local function loss()
         return sampled(input, grid):dot(g)
      end
      close(slope(input, loss), gx, 'gradInput', 1e-8)
      close(slope(grid, loss), ggrid, 'gradGrid', 1e-8)
   end
end

return own
