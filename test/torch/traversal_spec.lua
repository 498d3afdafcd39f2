-- Loops over tables, on whichever LuaJIT th runs. Both loops below end early at about the 41,000th
-- round on Debian 12's luajit by itself: the compiler gives the outer loop up as it runs.
local traversal = require 'torch.traversal'

local LOOP = [[
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

describe('nested loops', function()
   for name, iteration in pairs {
      pairs = { 'pairs(outer)', 'pairs(list)' },
      next = { 'next, outer', 'next, list' },
   } do
      it('over ' .. name .. ' see every entry with th', function()
         with_script(LOOP:format(unpack(iteration)), function(path)
            assert.equal('right\n', output(os.getenv 'TH_EXECUTABLE' .. ' ' .. path))
         end)
      end)

      -- The sanitizers' run-time libraries must be preloaded, as th does.
      local without_preload = os.getenv 'LD_PRELOAD' and pending or it
      without_preload('over ' .. name .. ' see every entry once torch is loaded', function()
         with_script("require 'torch'\n" .. LOOP:format(unpack(iteration)), function(path)
            assert.equal('right\n', output('luajit ' .. path))
         end)
      end)

      it('over ' .. name .. ' fail without us only where we say that they do', function()
         with_script(LOOP:format(unpack(iteration)), function(path)
            if output('luajit ' .. path) ~= 'right\n' then
               assert.is_true(traversal.faulty)
            end
         end)
      end)
   end
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
