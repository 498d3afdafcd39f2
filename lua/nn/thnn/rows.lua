--- Kernels made from rows: a call as Torch7's header has it, and the layer that does the same.
--
-- `rows.chapter(text, parts)` makes the kernels of a text of rows (nn.thnn.arguments has their
-- grammar). A kernel `X_updateOutput` runs nn.X's updateOutput on an object that has the arguments
-- in its fields, X_updateGradInput and X_accGradParameters likewise; a row that ends in `: Y` runs
-- nn.Y's. What the arguments do not say, a part adds:
--
--    prepare.X  function(layer, a): more fields, for all kernels of X; `a` has the arguments
--    finish.X   function(layer, a): afterwards, for what a method leaves in the layer's fields
--    compute.X_updateOutput  function(layer, a): the whole kernel, where no method does the same;
--               returns what goes into the output (of gradients, into gradInput), or nothing
-- @module nn.thnn.rows

local torch = require 'torch'
local arguments = require 'nn.thnn.arguments'
local declare = require 'nn.base.declare'
local seam = require 'nn.base.seam'

local M = {}

-- Arguments of a method: no fields of the layer.
local PASSED = { input = true, gradOutput = true, target = true }

-- The result where the caller wants it.
local function store(into, r)
   if r == nil or rawequal(r, into) then
      return
   elseif type(r) == 'number' then
      into:resize(1):fill(r)
   else
      into:resize(r:size()):copy(r)
   end
end

local methods = {}

function methods.updateOutput(row, layer, a)
   store(a.output, (row.run(layer, a.input, a.target)))
end

function methods.updateGradInput(row, layer, a)
   store(a.gradInput, (row.run(layer, a.input, a.gradOutput or a.target)))
end

function methods.accGradParameters(row, layer, a)
   row.run(layer, a.input, a.gradOutput, a.scale)
end

local function compute(row, layer, a)
   local r = row.run(layer, a)
   if r ~= nil then
      store(a.gradInput or a.output, r)
   end
end

-- The fields that the class's constructor would fill in, and that are constants.
local function defaults_of(Class)
   local defaults = {}
   local declaration = declare.of(setmetatable({}, Class))
   for _, argument in ipairs(declaration and declaration.arguments or {}) do
      if argument.field and argument.value ~= nil then
         defaults[argument.field] = argument.value
      end
   end
   return defaults
end

local function call(row, ...)
   local a = arguments.read(row, ...)
   local layer = setmetatable({}, row.class)
   for field, value in pairs(row.defaults) do
      layer[field] = value
   end
   for field, value in pairs(a) do
      if not PASSED[field] then
         layer[field] = value
      end
   end
   -- What a method looks at for its type and sizes, where the call has the gradient alone.
   layer.weight = a.weight or a.gradWeight
   layer.bias = a.bias or a.gradBias
   layer.output = a.output or a.input or a.gradOutput
   if row.prepare then
      row.prepare(layer, a)
   end
   row.act(row, layer, a)
   if row.finish then
      row.finish(layer, a)
   end
end

-- An error of the layer, under the kernel's name.
local function rethrow(row, err)
   if type(err) == 'string' then
      local from, to = err:find(row.typename .. ': ', 1, true)
      if from then
         err = err:sub(1, from - 1) .. 'THNN.' .. row.name .. ': ' .. err:sub(to + 1)
      end
   end
   error(err, 0)
end

local function kernel(row)
   return function(...)
      local ok, err = pcall(call, row, ...)
      if not ok then
         rethrow(row, err)
      end
   end
end

--- Make the kernels of a chapter.
-- @string text rows
-- @tparam[opt={}] table parts { prepare = , finish = , compute = }, as above
-- @return name -> function
function M.chapter(text, parts)
   parts = parts or {}
   local prepare, finish = parts.prepare or {}, parts.finish or {}
   local own, kernels = parts.compute or {}, {}
   for name, list, behind in text:gmatch '([%w_]+)(%b())()' do
      local of, method = name:match '^(%w+)_(%w+)$'
      local class = text:match('^%s*:%s*(%w+)', behind) or of
      local Class = torch.getmetatable('nn.' .. class) or torch.getmetatable 'nn.Module'
      local row = {
         name = name, typename = torch.typename(setmetatable({}, Class)), class = Class,
         arguments = arguments.parse(list:sub(2, -2)), defaults = defaults_of(Class),
         prepare = prepare[of], finish = finish[of],
      }
      if own[name] then
         row.run, row.act = own[name], compute
      else
         row.run, row.act = seam.plain(Class[method]), methods[method]
         assert(row.run and row.act, 'nn.thnn: no way to compute ' .. name)
      end
      kernels[name] = kernel(row)
   end
   return kernels
end

return M
