--- Layers split over the devices of one process: each has some outputs, inputs, rows or heads.
--
-- What the ranks of a group do by exchanging sums (the other files of this folder) is here one
-- module with a layer on each device: it hands the input out, and puts together what comes.
-- Operations return before a device is done, so the devices work at the same time.
-- @module distributed.split.devices

local torch = require 'torch'
local nn = require 'nn'
local nested = require 'nn.nested'
local distributed = require 'distributed.module'
local attention = require 'distributed.split.Attention'
local linear = require 'distributed.split.Linear'
local lookup = require 'distributed.split.LookupTable'
local parts = require 'distributed.split.parts'
local th = require 'torch.ffi'

local M = {}

-- --- the module ---------------------------------------------------------------------------------

--- A layer of which each device computes a part; `distributed.split` with `devices` makes it.
--
-- Its modules are nn.GPU with the parts. What they are given says `takes`: 'whole', the input;
-- 'cut', some of its features; 'parts', entry i of a table, which is on device i. What becomes of
-- their outputs says `gives`: 'joined', side by side; 'sum'; 'parts', a table of them, which stay
-- where they are. All else is on the first device. Gradients go the same ways back: of 'whole' they
-- are added up. `ranges` are the features, first and count, of 'cut' and of 'joined'.
-- @type distributed.Parts
local Parts = nn.declare('distributed.Parts', 'nn.Branches', {
   arguments = [[
      layers     table   the part of each device
      devices    table   a device for each
      takes      string
      gives      string
      (ranges)   table?
   ]],
}, distributed)

function Parts:__initialize(layers, devices, takes, gives, ranges)
   self.takes, self.gives, self.ranges = takes, gives, ranges
   self.layers, self.devices = nil, nil
   for i, layer in ipairs(layers) do
      self:add(nn.GPU(layer, devices[i], gives ~= 'parts' and devices[1] or nil))
   end
   self._type = layers[1]:type()
end

local function of_range(t, range)
   return t:narrow(t:dim(), range[1], range[2])
end

function Parts:__inputOf(input, i)
   if self.takes == 'whole' then
      return input
   end
   return self.takes == 'cut' and of_range(input, self.ranges[i]) or input[i]
end

function Parts:__gradOutputOf(gradOutput, i)
   if self.gives == 'sum' then
      return gradOutput
   end
   return self.gives == 'joined' and of_range(gradOutput, self.ranges[i]) or gradOutput[i]
end

-- A buffer for what is like a tensor: r, where it is of its type and device.
local function buffer(r, like)
   local fits = torch.isTensor(r) and r:type() == like:type() and r.device == like.device
   return fits and r or th.like(like)
end

local function sum_into(r, list)
   r = buffer(r, list[1]):resizeAs(list[1]):copy(list[1])
   for i = 2, #list do
      r:add(list[i])
   end
   return r
end

local function side_by_side(r, list)
   return torch.cat(buffer(r, list[1]), list, list[1]:dim())
end

function Parts:__join(outputs)
   if self.gives == 'sum' then
      return sum_into(self.output, outputs)
   end
   return self.gives == 'joined' and side_by_side(self.output, outputs) or outputs
end

function Parts:__joinGradients(gradients)
   if gradients[1] == nil then -- nobody asks for it
      return nil
   elseif self.takes == 'whole' then
      return nested.zip(sum_into, self.gradInput, gradients)
   end
   return self.takes == 'cut' and side_by_side(self.gradInput, gradients) or gradients
end

-- --- from a layer -------------------------------------------------------------------------------

