--- Gradients compared with differences: torch.gradcheck, torch.gradgradcheck.
-- @module torch.variables.check
local th = require 'torch.ffi'
local class = require 'torch.class'
local pass = require 'torch.variables.pass'
local recording = require 'torch.variables.recording'

local random = require('torch.functions.random').functions

local raise, isTensor = th.raise, th.isTensor

local F = {}

local function inputsOf(name, inputs)
   if isTensor(inputs) then
      inputs = { inputs }
   elseif type(inputs) ~= 'table' then
      raise(('%s: expected a tensor or a list of them, got %s'):format(name, class.type(inputs)))
   end
   for i, x in ipairs(inputs) do
      if isTensor(x) and x:isVariable() and class.type(x):match 'Double' == nil then
         raise(('%s: input %d is a %s; differences need doubles, as x:double() gives'):format(
            name, i, class.type(x)))
      end
   end
   return inputs
end

local function outputsOf(...)
   local list = {}
   for i = 1, select('#', ...) do
      local y = select(i, ...)
      if isTensor(y) then
         list[#list + 1] = y
      end
   end
   return list
end

-- Outputs as one list of numbers.
local function values(f, inputs)
   local outputs = outputsOf(recording.with(true, f, unpack(inputs))) -- f may differentiate
   local list = {}
   for _, y in ipairs(outputs) do
      list[#list + 1] = y:detach():clone():double():contiguous():view(-1) -- y may be an input
   end
   return list
end

-- The same with one element of x changed; whatever happens, it is as it was then.
local function valuesAt(f, inputs, x, i, distance)
   local flat = x:detach():view(-1)
   local original = flat[i]
   flat[i] = original + distance
   local ok, list = pcall(values, f, inputs)
   flat[i] = original
   if not ok then
      error(list, 0)
   end
   return list
end

-- d outputs / d one element, by central differences.
local function column(f, inputs, x, i, step)
   local high, low = valuesAt(f, inputs, x, i, step), valuesAt(f, inputs, x, i, -step)
   for k = 1, #high do
      high[k]:add(-1, low[k]):div(2 * step)
   end
   return high
end

local function compare(name, f, inputs, options)
   local step, atol, rtol = options.step or 1e-6, options.atol or 1e-5, options.rtol or 1e-3
   local variables = {}
   for i, x in ipairs(inputs) do
      if isTensor(x) and x:isVariable() then
         if not x:isContiguous() then
            raise(('%s: input %d is not contiguous'):format(name, i))
         end
         variables[#variables + 1] = { x = x, number = i }
      end
   end
   if #variables == 0 then
      raise(name .. ': no input needs a gradient; make one a Variable: x:requiresGrad()')
   end
   local outputs = outputsOf(f(unpack(inputs)))
   local list = {}
   for k, v in ipairs(variables) do
      list[k] = v.x
   end
   -- jacobians[o][j][k]: the gradient of element j of output o by variable k. All of them first:
   -- the differences change the inputs.
   local jacobians = {}
   for o, y in ipairs(outputs) do
      jacobians[o] = y:isVariable() and {}
      for j = 1, jacobians[o] and y:nElement() or 0 do
         local g = y:detach():clone():zero():view(-1)
         g[j] = 1
         jacobians[o][j] = pass.several({ y }, { g:viewAs(y) }, list, true, false)
      end
   end
   for o, y in ipairs(outputs) do
      if jacobians[o] then
         local rows = jacobians[o]
         for k, v in ipairs(variables) do
            for i = 1, v.x:nElement() do
               local wanted = column(f, inputs, v.x, i, step)[o]
               for j = 1, y:nElement() do
                  local g = rows[j][k]
                  local got = g and g:contiguous():view(-1)[i] or 0
                  local distance = math.abs(got - wanted[j])
                  if distance ~= distance or distance > atol + rtol * math.abs(wanted[j]) then
                     raise(('%s: d output %d[%d] / d input %d[%d] is %.6g, by differences %.6g')
                        :format(name, o, j, v.number, i, got, wanted[j]))
                  end
               end
            end
         end
      end
   end
   return true
end

-- What the docstring of torch.gradcheck says: seldom.lua.
function F.gradcheck(f, inputs, options)
   return compare('gradcheck', f, inputsOf('gradcheck', inputs), options or {})
end

-- What the docstring of torch.gradgradcheck says: seldom.lua.
function F.gradgradcheck(f, inputs, options)
   inputs = inputsOf('gradgradcheck', inputs)
   local weights, all, places = {}, { unpack(inputs) }, {}
   for i, y in ipairs(outputsOf(f(unpack(inputs)))) do
      weights[i] = random.rand(y:nElement()):typeAs(y):viewAs(y):add(0.5):requiresGrad()
      all[#inputs + i] = weights[i]
   end
   for i, x in ipairs(inputs) do
      if isTensor(x) and x:isVariable() then
         places[#places + 1] = i
      end
   end
   local function gradients(...)
      local given = { ... }
      local outputs = outputsOf(f(unpack(given, 1, #inputs)))
      local roots, grads, leaves = {}, {}, {}
      for i, y in ipairs(outputs) do
         if y:isVariable() then
            roots[#roots + 1], grads[#grads + 1] = y, given[#inputs + i]
         end
      end
      for k, place in ipairs(places) do
         leaves[k] = given[place]
      end
      local results = pass.several(roots, grads, leaves, true, true)
      local list = {}
      for _, g in ipairs(results) do
         list[#list + 1] = g or nil
      end
      return unpack(list)
   end
   return compare('gradgradcheck', gradients, all, options or {})
end

return F
