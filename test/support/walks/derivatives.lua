--- Compares the derivatives of an operation with differences of its results.
--
-- L(x) = sum over the results of w . result, for random w. The gradient g that backward gives of L
-- has to agree with the slope of L along a random direction v:
-- g . v = (L(x + h v) - L(x - h v)) / 2h.
-- The same of M(x) = u . g(x), of which backward gives the gradient when g is recorded. Random
-- directions see every element; central differences in double precision err by some 1e-9 here.
local ffi = require 'ffi'
local torch = require 'torch'
local th = require 'torch.ffi'
local core = require 'torch.core'
local signatures = require 'torch.signatures'
local operands = require 'test.support.walks.operands'

local C = th.C
local M = {}

local STEP = 1e-5
local INTEGERS = {
   ['torch.LongTensor'] = true, ['torch.ByteTensor'] = true, ['torch.IntTensor'] = true,
}

-- Numbers of rows whose kinks must lie among the elements.
local NUMBERS = { value = 0.4519, a = 0.3537, b = 0.6571, p = 3 }
local KEPT = {
   renorm = true, hardshrink = true, softshrink = true, dist = true, norm_all = true, norm = true,
   dropout = true,
}

-- Elements apart from each other, from those of other tensors (`number` says which this is), and
-- from 0; `low`: below 0 as well.
local function values(n, low, number)
   local x = torch.randperm(n):double():add(number * 0.618 % 1):mul(0.7 / n):add(0.15)
   if low then
      x:cmul(torch.rand(n):gt(0.5):double():mul(2):add(-1))
   end
   return x
end

