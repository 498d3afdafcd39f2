--- A module made of modules, kept in `self.modules`.
-- @classmod nn.Container

local torch = require 'torch'
local errors = require 'torch.errors'
local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'
local passes = require 'nn.containers.passes'
local trace = require 'torch.errors.trace'
local types = require 'torch.types'

local Container, Module = torch.class('nn.Container', 'nn.Module', nn)

--- What a container's `__init` calls first: makes the buffers and the empty list `modules`.
function Container:__init(...)
   Module.__init(self, ...)
   self.modules = {}
end

--- Append a module. As in Torch7 nil adds nothing, but to nn.Sequential: classes of scripts call
-- this before they have a module, and branches may be there or not.
-- @param module a module
-- @return self
-- @raise "nn.Sequential: expected a module, got a number"
-- @example nn.Sequential():add(nn.Tanh()):add(nn.ReLU()):size() --> 2
function Container:add(module)
   if module ~= nil then
      check.module(self, module)
      table.insert(self.modules, module)
   end
   return self
end

--- The module at `index`; nil where there is none.
-- @int index from 1
-- @example torch.type(nn.Sequential():add(nn.Tanh()):get(1)) --> 'nn.Tanh'
function Container:get(index)
   return self.modules[index]
end

--- The number of modules.
-- @example nn.Sequential():add(nn.Tanh()):add(nn.ReLU()):size() --> 2
function Container:size()
   return #self.modules
end

-- The error that is on its way out through containers: what it says, and where in them it began.
local failure = {}

local function name_of(module, index)
   local name = type(module) == 'table' and rawget(module, 'name')
   return type(name) == 'string' and name or tostring(index)
end

