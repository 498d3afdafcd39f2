--- Tables of options: a name that is not there is an error which says what is near, and a value of
-- another kind one that says what came and what was expected.
--
-- A kind is a name (number, positive, share, count, natural, boolean, text, call, list, tensor,
-- dataset, any), or a list of the values that there are.
-- @module torch.options
local th = require 'torch.ffi'
local class = require 'torch.class'
local near = require 'torch.near'
local registry = require 'torch.class.registry'
local shapes = require 'torch.functions.shapes'
local types = require 'torch.types'
local raise = require('torch.errors').raise
local sorted_keys = require 'xlua.sorted_keys'

local type = type -- torch puts its own in the global's place

local M = {}

local LONGEST = 40 -- characters of a string in a message

--- Whether a value can be called.
function M.callable(x)
   if type(x) == 'function' then
      return true
   end
   local meta = debug.getmetatable(x)
   if type(meta) ~= 'table' then
      return false
   elseif class.typename(x) then -- the metatable of every class has __call
      return type(x.__call__) == 'function'
   end
   return meta.__call ~= nil
end

-- The name of a class, by what torch.class returns or by what is called for an object.
local function class_name(x)
   return x ~= nil and registry.names[registry.constructors[x] or x] or nil
end

--- What a value is, in a few words for messages: "nil", "2x3 FloatTensor", "'train'", "the class
-- nn.Linear".
function M.describe(x)
   if th.isTensor(x) then
      return shapes.text(x) .. ' ' .. class.type(x):gsub('^torch%.', '')
   elseif type(x) == 'string' then
      return ("'%s'"):format(#x > LONGEST and x:sub(1, LONGEST - 3) .. '...' or x)
   elseif type(x) == 'number' or type(x) == 'boolean' or x == nil then
      return tostring(x)
   elseif class_name(x) then
      return 'the class ' .. class_name(x)
   end
   return 'a ' .. class.type(x)
end

--- The end of a message about a class, where one of its objects is wanted; '' for anything else.
function M.brackets(x)
   local name = class_name(x)
   return name and ('; with brackets it is one: %s()'):format(name) or ''
end

local function number(x)
   return type(x) == 'number' and x == x
end

local function whole(x)
   return number(x) and x == math.floor(x)
end

-- kind -> what it is in words, and the test
local kinds = {
   number = { 'a number', number },
   count = { 'a whole number from 1 on', function(x) return whole(x) and x >= 1 end },
   natural = { 'a whole number from 0 on', function(x) return whole(x) and x >= 0 end },
   share = { 'a number from 0 to 1', function(x) return number(x) and x >= 0 and x <= 1 end },
   positive = { 'a number above 0', function(x) return number(x) and x > 0 end },
   boolean = { 'true or false', function(x) return type(x) == 'boolean' end },
   text = { 'a string', function(x) return type(x) == 'string' end },
   call = { 'a function', M.callable },
   list = { 'a table', function(x) return type(x) == 'table' end },
   tensor = { 'a tensor', function(x) return th.isTensor(x) end },
   type = { "a type of tensors such as 'torch.FloatTensor'", function(x)
      return types.numbers[x] ~= nil and x:find('Tensor$') ~= nil
   end },
   dataset = { 'an object with the methods size and get', function(x)
      return type(x) == 'table' and M.callable(x.size) and M.callable(x.get)
   end },
   any = { 'a value', function() return true end },
}

-- Whether a value is of a kind; what the kind is in words.
local function fits(value, kind)
   if type(kind) == 'string' then
      return kinds[kind][2](value), kinds[kind][1]
   end
   local shown = {}
   for i, one in ipairs(kind) do
      if value == one then
         return true
      end
      shown[i] = M.describe(one)
   end
   return false, table.concat(shown, ', ', 1, #shown - 1) .. ' or ' .. shown[#shown]
end

--- The value, if it is of a kind.
-- @string operation for messages
-- @string name what the value is
-- @raise "dataset.Loader: batchSize is 0, expected a whole number from 1 on"
function M.value(operation, name, value, kind)
   local fine, words = fits(value, kind)
   if not fine then
      raise(('%s: %s is %s, expected %s'):format(operation, name, M.describe(value), words))
   end
   return value
end

-- What options are called elsewhere: ours, of which the first is proposed that there is. What
-- differs by case and underscores, or has ours within, needs no row: batch_size, num_workers.
local synonyms = {
   net = 'model', network = 'model', module = 'model',
   lr = 'learningRate', rate = 'learningRate', wd = 'weightDecay', eps = 'epsilon',
   bs = 'batchSize', batch = 'batchSize', opt = 'optimizer',
   dataset = 'data', data = 'dataset', loader = 'data dataset', train = 'data part',
   train_loader = 'data', trainset = 'data', split = 'part',
   val = 'validation', valid = 'validation', dev = 'validation', eval = 'validation',
   loss_fn = 'criterion loss', cost = 'criterion loss', objective = 'criterion loss',
   gpu = 'device', gpus = 'device', cuda = 'device', amp = 'precision', fp16 = 'precision',
   bf16 = 'precision', dtype = 'precision type', callbacks = 'hooks', verbose = 'log',
   progress = 'log', ckpt = 'checkpoint', save = 'checkpoint',
   patience = 'stopEarly', early_stopping = 'stopEarly', ema = 'average', swa = 'average',
   root = 'folder path', dir = 'folder path', directory = 'folder path', path = 'folder file',
   file = 'path', filename = 'path file', n = 'count', limit = 'count', size = 'count',
   num_samples = 'count', random_state = 'seed', manual_seed = 'seed', nproc = 'workers',
   threads = 'workers', pin_memory = 'pin', x = 'input', inputs = 'input', y = 'target',
   labels = 'target',
}

local LEAST = 4 -- letters of a name that lies within another

-- Names that lie within the wanted one, or that it lies within: opset_version, optim.
local function within(wanted, declared)
   local target, found = wanted:lower():gsub('_', ''), {}
   for _, name in ipairs(sorted_keys(declared)) do
      local own = tostring(name):lower()
      local short, long = #own < #target and own or target, #own < #target and target or own
      if #short >= LEAST and long:find(short, 1, true) then
         found[#found + 1] = name
      end
   end
   return found
end

--- What an option may be meant for that there is not: the end of a message; '' where nothing is
-- near.
-- @string wanted
-- @tab declared table that has the options for keys
function M.hint(wanted, declared)
   wanted = tostring(wanted)
   for ours in (synonyms[wanted] or ''):gmatch '%S+' do
      if declared[ours] ~= nil then
         return '; here it is ' .. ours
      end
   end
   local hint = near.hint(wanted, declared)
   local inner = hint == '' and within(wanted, declared) or {}
   return #inner > 0 and '; near: ' .. table.concat(inner, ', ', 1, math.min(3, #inner)) or hint
end

local function all(declared)
   return '; the options are ' .. table.concat(sorted_keys(declared), ', ')
end

-- The call that was meant, where one option must be there and what came may be its value.
local function meant(operation, given, declared)
   local required = {}
   for name, row in pairs(declared) do
      required[#required + 1] = type(row) == 'table' and row.required and name or nil
   end
   local name = #required == 1 and required[1]
   return name and fits(given, declared[name][1]) and (': %s { %s = %s }'):format(operation, name,
      type(given) == 'string' and M.describe(given) or '...') or all(declared)
end

local function check_table(operation, given, declared)
   if type(given) ~= 'table' or class.typename(given) then
      raise(('%s: expected a table of options, got %s%s'):format(operation, M.describe(given),
         meant(operation, given, declared)))
   end
end

local function unknown(operation, name, declared)
   local hint = M.hint(name, declared)
   raise(("%s: there is no option '%s'%s"):format(operation, tostring(name),
      hint ~= '' and hint or all(declared)))
end

--- Check a table of options: no name but the declared ones, and values of their kinds.
-- @string operation for messages
-- @param given table, or nil for none
-- @tab declared name -> kind
-- @return given, or an empty table
-- @raise "train.Trainer: there is no option 'optimizr'; near: optimizer"
function M.check(operation, given, declared)
   given = given == nil and {} or given
   check_table(operation, given, declared)
   for name, value in pairs(given) do
      M.value(operation, name, value, declared[name] or unknown(operation, name, declared))
   end
   return given
end

--- Read a table of options.
-- @string operation for messages
-- @param given what the user gave: a table, or nil for none; strings of numbers are numbers
-- @tparam table declared name -> { kind, default }, or { kind, required = true }; what is required
-- may be a text, which says what is wanted
-- @return table of the values and defaults
-- @raise "dataset.Mnist: the option 'folder' is missing: a string"
function M.read(operation, given, declared)
   given = given == nil and {} or given
   check_table(operation, given, declared)
   local values = {}
   for name, value in pairs(given) do
      local row = declared[name] or unknown(operation, name, declared)
      if type(value) == 'string' and row[1] ~= 'text' and row[1] ~= 'any' then
         value = tonumber(value) or value
      end
      values[name] = M.value(operation, name, value, row[1])
   end
   for name, row in pairs(declared) do
      if values[name] == nil then
         if row.required then
            raise(("%s: the option '%s' is missing: %s"):format(operation, name,
               type(row.required) == 'string' and row.required or select(2, fits(nil, row[1]))))
         end
         values[name] = row[2]
      end
   end
   return values
end

--- Raise with a text that is put together.
function M.fail(text, ...)
   raise(text:format(...))
end

return M
