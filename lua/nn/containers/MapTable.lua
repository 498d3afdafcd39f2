--- One module for every entry of a table: entry i goes through the i-th clone of it.
--
-- Clones are made as they are needed, and kept; they share weights and gradients unless told
-- not to.
-- @classmod nn.MapTable
-- @usage nn.MapTable(nn.Linear(10, 5)):forward { a, b, c } -- 3 tensors
-- @example
-- local net = nn.MapTable():add(nn.Square())
-- net:forward { torch.Tensor { 2 }, torch.Tensor { 3 } }[2] --> { 9 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'
local sharing = require 'torch.sharing'

local MapTable, Branches = nn.declare('nn.MapTable', 'nn.Branches', {
   arguments = [[
      (module)  module?         the one to clone; or `add` it later
      shared    boolean = true  clones have its parameters
   ]],
})

local ALL = { 'weight', 'bias', 'gradWeight', 'gradBias' }

function MapTable:__initialize(module)
   self.output, self.gradInput = {}, {}
   self.sharedparams = { unpack(ALL) }
   if module then
      self:add(module)
   end
end

--- Set the module.
-- @param module
-- @return self
-- @raise "nn.MapTable: it has its module already"
function MapTable:add(module)
   if self.module then
      check.fail(self, 'it has its module already, expected no other: it takes one')
   end
   Branches.add(self, module)
   self.module = module
   return self
end

-- @tab[opt] names those of `sharedparams`; a script may have taken them away
local function shares_all(names)
   local there = {}
   for _, name in ipairs(names or ALL) do
      there[name] = true
   end
   for _, name in ipairs(ALL) do
      if not there[name] then
         return false
      end
   end
   return true
end

local function set(its, own)
   if torch.isTensor(its) and torch.isTensor(own) then
      its:set(own)
   end
end

-- A clone that shares what `sharedparams` names; if that is all, then the parameters of the module
-- whatever they are called there.
local function twin_of(self)
   local twin = self.module:clone(unpack(self.sharedparams or ALL))
   if shares_all(self.sharedparams) then
      local parameters, gradients = self.module:parameters()
      local its, its_gradients = twin:parameters()
      for i, p in ipairs(parameters or {}) do
         set(its[i], p)
         set(its_gradients and its_gradients[i], gradients and gradients[i])
      end
   end
   return twin
end

--- Make clones, until there are n modules.
-- @int n
function MapTable:_extend(n)
   local modules = self.modules
   for i = #modules + 1, n do
      modules[i] = self.shared and twin_of(self) or self.module:clone()
   end
end

--- Make clones or drop some, until there are n modules.
-- @int n
function MapTable:resize(n)
   self:_extend(n)
   for i = #self.modules, n + 1, -1 do
      self.modules[i] = nil
   end
end

function MapTable:__count(input)
   if torch.type(input) ~= 'table' then
      check.fail(self, 'input is %s, expected a table', check.describe(input))
   elseif not self.module then
      check.fail(self, 'it has no module yet, expected one: add(module)')
   end
   self:_extend(#input)
   return #input
end

function MapTable.__inputOf(_, input, i)
   return input[i]
end

-- Those that have something to themselves. What is shared is one: a step of each would be several.
local function each(self)
   return self.shared and shares_all(self.sharedparams) and { self.module } or self.modules
end

function MapTable:zeroGradParameters()
   for _, module in ipairs(each(self)) do
      module:zeroGradParameters()
   end
end

-- A step for each gradient, of those that clones share one.
local function update_partly(self, learningRate)
   local done = {}
   for _, module in ipairs(self.modules) do
      local parameters, gradients = module:parameters()
      parameters, gradients = nested.append({}, parameters), nested.append({}, gradients)
      for i, g in ipairs(gradients) do
         local key = sharing.key(g)
         if key and not done[key] then
            done[key] = true
            parameters[i]:add(-learningRate, g)
         end
      end
   end
end

function MapTable:updateParameters(learningRate)
   if self.shared and not shares_all(self.sharedparams) then
      update_partly(self, learningRate)
      return
   end
   for _, module in ipairs(each(self)) do
      module:updateParameters(learningRate)
   end
end

--- Share the named tensors with those of another one, which has as many modules afterwards.
-- @param container an nn.MapTable
-- @param ... names: 'weight', 'bias', 'gradWeight', …
-- @return self
function MapTable:share(container, ...)
   self:resize(#container.modules)
   return Branches.share(self, container, ...)
end

--- Replace modules in the one that is cloned; there are no other clones afterwards.
-- @func callback gets a module
-- @return what stands in the place of this module
function MapTable:replace(callback)
   self:resize(math.min(1, #self.modules))
   local out = Branches.replace(self, callback)
   self.module = self.modules[1]
   return out
end

function MapTable:clearState()
   self:resize(math.min(1, #self.modules))
   return Branches.clearState(self)
end

function MapTable:__tostring__()
   local inside = self.module and '\n  ' .. tostring(self.module):gsub('\n', '\n  ') .. '\n' or ' '
   return ('%s {%s}'):format(torch.type(self), inside)
end
