-- Loops over tables, on whichever LuaJIT th runs. Debian 12's luajit by itself ends the nested ones
-- early at about the 41,000th round: the compiler gives the outer loop up as it runs. Numbers that
-- its compiled `next` gave change with the next call.
local traversal = require 'torch.traversal'

local NESTED = [[
local inner = { 1, 2, 3 }
local outer = { a = inner, b = inner, c = inner }
local function leave_trace(...)
   for _ = 1, 100 do end
end
for round = 1, 100000 do
   leave_trace()
   local count = 0
   for _, list in %s do
      for _ in %s do end
      count = count + 1
   end
   if count ~= 3 then
      print('round ' .. round .. ': ' .. count .. ' of 3 entries')
      return
   end
end
print 'right'
]]

-- What is compiled together depends on what ran before: twenty times the same code.
local SHORT = [[
local CODE = [=[
local two = { 7, 8 }
local function measure(list)
   local last, largest = 0, 0
   for key, value in %s do
      if key > last then
         last = key
      end
      if value > largest then
         largest = value
      end
   end
   return last, largest
end
for round = 1, 200 do
   local last, largest = measure(two)
   if last ~= 2 or largest ~= 8 then
      return 'round ' .. round .. ': place ' .. last .. ', value ' .. largest
   end
end
]=]
local wrong
for _ = 1, 20 do
   wrong = wrong or loadstring(CODE)()
end
print(wrong or 'right')
]]

local STEPS = [[
local function rise(list)
   local place, value = next(list)
   local next_place, next_value = next(list, place)
   return next_place - place, next_value - value
end
for round = 1, 200 do
   local places, values = rise { 5, 9 }
   if places ~= 1 or values ~= 4 then
      print('round ' .. round .. ': ' .. places .. ' places, ' .. values .. ' up')
      return
   end
end
print 'right'
]]

local SCRIPTS = {
   ['nested, pairs'] = NESTED:format('pairs(outer)', 'pairs(list)'),
   ['nested, next'] = NESTED:format('next, outer', 'next, list'),
   ['of two rounds, pairs'] = SHORT:format 'pairs(list)',
   ['of two rounds, next'] = SHORT:format 'next, list',
   ['without a loop'] = STEPS,
}

-- A loop within LuaJIT's table.foreach, given up: the function returns a closure.
local FOREACH = [[
local entries = { 10, 20, 30, a = 1, b = 2 }
local visits, closure
for round = 1, 20000 do
   visits = 0
   table.foreach(entries, function(key)
      visits = visits + 1
      closure = function() return key end
   end)
   assert(visits == 5)
end
print 'right'
]]

local function output(command)
   local pipe = assert(io.popen(command .. ' 2>&1'))
   local text = pipe:read '*a'
   pipe:close()
   return text
end

local function with_script(code, f)
   local path = os.tmpname()
   local file = assert(io.open(path, 'w'))
   file:write(code)
   file:close()
   f(path)
   os.remove(path)
end

describe('traversals', function()
   for name, script in pairs(SCRIPTS) do
      it(name .. ', see what is there with th', function()
         with_script(script, function(path)
            assert.equal('right\n', output(os.getenv 'TH_EXECUTABLE' .. ' ' .. path))
         end)
      end)

      -- The sanitizers' run-time libraries must be preloaded, as th does.
      local without_preload = os.getenv 'LD_PRELOAD' and pending or it
      without_preload(name .. ', see what is there once torch is loaded', function()
         with_script("require 'torch'\n" .. script, function(path)
            assert.equal('right\n', output('luajit ' .. path))
         end)
      end)

      it(name .. ', fail without us only where we say that they do', function()
         with_script(script, function(path)
            if output('luajit ' .. path) ~= 'right\n' then
               assert.is_true(traversal.faulty)
            end
         end)
      end)
   end

   it('of random programs see what they see when interpreted', function()
      -- This seed goes wrong where `next` is compiled.
      local command = os.getenv 'TH_EXECUTABLE' .. ' test/support/walks/random_loops.lua 36'
      assert.equal('right\n', output(command))
   end)

   it('by table.foreach bear functions that cannot be compiled', function()
      with_script(FOREACH, function(path)
         assert.equal('right\n', output(os.getenv 'TH_EXECUTABLE' .. ' ' .. path))
      end)
   end)
end)

describe('pairs and next', function()
   it('are those of the interpreter where it is right', function()
      assert.equal(traversal.faulty and 'Lua' or 'C', debug.getinfo(next, 'S').what)
      assert.equal(traversal.faulty and 'Lua' or 'C', debug.getinfo(pairs, 'S').what)
   end)

   it('follow the order of the table, and start where they are told', function()
      local t = { 10, 20, 30, x = 1 }
      local keys = {}
      for key in pairs(t) do
         keys[#keys + 1] = key
      end
      assert.same({ 1, 2, 3, 'x' }, keys)
      assert.same({ 3, 30 }, { next(t, 2) })
      assert.is_nil(next {})
   end)

   it('let entries be removed on the way', function()
      local t = {}
      for i = 1, 100 do
         t['key' .. i] = i
      end
      for key in pairs(t) do
         t[key] = nil
      end
      assert.is_nil(next(t))
   end)

   it('refuse what is no table', function()
      for _, value in ipairs { 1, 'text', true, print } do
         assert.error_matches(function()
            pairs(value)
         end, 'table expected, got ' .. type(value))
      end
      assert.error_matches(function()
         next(nil)
      end, 'table expected')
      assert.error_matches(function()
         next({}, 'no such key')
      end, 'invalid key')
   end)
end)