-- First and count of each device's part of n.
local function ranges_of(n, devices)
   local list = {}
   for i = 1, #devices do
      list[i] = { parts.share(n, #devices, i) }
   end
   return list
end

-- A layer for each device: make(cuts of that device, first, count, its number).
local function of_each(job, ranges, make)
   local layers = {}
   for i, range in ipairs(ranges) do
      layers[i] = make(job.cuts[i], range[1], range[2], i)
   end
   return layers
end

--- An nn.Linear by columns.
-- @tparam nn.Linear layer
-- @tab job devices, and cuts: a table for parts.cut for each device
-- @bool gathers whether the output is put together
function M.columns(layer, job, gathers)
   local ranges = ranges_of(layer.weight:size(1), job.devices)
   local layers = of_each(job, ranges, function(cuts, first, count)
      return linear.part(layer, cuts, 1, first, count)
   end)
   return Parts.new(layers, job.devices, 'whole', gathers and 'joined' or 'parts', ranges)
end

-- Some inputs of an nn.Linear; the first device adds the bias.
local function row_part(layer, cuts, first, count, i)
   local part = linear.part(layer, cuts, 2, first, count)
   if i > 1 then
      part.bias, part.gradBias = nil, nil
   end
   return part
end

--- An nn.Linear by rows.
-- @bool takes_all whether the input comes as a whole
function M.rows(layer, job, takes_all)
   local ranges = ranges_of(layer.weight:size(2), job.devices)
   local layers = of_each(job, ranges, function(cuts, first, count, i)
      return row_part(layer, cuts, first, count, i)
   end)
   return Parts.new(layers, job.devices, takes_all and 'cut' or 'parts', 'sum', ranges)
end

--- A layer between columns and rows, that treats each feature for itself.
function M.between(layer, job)
   local layers = {}
   for i = 1, #job.devices do
      layers[i] = layer:clone():clearState()
   end
   return Parts.new(layers, job.devices, 'parts', 'parts')
end

--- An nn.LookupTable by rows.
function M.lookup(layer, job)
   local ranges = ranges_of(layer.weight:size(1), job.devices)
   return Parts.new(of_each(job, ranges, function(cuts, first, count)
      return lookup.part('distributed.LookupRows', layer, cuts, first, count)
   end), job.devices, 'whole', 'sum')
end

--- An nn.MultiHeadAttention by heads.
function M.attention(layer, job)
   local of_head = layer.features / layer.heads
   local function part(cuts, first, count, i)
      local at, features, modules = (first - 1) * of_head + 1, count * of_head, {}
      for k = 1, 3 do
         modules[k] = linear.part(layer.modules[k], cuts, 1, at, features)
      end
      modules[4] = row_part(layer.modules[4], cuts, at, features, i)
      modules[5] = layer.modules[5]:clone()
      return attention.remade('nn.MultiHeadAttention', layer, { modules = modules, heads = count,
         rotary = layer.rotary and layer.rotary:clone() })
   end
   return Parts.new(of_each(job, ranges_of(layer.heads, job.devices), part), job.devices, 'whole',
      'sum')
end

-- --- and back -----------------------------------------------------------------------------------

-- The tensors of all parts along a dimension.
local function joined(layers, dimension, of)
   local list = {}
   for i, layer in ipairs(layers) do
      list[i] = of(layer)
   end
   return torch.cat(list, dimension)
end

local function weight(layer) return layer.weight end
local function bias(layer) return layer.bias end

local function whole_linear(layers, memo, dimension)
   return linear.whole_of(layers[1], memo, function()
      return joined(layers, dimension, weight)
   end, dimension == 1 and function() return joined(layers, 1, bias) end or parts.copy)
end

local function whole_attention(layers, memo)
   local modules, heads = { [5] = layers[1].modules[5] }, 0
   for k = 1, 4 do
      local projections = {}
      for i, layer in ipairs(layers) do
         projections[i] = layer.modules[k]
      end
      modules[k] = whole_linear(projections, memo, k < 4 and 1 or 2)
   end
   for _, layer in ipairs(layers) do
      heads = heads + layer.heads
   end
   return attention.remade('nn.MultiHeadAttention', layers[1], { modules = modules, heads = heads })
end

local WHOLE = {
   ['nn.Linear'] = function(layers, memo, gives)
      return whole_linear(layers, memo, gives == 'sum' and 2 or 1)
   end,
   ['nn.MultiHeadAttention'] = whole_attention,
   ['distributed.LookupRows'] = function(layers, memo)
      return lookup.whole(layers[1], memo, function() return joined(layers, 1, weight) end)
   end,
}

--- The layer that a distributed.Parts was made of; on the CPU.
-- @tparam distributed.Parts module
-- @tab memo for parts.once: what layers have in common
function M.whole(module, memo)
   local layers = {}
   for i, gpu in ipairs(module.modules) do
      layers[i] = gpu.modules[1]
   end
   local f = WHOLE[torch.typename(layers[1])]
   return f and f(layers, memo, module.gives) or layers[1]
end

return M
