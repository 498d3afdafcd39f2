--- The options that each optimiser has, declared once: their names and defaults, and what else its
-- state holds. An option that it does not have, and that is near to one of its own, or PyTorch's
-- name for one, is named on stderr: it would leave training with the default without a word.
-- @module optim.options

local torch = require 'torch'
local near = require 'torch.near'
local numeric = require('torch.arguments').numeric
local sorted_keys = require 'xlua.sorted_keys'

local M = {}

--- optimiser's name -> name of an option -> its default; false where that is computed or there is
-- none.
M.of = {}

local fields = {} -- optimiser's name -> name -> true, of what its state holds

-- Whoever asks step.rate, of which learningRateDecay is part, has these, too.
local OF_RATE = { schedule = false, scheduleEvery = 1 }

-- PyTorch's names that are not near ours.
local elsewhere = {
   lr = 'learningRate', betas = 'beta1, beta2', eps = 'epsilon', wd = 'weightDecay',
   l2 = 'weightDecay', gamma = 'learningRateDecay', decay = 'learningRateDecay',
}

--- Declare an optimiser.
-- @string name
-- @tab options name -> default, or false
-- @string state names of what its state holds, separated by spaces
-- @return options
function M.declare(name, options, state)
   if options.learningRateDecay then
      for option, default in pairs(OF_RATE) do
         options[option] = options[option] or default
      end
   end
   M.of[name], fields[name] = options, {}
   for field in state:gmatch '%S+' do
      fields[name][field] = true
   end
   return options
end

--- What an option that is not there may be meant for; nil for other fields of a script's table.
-- @string name of the optimiser
-- @string option
function M.proposal(name, option)
   local ours = elsewhere[option]
   if not ours or M.of[name][ours:match '^%w+'] == nil then
      ours = near.names(option, sorted_keys(M.of[name]))[1]
   end
   return ours
end

-- The names in `config` that are no options. One that is also the state of earlier steps, of
-- Torch7's perhaps, has tensors and lists that nobody declared.
local function unknown(name, config)
   local options, state = M.of[name], fields[name]
   local resumed = false
   for field in pairs(state) do
      resumed = resumed or rawget(config, field) ~= nil
   end
   local names = {}
   for option, value in pairs(config) do
      local kept = resumed and (type(value) == 'table' or torch.typename(value))
      if type(option) == 'string' and options[option] == nil and not state[option] and not kept then
         names[#names + 1] = option
      end
   end
   table.sort(names)
   return names
end

local seen = setmetatable({}, { __mode = 'k' }) -- states, configs
local told = {} -- 'adam lr' -> true

-- Torch7 takes '0.1' for a number.
local function read_numbers(name, config)
   local meta = getmetatable(config)
   if type(meta) == 'table' and meta.__newindex then
      return
   end
   for option, default in pairs(M.of[name]) do
      if type(config[option]) == 'string' and type(default) ~= 'string'
         and option ~= 'learningRate' then -- step.rate reads that
         config[option] = numeric(config[option]) or config[option]
      end
   end
end

--- At the first step of a state: numbers that came as text become numbers, and options that look
-- misspelled, or are PyTorch's, are named, each once. Other fields are the script's own affair: its
-- table may hold more than the optimiser's options.
-- @string name the optimiser; others than declared ones may have any options
-- @tab config its options
-- @tab state where the next step goes on
function M.check(name, config, state)
   if seen[state] or not M.of[name] then
      return
   end
   local known = seen[config]
   seen[state], seen[config] = true, true
   if known then
      return
   end
   read_numbers(name, config)
   local words = {}
   for _, option in ipairs(unknown(name, config)) do
      local ours, key = M.proposal(name, option), name .. ' ' .. option
      if ours and not told[key] then
         told[key] = true
         words[#words + 1] = ('%s (%s?)'):format(option, ours)
      end
   end
   if #words > 0 then
      io.stderr:write(('optim: warning: %s has no option %s; it has %s\n'):format(name,
         table.concat(words, ', '), table.concat(sorted_keys(M.of[name]), ', ')))
   end
end

return M
