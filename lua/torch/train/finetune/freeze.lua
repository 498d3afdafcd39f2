--- Parameters that stay as they are, and parts of a network that are exchanged.
-- @module torch.train.finetune.freeze

local torch = require 'torch'
local options = require 'torch.options'
local there = require 'torch.train.there'
local train = require 'torch.train.module'

local fail = options.fail

-- '1.*' -> a pattern of Lua's: * is any text.
local function pattern_of(text)
   return '^' .. text:gsub('[%^%$%(%)%%%.%[%]%+%-%?]', '%%%0'):gsub('%*', '.*') .. '$'
end

local function matching(model, pattern, title)
   if type(pattern) ~= 'string' then
      fail("%s: the pattern is %s, expected a name such as '1.weight', '3' or 'features.*'", title,
         options.describe(pattern))
   end
   local found, names = {}, {}
   local lua = pattern_of(pattern)
   for _, entry in ipairs(train.tensors(model)) do
      names[entry.name] = true
      if entry.gradient and (entry.name:match(lua) or entry.path:match(lua)
         or entry.name:sub(1, #pattern + 1) == pattern .. '.') then
         found[#found + 1] = entry
      end
   end
   if #found == 0 then
      fail("%s: no parameter is named '%s'%s", title, pattern, there(pattern, names))
   end
   return found
end

--- The parameters whose name, or whose layer's path, matches.
-- @param model nn.Module
-- @string pattern a name ('1.weight'), a path ('1', with all below), or either with * for any text
-- @return list of tensors
-- @raise "train.select: no parameter is named 'feature.*'; near: features.1"
-- @example
-- local nn, train = require 'nn', require 'torch.train'
-- local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Linear(2, 1))
-- #train.select(net, '1'), #train.select(net, '*.weight') --> 2, 2
function train.select(model, pattern)
   local list = {}
   for i, entry in ipairs(matching(model, pattern, 'train.select')) do
      list[i] = entry.tensor
   end
   return list
end

local function field_of(entry)
   return entry.name:match '[^.]+$'
end

--- Those of `train.select` that are not frozen.
function train.__learning(model, pattern)
   local list = {}
   for _, entry in ipairs(matching(model, pattern, 'train.select')) do
      if not train.isFrozen(entry) then
         list[#list + 1] = entry.tensor
      end
   end
   return list
end

--- Keep parameters as they are: a Trainer that is made afterwards leaves them out of its steps.
-- The layer says so in its field `frozen`, which is saved with it. Running statistics of
-- normalisations still follow the data in training.
-- @param model nn.Module
-- @string pattern as for `train.select`
-- @return how many elements
-- @example
-- local nn, train = require 'nn', require 'torch.train'
-- local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Linear(2, 1))
-- train.freeze(net, '1') --> 8
function train.freeze(model, pattern)
   local count = 0
   for _, entry in ipairs(matching(model, pattern, 'train.freeze')) do
      local frozen = rawget(entry.module, 'frozen')
      frozen = type(frozen) == 'table' and frozen or {}
      frozen[field_of(entry)] = true
      entry.module.frozen = frozen
      count = count + entry.tensor:nElement()
   end
   return count
end

--- Let parameters that were frozen learn again.
-- @param model nn.Module
-- @string pattern as for `train.select`
function train.unfreeze(model, pattern)
   for _, entry in ipairs(matching(model, pattern, 'train.unfreeze')) do
      local frozen = rawget(entry.module, 'frozen')
      if type(frozen) == 'table' then
         frozen[field_of(entry)] = nil
      end
   end
end

--- Whether a parameter is frozen.
-- @tab entry of `train.tensors`
function train.isFrozen(entry)
   local frozen = rawget(entry.module, 'frozen')
   return type(frozen) == 'table' and frozen[field_of(entry)] == true
end

--- The parameters that learn.
-- @param model nn.Module
-- @return list as of `train.tensors`, and whether some others are frozen
function train.trainable(model)
   local list, partly = {}, false
   if torch.isTypeOf(model, 'nn.DataParallelTable') then
      model = model:get(1)
   end
   for _, entry in ipairs(train.tensors(model)) do
      if entry.gradient and train.isFrozen(entry) then
         partly = true
      elseif entry.gradient then
         list[#list + 1] = entry
      end
   end
   return list, partly
end

-- The place of a child by its number or name; nil and the names that there are.
local function place_of(children, part)
   local names = {}
   for i, child in ipairs(children) do
      local name = rawget(child, 'name')
      if tostring(i) == part or name == part then
         return i
      end
      names[tostring(i)], names[name or tostring(i)] = true, true
   end
   return nil, names
end

-- The list that a module is in, and its place there.
local function locate(model, path)
   local children, place = { model }, 1
   for part in tostring(path):gmatch '[^.]+' do
      children = children[place].modules or {}
      local names
      place, names = place_of(children, part)
      if not place then
         fail('train.replace: there is no module at %s%s', tostring(path), there(part, names))
      end
   end
   return children, place
end

--- Put another module in the place of one: the last layer of a classifier, say.
-- @param model nn.Module
-- @string path places in containers, or names: '7', 'features.3'
-- @param module what comes there, of the same type of tensors
-- @return the module that was there
-- @raise "train.replace: there is no module at 9; near: 7, 8"
-- @example
-- local nn, train = require 'nn', require 'torch.train'
-- local net = nn.Sequential():add(nn.Linear(3, 8)):add(nn.ReLU()):add(nn.Linear(8, 1000))
-- train.replace(net, '3', nn.Linear(8, 2))
-- #net:forward(torch.randn(4, 3)) --> { 4, 2 }
function train.replace(model, path, module)
   if not torch.isTypeOf(module, 'nn.Module') then
      fail('train.replace: expected a module, got %s', options.describe(module))
   end
   local children, place = locate(model, path)
   local at = children[place]
   if at:type() ~= module:type() then
      fail("train.replace: the module at %s is a %s, the new one a %s; new:type('%s') converts it",
         tostring(path), at:type(), module:type(), at:type())
   end
   if rawget(at, 'name') and not rawget(module, 'name') then
      module.name = at.name
   end
   children[place] = module
   return at
end
