--- `nn.declare`: a class of layers or criterions from what is particular to it.
--
-- A declaration says once what a constructor takes, what shapes go in and out, and what is printed;
-- the checks, defaults, buffers, fields and texts follow. The methods that a script calls are
-- Torch7's; behind them a declared class has hooks, which `help(nn.declare)` lists. Their names
-- begin with two underscores: a class derived from a declared one may give its methods and fields
-- any plain name. Hooks get operands that are as the declaration says. A class that needs another
-- way defines `updateOutput`, `updateGradInput`, `accGradParameters` itself, as in Torch7.
-- @module nn.base.declare

local torch = require 'torch'
local own_forward = require 'nn.base.own_forward'
local types = require 'torch.types'
local class = require 'torch.class'
local registry = require 'torch.class.registry'
local arguments = require 'nn.base.arguments'
local text = require 'nn.base.text'
local methods = require 'nn.base.methods'
local raise = require('torch.errors').raise

local declarations = {} -- class -> its declaration, complete

local OPTIONS = {
   arguments = true, input = true, output = true, own = true, batch = true, text = true,
   target = true, joint = true, validate = true, version = true, tensors = true,
}

local INHERITED = {
   'input', 'output', 'own', 'batch', 'joint', 'validate', 'target', 'text', 'tensors',
}

-- The nearest constructor that was not made here: it makes the buffers. Looked up at each
-- construction, for scripts patch constructors.
local function base_constructor(parent)
   while parent do
      local init = rawget(parent, '__init')
      if init and not declarations[parent] then
         return init
      end
      parent = registry.parents[parent]
   end
end

-- The hook is this class's own: a class between it and the object's may have another, which its own
-- constructor calls.
local function install_constructor(Layer, declaration, Parent)
   local list = declaration.arguments
   function Layer:__init(...)
      base_constructor(Parent)(self)
      Layer.__initialize(self, arguments.take(self, list, ...))
   end
end

-- What a class leaves out it has from its parent.
local function inherit(declaration, parent)
   local inherited = declarations[parent] or {}
   for _, key in ipairs(INHERITED) do
      if declaration[key] == nil then
         declaration[key] = inherited[key]
      end
   end
   return inherited
end

--- Make a class of layers or criterions.
--
-- The parts of a declaration, all optional; what a class leaves out it has from its parent:
--
--    arguments  of the constructor, a line each: see nn.base.arguments
--    input      the input's shape: see nn.base.shape; 'table' for a table of tensors, 'any' for a
--               layer that checks it itself
--    tensors    of an input that is a table: how many there must be
--    output     the output's shape, and gradOutput's
--    own        the field whose element type the layer has ('output', of a criterion 'gradInput')
--    batch      true: a single sample is computed as a batch of one
--    joint      true: there is `__computeBackward(gradInput, input, gradOutput, scale)` for both
--               gradients at once
--    validate   the name of a method that checks more of an input
--    target     of a criterion: 'tensor' (the default), 'classes', 'signs' (1 and -1) or 'any'
--    text       what is printed behind the class's name: see nn.base.text
--    version    of the class's files
--
-- What the class then defines, each where it is needed, behind the methods that scripts call:
--
--    __initialize(...)          when the arguments are checked and in their fields; gets them, with
--                               their defaults
--    __computeOutput(output, input)                          output into the buffer; returns it
--    __computeGradInput(gradInput, input, gradOutput)        likewise
--    __computeGradParameters(input, gradOutput, scale)       adds scale * gradient
--    __computeBackward(gradInput, input, gradOutput, scale)  with `joint`; gradInput is nil where
--                               it is not wanted
--    __advise(input)            what to do about an input of a wrong shape: the end of the error
--    __upgrade(version)         once, on an object read from a file
--
-- A criterion has `__computeOutput(loss, input, target)`, which returns a number or a tensor that
-- begins with it, and `__computeGradInput(gradInput, input, target)`; `__refuseNaN(input, target)`
-- raises where the input explains a loss that is not a number. A layer with a weight or a bias is
-- an nn.Weighted: `__initialize` calls `self:__addWeights(sizes of weight, sizes of bias)`,
-- `__fanIn()` is the number of inputs of an output. Inputs of layers are of the layer's type and of
-- a declared shape; `self:__checkInput(input)` and `self:__checkBackward(input, gradOutput)` raise
-- where they are not.
--
-- @function nn.declare
-- @string name such as 'nn.Linear'
-- @string[opt='nn.Module'] parent a class's name
-- @tparam table declaration
-- @param[opt] module the table that gets the constructor; default by the name
-- @return the class, and its parent
-- @raise "nn.declare: nn.X: there is no class nn.Y", "no such part of a declaration: z"
local function declare(name, parent, declaration, module)
   if type(parent) == 'table' then
      parent, declaration, module = 'nn.Module', parent, declaration
   end
   local Parent = torch.getmetatable(parent)
   if not Parent then
      raise(('nn.declare: %s: there is no class %s'):format(name, tostring(parent)))
   end
   for key in pairs(declaration) do
      if not OPTIONS[key] then
         raise(('nn.declare: %s: no such part of a declaration: %s'):format(name, tostring(key)))
      end
   end
   local inherited = inherit(declaration, Parent)
   declaration.arguments = arguments.parse(name, declaration.arguments, inherited.arguments)
   local own = methods.of(Parent, declaration)

   local Layer = class.class(name, parent, module or package.loaded[name:match '^[^.]+'])
   declarations[Layer] = declaration
   Layer.__version = declaration.version or Parent.__version
   install_constructor(Layer, declaration, Parent)
   for method, f in pairs(own) do
      Layer[method] = f
   end
   if declaration.text then
      function Layer:__tostring__()
         return text.show(self, declaration.text, declaration.arguments)
      end
   end
   return Layer, Parent
end

--- The declaration of an object's class, or of the nearest parent that has one.
local function declaration_of(object)
   local Layer = registry.classOf(object)
   while Layer and not declarations[Layer] do
      Layer = registry.parents[Layer]
   end
   return declarations[Layer]
end

--- Make an object that was read from a file, or has become one of another class, complete: defaults
-- for the fields that it lacks, then its class's `__upgrade(version)`. Whatever fails names the
-- class: an error about a nil field would say nothing to who loads a net of many layers.
local function complete(object, version)
   local declaration = declaration_of(object)
   if declaration then
      arguments.complete(declaration.arguments, object)
   end
   local ok, err = pcall(object.__upgrade, object, version)
   if not ok then
      local name = torch.typename(object)
      err = tostring(err):gsub(name:gsub('%p', '%%%0') .. ': ', '', 1) -- operations name it already
      error(('%s: a field is missing, or not what its files have: %s'):format(name, err), 0)
   end
end

-- What `read` does for modules and criterions.
local function read(object, file, version)
   local fields = file:readObject()
   if type(fields) ~= 'table' then
      error(('a %s where the fields of a %s should be'):format(torch.type(fields),
         torch.type(object)), 0) -- the reader of the file adds the place
   end
   for key, value in pairs(fields) do
      object[key] = value
   end
   complete(object, version)
   if types.variables then
      own_forward.see(object)
   end
end

return { declare = declare, of = declaration_of, complete = complete, read = read }
