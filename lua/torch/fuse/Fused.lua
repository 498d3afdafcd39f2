--- Functions of tensors made from a text: torch.fuse.
-- @classmod torch.Fused
local class = require 'torch.class'
local compose = require 'torch.fuse.compose'
local memory = require 'torch.fuse.memory'
local near = require 'torch.near'
local options = require 'torch.options'
local Program = require 'torch.fuse.Program'
local quick = require 'torch.fuse.quick'
local shapes = require 'torch.functions.shapes'
local th = require 'torch.ffi'
local types = require 'torch.types'

local type = type -- torch puts its own in the global's place

local C, isTensor, like, raise = th.C, th.isTensor, th.like, th.raise
local describe = options.describe

local Fused = class.class('torch.Fused')

local MOST = C.TH_LOOP_TENSORS -- arguments and results of compiled code
local TRIES = 3 -- calls that try to compile: a disk may have been full, or Ctrl-C been pressed

-- --- making -------------------------------------------------------------------------------------

-- A list of names; a single one may stand alone.
local function names(name, list)
   if type(list) == 'string' then
      return { list }
   end
   for i, entry in ipairs(list or {}) do
      if type(entry) ~= 'string' then
         raise(("torch.fuse: the option '%s' has %s at place %d, expected names"):format(name,
            describe(entry), i))
      end
   end
   return list
end

local general -- a call of any kind

local function prepare(self)
   -- What carries out calls, by element type and which arguments are numbers.
   self.ways = {}
   self.plans = {} -- the same for quick calls
   local arguments, results = #self.program.arguments, #self.program.results
   self.quick = arguments + results <= MOST and quick.make(arguments, results, general) or general
   self.gradients = {} -- torch.Fused, by the arguments that need one
   return self
end

-- What torch.fuse gives: its docstring is in torch.fuse.
function Fused:__init(source, given)
   if type(source) ~= 'string' then
      raise(('torch.fuse: expected a text such as %q, got %s'):format('y = a * tanh(b) + c',
         describe(source)))
   end
   local read = options.read('torch.fuse', given, {
      results = { 'any' }, arguments = { 'any' }, compile = { 'boolean', true },
   })
   for _, name in ipairs { 'results', 'arguments' } do
      local list = read[name]
      if list ~= nil and type(list) ~= 'string' and type(list) ~= 'table' then
         raise(("torch.fuse: the option '%s' is %s, expected a list of names"):format(name,
            describe(list)))
      end
   end
   self.compile = read.compile
   self.program = Program.read(source, names('results', read.results),
      names('arguments', read.arguments))
   prepare(self)
end

-- Files and other threads get the text; code is made anew.
function Fused:__write(file)
   local program = self.program
   file:writeObject { source = program.source, results = program.results,
      arguments = program.arguments, compile = self.compile }
end

function Fused:__read(file)
   local kept = file:readObject()
   self.program = Program.read(kept.source, kept.results, kept.arguments)
   self.compile = kept.compile
   prepare(self)
end

--- The arguments' names, in the order of a call.
-- @return list
-- @example torch.fuse('y = a * tanh(b) + c'):arguments() --> { 'a', 'b', 'c' }
function Fused:arguments()
   return { unpack(self.program.arguments) }
end

--- The results' names, in the order in which a call gives them.
-- @return list
-- @example torch.fuse('y = a * tanh(b) + c'):results() --> { 'y' }
function Fused:results()
   return { unpack(self.program.results) }
end

-- --- a call's arguments -------------------------------------------------------------------------

local function signature(self)
   return ('f(%s)'):format(table.concat(self.program.arguments, ', '))
end

-- { a = , b = } as lists.
local function byName(self, given)
   local program, arguments, results = self.program, {}, nil
   local known = {}
   for i, name in ipairs(program.arguments) do
      known[name], arguments[i] = true, given[name]
      if given[name] == nil then
         raise(("torch.fuse: the argument '%s' is missing: %s"):format(name, signature(self)))
      end
   end
   for i, name in ipairs(program.results) do
      if not known[name] and given[name] ~= nil then
         results = results or {}
         results[i] = given[name]
      end
      known[name] = true
   end
   for name in pairs(given) do
      if not known[name] then
         raise(("torch.fuse: there is no argument '%s'%s: %s"):format(tostring(name),
            near.hint(name, known), signature(self)))
      end
   end
   return arguments, results
end

