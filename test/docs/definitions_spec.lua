local paths = require 'paths'
local read = require('test.support.shell').read

local th = os.getenv 'TH_EXECUTABLE'

local function outputOf(command, ...)
   local pipe = io.popen(command:format(...) .. ' 2>&1')
   local text = pipe:read '*a'
   pipe:close()
   return text
end

local first = { ['torch.lua'] = 1, ['nn.lua'] = 2 }

local function files()
   local list = {}
   for name in paths.files 'docs/definitions' do
      if name:match '%.lua$' then
         list[#list + 1] = 'docs/definitions/' .. name
      end
   end
   table.sort(list, function(a, b) -- some packages add to torch and nn
      local x, y = first[paths.basename(a)] or 3, first[paths.basename(b)] or 3
      return x < y or x == y and a < b
   end)
   return list
end

-- Run all files, as a program that defines tables and empty functions, in globals of their own.
local function definitions()
   local globals = { table = {}, string = {} }
   for _, path in ipairs(files()) do
      globals[path:match '(%w+)%.lua$'] = setfenv(assert(loadfile(path)), globals)()
   end
   return globals
end

local function reach(globals, name)
   local at = globals
   if io.open('docs/definitions/' .. (name:match '^%w+%.%w+' or '') .. '.lua') then
      name = name:match '%.(.*)' -- of a package within a package, a local by its last name
   end
   for part in name:gsub('^Tensor:', 'torch.Tensor.'):gsub('^Storage:', 'torch.Storage.')
      :gsub(':', '.'):gmatch '[^.]+' do
      at = type(at) == 'table' and at[part] or nil
   end
   return at
end

-- A type: names with points, [] behind, alternatives; what is left of it otherwise.
local function isType(text)
   for word in (text .. '|'):gmatch '([^|]*)|' do
      if not word:match '^[%a_][%w_.]*[%[%]]*$' then
         return false
      end
   end
   return true
end

local function isFunction(text)
   local arguments, result = text:match '^fun(%b())(.*)$'
   if not arguments then
      return false
   end
   for word in arguments:sub(2, -2):gmatch '[^,]+' do
      local kind = word:match '^%s*[%a_][%w_]*%??: (.+)$' or word:match '^%s*%.%.%.: (.+)$'
      if not kind or not isType(kind) then
         return false
      end
   end
   for word in result:gsub('^: ', ''):gmatch '[^,]+' do
      if not isType(word:match '^%s*(.-)%s*$') then
         return false
      end
   end
   return true
end

-- LuaLS' annotations, as far as we use them.
local rules = {
   meta = function(rest) return rest:match '^[%w.]+$' end,
   class = function(rest)
      local name, parent = rest:match '^([%w_.]+): ([%w_.]+)$'
      return rest:match '^[%w_.]+$' or name ~= parent
   end,
   field = function(rest)
      local kind = rest:match '^[%a_][%w_]* (%S+)$' or rest:match '^%[any%] (%S+)$'
      return kind and isType(kind)
   end,
   param = function(rest)
      local kind = rest:match '^[%a_][%w_]*%?? (%S+)' or rest:match '^%.%.%. (%S+)'
      return kind and isType(kind)
   end,
   ['return'] = isType,
   overload = isFunction,
   operator = function(rest)
      return rest:match '^%a+: [%w_.]+$' or rest:match '^%a+%([%w_.|]+%): [%w_.]+$'
   end,
}

describe('docs/definitions', function()
   it('is what the docstrings say (if not, run th docs/make_definitions.lua)', function()
      local made = os.tmpname()
      os.remove(made)
      assert.equal('', outputOf("cp -r docs/definitions '%s'", made))
      assert.equal('', outputOf("'%s' docs/make_definitions.lua '%s'", th, made))
      assert.equal('', outputOf("diff -r docs/definitions '%s'", made))
      paths.rmall(made, 'yes')
   end)

   it('has every name of the index', function()
      local globals, count = definitions(), 0
      for name in read('docs/reference/index.md'):gmatch '\n%* %[`([^`]+)`%]' do
         assert(reach(globals, name) ~= nil, name)
         count = count + 1
      end
      assert.is_true(count > 1400)
   end)

   it('is written in LuaLS annotations', function()
      local count, classes = 0, {}
      for _, path in ipairs(files()) do
         for line in io.lines(path) do
            local tag, rest = line:match '^%-%-%-@(%a+) ?(.*)$'
            if tag then
               assert(rules[tag] and rules[tag](rest), path .. ': ' .. line)
               classes[tag == 'class' and rest:match '^[%w_.]+' or ''] = true
               count = count + 1
            end
         end
      end
      assert.is_true(count > 3000, count)
      for _, path in ipairs(files()) do -- no class that is not there
         for line in io.lines(path) do
            local tag, rest = line:match '^%-%-%-@(%a+) (.*)$'
            local kind = tag == 'param' and rest:match '^%S+ (%S+)' or rest or ''
            for name in kind:gmatch '%f[%w_.]%l+%.%u[%w_]+' do
               assert(classes[name], ('%s: %s is no class: %s'):format(path, name, line))
            end
         end
      end
   end)
end)
