--- What a network is made of, layer by layer.
-- @module torch.train.summary

local torch = require 'torch'
local wholes_of = require('torch.sharing').wholes
local nested = require 'nn.nested'
local nn = require 'nn'
local shapes = require 'torch.functions.shapes'
local modes = require 'torch.train.trainer.modes'
local options = require 'torch.options'
local train = require 'torch.train.module'
local byte_text = require 'xlua.byte_text'

--- What `train.summary` gives: `rows`, sums, and a text.
-- @type train.Summary
local Summary = torch.class('train.Summary', train)

local function thousands(n)
   local text = ('%.0f'):format(n)
   while true do
      local changed, count = text:gsub('^(%d+)(%d%d%d)', '%1,%2')
      if count == 0 then
         return text
      end
      text = changed
   end
end

local function shape_text(nest)
   if torch.isTensor(nest) then
      return shapes.text(nest)
   elseif type(nest) ~= 'table' then
      return '-'
   end
   local parts = {}
   for i, one in ipairs(nest) do
      parts[i] = shape_text(one)
   end
   return '{' .. table.concat(parts, ', ') .. '}'
end

-- Of memory that no output before it has: views and layers that work in place take none.
local function bytes_of(nest, seen)
   local sum = 0
   nested.each(function(t)
      local storage = torch.isTensor(t) and t:storage()
      local address = storage and tonumber(torch.pointer(storage))
      if address and not seen[address] then
         seen[address] = true
         sum = sum + t:nElement() * t:elementSize()
      end
   end, nest)
   return sum
end

-- Layers that look up or multiply elements have weights, and no products of matrices.
local NO_PRODUCTS = { ['nn.LookupTable'] = true, ['nn.CMul'] = true }
-- One vector has the weights of all gates and layers; each is used once for a step of a sequence.
local RECURRENT = { ['nn.LSTM'] = true, ['nn.GRU'] = true, ['nn.RNN'] = true }

-- A weight of n x ... is n sums of products for each n outputs; of a transposed convolution, whose
-- weight begins with its inputs, for each n inputs.
local function multiply_adds(module, input, output, weights)
   if NO_PRODUCTS[torch.typename(module)] or not torch.isTensor(output) then
      return 0
   end
   local sum = 0
   for _, w in ipairs(weights) do
      if RECURRENT[torch.typename(module)] and w == module.weight then
         sum = sum + w:nElement() * output:nElement() / output:size(output:dim())
      elseif w:dim() >= 2 then
         local over = torch.typename(module):find 'FullConvolution' and input or output
         local rows = torch.typename(module):match 'nn%.%a*Convolution' and w:size(1)
            or w:size(1) == output:size(output:dim()) and w:size(1) or output:size(output:dim())
         sum = sum + over:nElement() / rows * w:nElement()
      end
   end
   return sum
end