-- Positions: the arguments, or results to be written and the arguments behind them.
local function byPlace(self, count, ...)
   local n, m = #self.program.arguments, #self.program.results
   if count == n then
      return { ... }
   elseif count ~= n + m then
      raise(('torch.fuse: %d arguments, expected %d: %s%s'):format(count, n, signature(self),
         count < n and (', %s is missing'):format(self.program.arguments[count + 1]) or ''))
   end
   local list, results, arguments = { ... }, {}, {}
   for i = 1, m do
      results[i] = list[i]
   end
   for i = 1, n do
      arguments[i] = list[m + i]
   end
   return arguments, results
end

local function checkTensor(t, name, first, firstName)
   if t.device_type ~= first.device_type or t.device ~= first.device then
      raise(('torch.fuse: %s is a %s, %s a %s; they have to be on one device'):format(firstName,
         describe(first), name, describe(t)))
   end
end

-- What the arguments are like: a tensor of the floating type, whether some are Variables, the
-- number of the way to carry out the call.
local function examine(self, arguments)
   local list = self.program.arguments
   local first, firstName, float, floatName
   local flags, way = 0, 0
   for i = 1, #list do
      local x = arguments[i]
      way = way * 2
      if isTensor(x) then
         if first then
            checkTensor(x, list[i], first, firstName)
         else
            first, firstName = x, list[i]
         end
         if x.ndim == 0 then
            raise(('torch.fuse: %s is empty'):format(list[i]))
         elseif types.isFloating(x.dtype) then
            if float and float.dtype ~= x.dtype then
               raise(('torch.fuse: %s is a %s, %s a %s; convert one, as in %s:typeAs(%s)'):format(
                  floatName, describe(float), list[i], describe(x), list[i], floatName))
            end
            float, floatName = float or x, floatName or list[i]
         end
         flags = flags + x.flags
      elseif type(x) == 'number' then
         way = way + 1
      else
         raise(('torch.fuse: %s is %s, expected a tensor or a number'):format(list[i], describe(x)))
      end
   end
   if not float then
      raise(first and ('torch.fuse: %s is a %s; it computes in floating point: convert it, as in '
         .. '%s:double()'):format(firstName, describe(first), firstName)
         or 'torch.fuse: all arguments are numbers, expected a tensor among them')
   end
   return float, flags, way * 2 + (float.dtype == C.TH_DOUBLE and 1 or 0)
end

local function checkResult(r, name, float)
   if not isTensor(r) then
      raise(('torch.fuse: the result %s is %s, expected a tensor'):format(name, describe(r)))
   elseif r.dtype ~= float.dtype or r.device_type ~= float.device_type
      or r.device ~= float.device then
      raise(('torch.fuse: the result %s is a %s, the arguments are %s'):format(name, describe(r),
         (class.type(float):gsub('^torch%.', '')) .. 's'))
   end
end

-- --- carrying it out ----------------------------------------------------------------------------

-- Operands for the composed way: one type, one size.
local function alike(arguments, float, computed)
   local list = {}
   for i, x in ipairs(arguments) do
      if type(x) == 'number' then
         x = th.likeType(float, computed):resize(1):fill(x)
      elseif x.dtype ~= computed then
         x = th.likeType(float, computed):resizeAs(x):copy(x)
      end
      list[i] = x
   end
   return shapes.agree('torch.fuse', list)
end

local function composed(self, results, arguments, float)
   local computed = float.dtype == C.TH_DOUBLE and C.TH_DOUBLE or C.TH_FLOAT
   local values = compose.run(self.program, alike(arguments, float, computed))
   -- A value that is an operand as it came may lie where another result is written.
   for i, value in ipairs(values) do
      local shape = value:size():totable()
      for k, r in ipairs(results) do
         if memory.displaces(r, value, shape) or k ~= i and memory.meet(r, value) then
            values[i] = value:clone()
         end
      end
   end
   for i, r in ipairs(results) do
      r:resizeAs(values[i]):copy(values[i])
   end
end

-- A way of compiled code is a function(results, arguments, float); otherwise why there is none. On
-- the CPU a plan for quick calls is the third.
local function wayOf(self, arguments, float)
   if not self.compile then
      return nil, 'not asked for: compile = false'
   elseif #self.program.arguments + #self.program.results > MOST then
      return nil, ('more than %d arguments and results'):format(MOST)
   end
   local isNumber = {}
   for i, x in ipairs(arguments) do
      isNumber[i] = type(x) == 'number'
   end
   local filling = float.device_type == C.TH_CPU and 'torch.fuse.cpu' or 'cutorch.fuse'
   return require(filling).way(self.program, isNumber, arguments, float)