-- What a library function says gets the module's path and class: "net.2.1: nn.Linear: …". What
-- comes with a traceback stays as Lua gave it.
local function start(module, err)
   local where, text = err:match '^([^\n]-:%d+: )(.*)$'
   local class = torch.typename(module)
   local named = where and class and not err:find('\nstack traceback:', 1, true)
   failure.head, failure.path = '', nil
   failure.where, failure.text = named and where or '', named and text or err
   failure.named = named
   if named and text:sub(1, #class + 1) ~= class .. ':' then
      failure.text = ('%s: %s'):format(class, text)
   end
end

--- Raise an error that came out of a module again: "In <place> of nn.Sequential:", then the
-- original text behind the module's path, and a traceback where that says more.
-- @param module one of the container's modules
-- @string[opt] place what the error calls it: '2 module'
-- @string step its step of the path
-- @param err as trace.keep gave it
function Container:__rethrow(module, place, step, err)
   if type(err) == 'string' then
      if err ~= failure.shown then
         start(module, err)
      end
      failure.path = failure.path and ('%s.%s'):format(step, failure.path) or step
      failure.head = ('In %s%s:\n%s'):format(place and place .. ' of ' or '', torch.type(self),
         failure.head)
      local path = ('%s.%s: '):format(name_of(self, 'net'), failure.path)
      err = failure.head .. failure.where .. (failure.named and path or '') .. failure.text
      failure.shown = err
   end
   trace.rethrow(err)
end

-- A mistake in the module whose result another was given: what is wrong there, if that is known.
local function neighbours(container, index, err)
   if type(err) ~= 'string' or not index or not torch.isTypeOf(container, 'nn.Sequential') then
      return nil
   end
   local what, state = err:match '^[^\n]*: (%a+) is (%a+)[ ,]'
   local method = what == 'input' and 'updateOutput' or what == 'gradOutput' and 'updateGradInput'
   local other = container.modules[what == 'input' and index - 1 or index + 1]
   if not method or not other then
      return nil
   end
   local name = torch.typename(other)
   if state == 'nil' then
      return ("; %s's %s (module %d) returned nothing: it ends with return self.%s"):format(name,
         method, what == 'input' and index - 1 or index + 1,
         what == 'input' and 'output' or 'gradInput')
   elseif state == 'empty' and other[method] == Module[method] then
      return ('; %s (module %d) has no %s: define it'):format(name,
         what == 'input' and index - 1 or index + 1, method)
   elseif state == 'empty' and what == 'input' and torch.isTensor(other.output)
      and other.output:nElement() == 0 -- a layer of ours knows what it leaves
      and not errors.isLibrary(debug.getinfo(other.updateOutput, 'S').source) then
      return ("; %s's updateOutput (module %d) has left self.output empty: set it, and return it")
         :format(name, index - 1)
   end
end

local function pass_on(container, module, index, ok, ...)
   if not ok then
      local err = ...
      if err ~= failure.shown then
         local hint = neighbours(container, index, err)
         err = hint and err .. hint or err
      end
      container:__rethrow(module, index and index .. ' module', name_of(module, index or '?'), err)
   end
   return ...
end

--- Call `module[funcName](module, …)`; an error is raised again with its place in this container:
-- "In 2 module of nn.Sequential:", then the original text behind the module's path, "net.2: ", and
-- a traceback where that says more. A module's step of the path is its field `name` or its index.
-- @param module one of the container's modules
-- @int[opt] moduleIndex its index
-- @string funcName the method to call
-- @param ... its arguments
function Container:rethrowErrors(module, moduleIndex, funcName, ...)
   return pass_on(self, module, moduleIndex, xpcall(module[funcName], trace.keep, module, ...))
end

--- Call a method that takes a gradient on a module: see nn.containers.passes.
-- @int index
-- @string method
-- @param input what the module was given
-- @param gradOutput
-- @number[opt] factor
-- @return the module's gradInput; after a method for parameters only, that of the call before
function Container:__back(index, method, input, gradOutput, factor)
   local module = self.modules[index]
   local gradInput = self:rethrowErrors(module, index, method, input, gradOutput, factor)
   if passes.gives_gradient[method] then
      return gradInput
   end
   return module.gradInput
end

--- Raise again what a call of a module raised, with more text; the path still comes before it.
-- @param err
-- @string text
function Container.__explain(err, text)
   if type(err) == 'string' then
      local shown = err .. text
      if err == failure.shown then
         failure.text, failure.shown = failure.text .. text, shown
      end
      err = shown
   end
   trace.rethrow(err)
end

--- Call `func` on each module (not on those inside them).
-- @func func gets a module
function Container:applyToModules(func)
   for _, module in ipairs(self.modules) do
      func(module)
   end
end

function Container:zeroGradParameters()
   for _, module in ipairs(self.modules) do
      module:zeroGradParameters()
   end
end

function Container:updateParameters(learningRate)
   for _, module in ipairs(self.modules) do
      module:updateParameters(learningRate)
   end
end

function Container:training()
   for _, module in ipairs(self.modules) do
      module:training()
   end
   Module.training(self)
end

function Container:evaluate()
   for _, module in ipairs(self.modules) do
      module:evaluate()
   end
   Module.evaluate(self)
end

--- Share the named tensors of all modules with those of `container`, which has the same structure.
-- @param container a container
-- @param ... names: 'weight', 'bias', 'gradWeight', …
-- @return self
function Container:share(container, ...)
   for i, module in ipairs(self.modules) do
      module:share(container.modules[i], ...)
   end
   return self
end

function Container:reset(stdv)
   for _, module in ipairs(self.modules) do
      module:reset(stdv)
   end
end

--- The parameters of all modules and their gradients, in two lists without nesting.
-- @treturn table tensors
-- @treturn table gradients; fewer where a module has none for its parameters
function Container:parameters()
   local weights, gradients = {}, {}
   for _, module in ipairs(self.modules) do
      local w, g = module:parameters()
      nested.append(weights, w)
      nested.append(gradients, g)
   end
   return weights, gradients
end

-- What a class keeps from pass to pass, for `clearState` to drop.
Container.__buffers = {}

-- output and gradInput are those of the modules, or the user's own: let go of them, do not empty
-- them.
function Container:clearState()
   if types.variables then
      require('nn.base.twins').clear(self)
   end
   for _, name in ipairs(self.__buffers) do
      self[name] = nil
   end
   self.output, self.gradInput = nested.released(self.output), nested.released(self.gradInput)
   for _, module in ipairs(self.modules) do
      module:clearState()
   end
   return self
end