local function own_parameters(list, module)
   local count, weights, frozen = 0, {}, 0
   for _, entry in ipairs(list) do
      if entry.module == module and entry.gradient then
         count = count + entry.tensor:nElement()
         weights[#weights + 1] = entry.tensor
         frozen = frozen + (train.isFrozen(entry) and entry.tensor:nElement() or 0)
      end
   end
   return count, weights, frozen
end

-- The paths of modules.
local function paths_of(model)
   local paths = {}
   local function walk(module, path)
      paths[module] = paths[module] or path
      for i, child in ipairs(module.modules or {}) do
         local name = rawget(child, 'name')
         walk(child, (path == '' and '' or path .. '.') .. (type(name) == 'string' and name or i))
      end
   end
   walk(model, '')
   return paths
end

local function rows_of(model, input, list)
   local paths, rows, by_module, seen = paths_of(model), {}, {}, {}
   local function row(module)
      if not by_module[module] then
         local count, weights, frozen = own_parameters(list, module)
         by_module[module] = { path = paths[module], class = torch.typename(module),
            parameters = count, frozen = frozen, multiplyAdds = 0, memory = 0, weights = weights,
            calls = 0 }
         rows[#rows + 1] = by_module[module]
      end
      return by_module[module]
   end
   local off = nn.seam.attach(function(call, module, method, x, ...)
      if method ~= 'updateOutput' or not paths[module] or module.modules then
         return call(module, x, ...)
      end
      local y = call(module, x, ...)
      local r = row(module)
      r.calls, r.output, r.memory = r.calls + 1, shape_text(y), r.memory + bytes_of(y, seen)
      r.multiplyAdds = r.multiplyAdds + multiply_adds(module, x, y, r.weights)
      return y
   end)
   local ok, message = pcall(model.forward, model, input)
   off()
   if not ok then
      error(message, 0)
   end
   return rows
end

--- Layers with what they give, hold and compute, for one batch.
--
-- Multiply-adds are those of products with weights (linear layers, convolutions, recurrent ones);
-- those of other operations are few beside them, but for the scores of attention, which are left
-- out. Memory is that of the outputs; that of the parameters is in the sums. The network is run
-- once, in evaluation.
-- @param model nn.Module
-- @param input a batch
-- @return train.Summary: `rows` (list of path, class, output, parameters, frozen, multiplyAdds,
-- memory), `parameters`, `frozen`, `multiplyAdds`, `memory`, `parameterMemory`; prints as a table
-- @raise "train.summary: input is missing"
-- @example
-- local nn, train = require 'nn', require 'torch.train'
-- local net = nn.Sequential():add(nn.Linear(10, 20)):add(nn.ReLU()):add(nn.Linear(20, 5))
-- local summary = train.summary(net, torch.randn(8, 10))
-- summary.parameters, summary.multiplyAdds, summary.rows[3].output --> 325, 2400, '8x5'
function train.summary(model, input)
   if not torch.isTypeOf(model, 'nn.Module') then
      options.fail('train.summary: expected a network, got %s', options.describe(model))
   elseif input == nil then
      options.fail 'train.summary: input is missing: a batch, such as torch.randn(1, 3, 32, 32)'
   end
   local list, back = train.tensors(model), modes.evaluate(model)
   local ok, rows = pcall(rows_of, model, input, list)
   back()
   if not ok then
      error(rows, 0)
   end
   local summary = setmetatable({}, getmetatable(train.Summary()))
   summary.rows = rows
   for _, name in ipairs { 'parameters', 'frozen', 'multiplyAdds', 'memory', 'parameterMemory' } do
      summary[name] = 0
   end
   for _, r in ipairs(rows) do
      summary.multiplyAdds = summary.multiplyAdds + r.multiplyAdds
      summary.memory = summary.memory + r.memory
      r.weights = nil
   end
   local learned, tensors = {}, {}
   for _, entry in ipairs(list) do
      if entry.gradient then
         learned[#learned + 1], tensors[#tensors + 1] = entry, entry.tensor
      end
   end
   local wholes = wholes_of(tensors)
   for i, entry in ipairs(learned) do
      if wholes[i] == i then -- what layers share, once
         local n = entry.tensor:nElement()
         summary.parameters = summary.parameters + n
         summary.frozen = summary.frozen + (train.isFrozen(entry) and n or 0)
         summary.parameterMemory = summary.parameterMemory + n * entry.tensor:elementSize()
      end
   end
   return summary
end

local HEAD = { 'layer', 'class', 'output', 'parameters', 'multiply-adds', 'memory' }

function Summary:__tostring__()
   local lines, widths = { HEAD }, {}
   for _, r in ipairs(self.rows) do
      lines[#lines + 1] = { r.path == '' and '-' or r.path, r.class, r.output,
         thousands(r.parameters), thousands(r.multiplyAdds), byte_text(r.memory) }
   end
   for _, cells in ipairs(lines) do
      for i, cell in ipairs(cells) do
         widths[i] = math.max(widths[i] or 0, #cell)
      end
   end
   local texts = {}
   for k, cells in ipairs(lines) do
      local parts = {}
      for i, cell in ipairs(cells) do
         local gap = (' '):rep(widths[i] - #cell)
         parts[i] = i <= 3 and cell .. gap or gap .. cell
      end
      texts[k] = table.concat(parts, '  ')
   end
   texts[#texts + 1] = ('%s parameters (%s), %s of them frozen; %s multiply-adds; outputs %s')
      :format(thousands(self.parameters), byte_text(self.parameterMemory), thousands(self.frozen),
      thousands(self.multiplyAdds), byte_text(self.memory))
   return table.concat(texts, '\n')
end