end

local function way(self, number, arguments, float)
   local kind = self.ways[float.device_type] or {}
   self.ways[float.device_type] = kind
   local known = kind[number]
   -- A busy plan is that of a call which this one interrupts, or which an error has ended.
   local again = known and (not known.run and known.tries < TRIES
      or known.plan and known.plan.busy)
   if not known or again then
      local run, reason, plan = wayOf(self, arguments, float)
      self.plans[number] = plan or self.plans[number]
      known = { run = run, reason = reason, plan = plan,
         tries = (known and known.tries or 0) + 1 }
      kind[number] = known
   end
   return known
end

-- Sizes that do not agree, by name.
local function checkSizes(self, arguments)
   local list, text = {}, {}
   for i, x in ipairs(arguments) do
      if isTensor(x) then
         list[#list + 1] = x
         text[#text + 1] = ('%s is %s'):format(self.program.arguments[i], shapes.text(x))
      end
   end
   if not shapes.common(list) then
      raise(('torch.fuse: sizes do not agree: %s; from the last dimension on they must be equal or '
         .. '1'):format(table.concat(text, ', ')))
   end
end

local function run(self, results, arguments, float, number)
   local chosen = way(self, number, arguments, float)
   if not chosen.run then
      checkSizes(self, arguments)
      composed(self, results, arguments, float)
   elseif not chosen.run(results, arguments, float) then
      checkSizes(self, arguments)
      th.recover()
      th.check(chosen.run(results, arguments, float) and C.TH_OK or C.TH_ERROR)
   end
end

function general(self, ...)
   local count = select('#', ...)
   local arguments, results
   if count == 1 and type((...)) == 'table' and not class.typename((...)) then
      arguments, results = byName(self, (...))
   else
      arguments, results = byPlace(self, count, ...)
   end
   local float, flags, number = examine(self, arguments)
   local given, unseen = results, 0 -- unseen: flags of results that the core is not told of
   results = {}
   for i, name in ipairs(self.program.results) do
      if given and given[i] ~= nil then
         checkResult(given[i], name, float)
         flags = flags + given[i].flags
         unseen = i > 1 and unseen + given[i].flags or unseen
         results[i] = given[i]
      else
         results[i] = like(float)
      end
   end
   if types.variables and (unseen ~= 0 or flags ~= 0 and C.TH_Gradient_recording()) then
      return require('torch.fuse.variables').call(self, run, given, arguments, float, number)
   end
   run(self, results, arguments, float, number)
   return unpack(results)
end

--- Call it: the results, new or written into tensors that stand before the arguments.
-- @usage f(a, b, c) -> y
-- f(y, a, b, c) -> y
-- f { a = a, b = b, c = c } -> y
function Fused:__call__(...)
   return self.quick(self, ...)
end

-- Past the search for an ancestor's operator, which takes longer than a small call.
rawset(Fused, '__call', Fused.__call__)

--- How a call with such arguments is carried out.
-- @param ... as for a call
-- @return 'compiled', or 'composed' and why there is no code
-- @example
-- local f = torch.fuse('y = 2 * a', { compile = false })
-- f:how(torch.ones(2)) --> 'composed', 'not asked for: compile = false'
function Fused:how(...)
   local arguments = byPlace(self, select('#', ...), ...)
   local float, _, number = examine(self, arguments)
   local chosen = way(self, number, arguments, float)
   return chosen.run and 'compiled' or 'composed', chosen.reason
end

-- The function that gives the gradients for some arguments, from the arguments and the gradients of
-- the results.
function Fused:__gradient(wanted)
   local key = table.concat(wanted, ' ')
   if not self.gradients[key] then
      local gradient = Fused.__factory()
      gradient.compile, gradient.program = self.compile, self.program:gradient(wanted)
      self.gradients[key] = prepare(gradient)
   end
   return self.gradients[key]
end

function Fused:__tostring__()
   local program = self.program
   local text = program.source:match '^%s*(.-)%s*$'
   return ('torch.Fused: %s = %s\n   %s'):format(table.concat(program.results, ', '),
      signature(self), (text:gsub('\n%s*', '\n   ')))
end

return Fused
