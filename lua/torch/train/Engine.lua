--- Hooks: functions that a training calls at its stations, in the order in which they were added.
--
-- The stations have torchnet's names: `onStart`; `onStartEpoch`; for each batch `onSample`,
-- `onForward` (the network's output is there), `onForwardCriterion` (the loss),
-- `onBackwardCriterion`, `onBackward`; `onGradients` (the gradient of a step is whole), `onUpdate`
-- (the step is taken); `onEndEpoch`; `onEnd`. A part is a table with functions of those names,
-- called `part:onUpdate(state)`; plain functions are called `f(state)`. While a network is
-- evaluated, `onSample`, `onForward` and `onForwardCriterion` are called with `state.training ==
-- false`.
--
-- `state` has `network`, `criterion`, `sample` (the batch), `loss`, `epoch` (epochs that are
-- complete), `batch` (batches of this epoch), `t` (steps), `training`, `parameters`, `gradients`,
-- `row` (values of the last epoch, from `onEndEpoch` on) and `trainer`.
-- Source of the names: Collobert, van der Maaten and Joulin, "Torchnet", 2016.
-- @classmod train.Engine
-- @example
-- local train = require 'torch.train'
-- local engine, seen = train.Engine(), {}
-- engine:add { name = 'mine', onUpdate = function(self, state) seen[#seen + 1] = state.t end }
-- engine:call('onUpdate', { t = 7 })
-- seen[1] --> 7

local torch = require 'torch'
local near = require 'torch.near'
local train = require 'torch.train.module'
local options = require 'torch.options'

local Engine = torch.class('train.Engine', train)

local STATIONS = {
   'onStart', 'onStartEpoch', 'onSample', 'onForward', 'onForwardCriterion', 'onBackwardCriterion',
   'onBackward', 'onGradients', 'onUpdate', 'onEndEpoch', 'onEnd',
}
local known, small = {}, {}
for _, name in ipairs(STATIONS) do
   known[name], small[name:lower()] = true, name
end

function Engine:__init()
   self.calls = {} -- station -> list of { function, part or nil }
   for _, name in ipairs(STATIONS) do
      self.calls[name] = {}
   end
end

-- Also one that is written small, which nobody would call.
local function looks_like_hook(name)
   return type(name) == 'string' and (name:match '^on%u' or small[name:lower()] ~= nil)
end

local function check_name(name)
   if not known[name] then
      options.fail('train.Engine: there is no hook %s%s; there are %s', tostring(name),
         near.hint(name, known), table.concat(STATIONS, ', '))
   end
end

--- Add a part: an object with functions of the stations' names.
-- @param part table
-- @return part
-- @raise "train.Engine: there is no hook onUpdat; near: onUpdate"
function Engine:add(part)
   if type(part) ~= 'table' then
      options.fail('train.Engine: a part is %s, expected a table with functions by the names of '
         .. 'stations: { onUpdate = function(self, state) ... end }', options.describe(part))
   end
   for name in pairs(part) do
      if looks_like_hook(name) then
         check_name(name)
      end
   end
   for _, name in ipairs(STATIONS) do
      if part[name] then
         table.insert(self.calls[name], { part[name], part })
      end
   end
   return part
end

--- Add functions f(state), by the stations' names; entries without a name are parts.
-- @tab hooks
-- @return self
function Engine:hook(hooks)
   for name, f in pairs(hooks) do
      if type(name) ~= 'number' then
         check_name(name)
         if not options.callable(f) then
            options.fail('train.Engine: hook %s is %s, expected a function of the state', name,
               options.describe(f))
         end
         table.insert(self.calls[name], { f })
      end
   end
   for _, part in ipairs(hooks) do
      self:add(part)
   end
   return self
end

--- Call what was added for a station.
-- @string name
-- @tab state
function Engine:call(name, state)
   local list = self.calls[name]
   for i = 1, #list do
      local entry = list[i]
      if entry[2] then
         entry[1](entry[2], state)
      else
         entry[1](state)
      end
   end
end