--- Where operands live and how they are made.
-- @param low boolean: elements below 0, too
function M.context(low)
   local c, made = { floating = 'torch.DoubleTensor' }, 0
   function c.tensor(sizes, typename, given)
      local n = 1
      for _, size in ipairs(sizes) do
         n = n * size
      end
      local t
      if given then
         t = torch.DoubleTensor(n)
         for i = 1, n do
            t[i] = given[(i - 1) % #given + 1]
         end
      else
         made = made + 1
         t = values(n, low, made)
      end
      return t:type(typename or 'torch.DoubleTensor'):view(torch.LongStorage(sizes))
   end
   function c.result(typename)
      return torch.DoubleTensor(1):type(typename or 'torch.DoubleTensor')
   end
   return c
end

local onCuda = torch.DoubleTensor(1).device_type ~= C.TH_CPU -- busted --run=cuda

local pointers = ffi.typeof 'const TH_Tensor *[?]'
local number = ffi.new 'double[1]'

local function isFloat(t)
   return torch.isTensor(t) and not INTEGERS[torch.type(t):gsub('Cuda', '')]
end

-- Calls with these operands; returns L, or nil where a result is no number.
local function loss(row, arguments, weights)
   local list, results = {}, {}
   for i, p in ipairs(row.parameters) do
      local given = arguments[p.name]
      if p.role == 'out' then
         given = given and given.new() or nil
      elseif p.role == 'inout' then
         given = given and given * 1 -- a tensor of its own, and made of the operand
      elseif p.role == 'ins' then
         local array = pointers(#given)
         for k, t in ipairs(given) do
            array[k - 1] = t
         end
         list.anchor, given = given, array
      elseif p.role == 'generator' then
         given = not onCuda and torch._gen.generator or nil -- a device draws from its own
      elseif p.role == 'result' then
         given = number
      end
      if (p.role == 'out' or p.role == 'inout') and given then
         results[#results + 1] = given
      end
      list[i] = given
   end
   local n = #row.parameters
   local whole
   if row.parameters[1].role == 'result' then
      for _, t in pairs(arguments) do
         whole = whole or torch.isTensor(t) and t:isVariable() and t.new()
      end
      if whole then
         C.TH_Variable_number(whole)
      end
   end
   torch.manualSeed(1)
   if onCuda then
      require('cutorch').manualSeed(1)
   end
   core[row.name](unpack(list, 1, n))
   if row.parameters[1].role == 'result' then
      return whole and whole:sum() or number[0]
   end
   local total
   for k, r in ipairs(results) do
      if isFloat(r) and not (row.skip and row.skip[k]) then
         weights[k] = weights[k] or torch.rand(r:nElement()):typeAs(r):viewAs(r):add(0.1)
         local part = r:dot(weights[k])
         total = total and total + part or part
      end
   end
   return total
end

local function isNumber(x)
   return type(x) == 'number' and x == x and math.abs(x) < 1e12
end

-- Results whose gradient an operation does not give: what a layer keeps for its own way back.
local SKIP = {
   lstm = { [3] = true, [2] = true }, gru = { [2] = true, [3] = true },
   batch_norm = { [2] = true, [3] = true, [4] = true, [5] = true },
   row_norm = { [2] = true, [3] = true },
   nll_loss = { [2] = true }, dropout = { [2] = true }, gesv = { [2] = true },
   trtrs = { [2] = true }, gels = { [2] = true },
}

local function shifted(arguments, names, direction, step)
   local moved = {}
   for key, value in pairs(arguments) do
      moved[key] = value
   end
   for i, entry in ipairs(names) do
      local t = entry.list and arguments[entry.name][entry.list] or arguments[entry.name]
      local u = t:detach() + direction[i] * step
      if entry.list then
         moved[entry.name] = rawequal(moved[entry.name], arguments[entry.name])
            and { unpack(arguments[entry.name]) } or moved[entry.name]
         moved[entry.name][entry.list] = u
      else
         moved[entry.name] = u
      end
   end
   return moved
end

local function asVariables(arguments, names)
   local direction = {}
   for i, e in ipairs(names) do
      direction[i] = (e.list and arguments[e.name][e.list] or arguments[e.name]) * 0
   end
   local fresh, list = shifted(arguments, names, direction, 0), {}
   for i, e in ipairs(names) do
      list[i] = (e.list and fresh[e.name][e.list] or fresh[e.name]):requiresGrad()
   end
   return fresh, list
end

local function close(got, wanted, tolerance)
   return math.abs(got - wanted) <= tolerance * math.max(1, math.abs(wanted))
end

local function dots(a, b)
   local total = 0
   for i = 1, #a do
      if a[i] then
         total = total + (a[i] * 1):dot(b[i])
      end
   end
   return total
end

-- One way to call an operation. @return a fault as text, or nil; whether it was tried at all
local function check(row, arguments, names)
   local weights = {}
   if not isNumber(loss(row, arguments, weights)) then
      return nil, false
   end
   local direction = {}
   for i, e in ipairs(names) do
      local t = e.list and arguments[e.name][e.list] or arguments[e.name]
      direction[i] = torch.rand(t:nElement()):add(-0.5):typeAs(t):viewAs(t)
   end
   local function slope(f)
      local up = f(shifted(arguments, names, direction, STEP))
      return (up - f(shifted(arguments, names, direction, -STEP))) / (2 * STEP)
   end
   local fresh, list = asVariables(arguments, names)
   local total = loss(row, fresh, weights)
   local wanted, gradients = slope(function(moved) return loss(row, moved, weights) end), nil
   for _, create in ipairs { false, true } do -- a fused way back, or one that is recorded
      gradients = torch.grad(total, list,
         { allowUnused = true, retainGraph = true, createGraph = create })
      local first = dots(gradients, direction)
      first = torch.isTensor(first) and first:item() or first
      if not close(first, wanted, 2e-6) then
         return ('first derivative%s %.9g, differences %.9g'):format(create and ', recorded,' or '',
            first, wanted), true
      end
   end
   local probe = {}
   for i, g in ipairs(gradients) do
      probe[i] = g and torch.rand(g:nElement()):add(-0.5):typeAs(g):viewAs(g)
   end
   local function gradientAlong(moved)
      local again, variables = asVariables(moved, names)
      local g = torch.grad(loss(row, again, weights), variables,
         { allowUnused = true, createGraph = true })
      local d = dots(g, probe)
      return d, variables
   end
   local scalar, variables = gradientAlong(arguments)
   local got = 0
   if torch.isTensor(scalar) and scalar:isVariable() then
      got = dots(torch.grad(scalar, variables, { allowUnused = true }), direction)
   end
   local expected = slope(function(moved)
      local d = gradientAlong(moved)
      return torch.isTensor(d) and d:item() or d
   end)
   if not close(got, expected, 2e-5) then
      return ('second derivative %.9g, differences %.9g'):format(got, expected), true
   end
   return nil, true
end

--- All ways to call an operation whose row is known: its derivatives, and theirs.
-- @param call entry of torch.gen.calls
-- @param derivative what C.TH_derivative says of it
-- @return list of faults; how many ways were tried
function M.walk(call, derivative)
   local row = { name = call.name, parameters = signatures.of(call.name), skip = SKIP[call.name] }
   local faults, tried = {}, 0
   for way, make in ipairs(operands.of(call)) do
      for _, low in ipairs { true, false } do
         torch.manualSeed(17)
         local arguments = make(M.context(low))
         local large, names = false, {}
         if call.name == 'eig' then -- real eigenvalues, far from each other
            local n = arguments.a:size(1)
            arguments.a = arguments.a + torch.diag(torch.range(1, n)):mul(5)
         end
         for i, p in ipairs(row.parameters) do
            local value = arguments[p.name]
            if p.role == 'number' and NUMBERS[p.name] and not KEPT[call.name] then
               arguments[p.name] = NUMBERS[p.name]
            end
            if bit.band(bit.rshift(derivative.covered, i - 1), 1) == 1 then
               if p.role == 'ins' then
                  for k = 1, #value do
                     names[#names + 1] = { name = p.name, list = k }
                  end
               elseif (p.role == 'in' or p.role == 'inout') and isFloat(value) then
                  large = large or value:nElement() > 20000
                  if not (M.constant[call.name] or {})[p.name] then
                     names[#names + 1] = { name = p.name }
                  end
               end
            end
         end
         if not large then
            local ok, fault, did = pcall(check, row, arguments, names)
            if not ok then
               fault, did = tostring(fault), true
            end
            tried = tried + (did and 1 or 0)
            faults[#faults + 1] = fault and ('%s (%d%s): %s'):format(call.name, way,
               low and ', signs' or '', fault) or nil
            if did and ok then
               break
            end
         end
      end
   end
   return faults, tried
end

--- Operands that a clause reads but gives nothing.
M.constant = {
   attention = { mask = true, noise = true },
   batch_norm = { running_mean = true, running_var = true, save_mean = true },
}
return M
