--- Sound loops over tables on a LuaJIT that compiles them wrongly.
--
-- LuaJIT compiles `next`, and `for k, v in pairs(t)` by instructions of its own. From their
-- beginning in September 2021 to July 2022 there were two faults:
--
-- 1. A loop that the compiler gave up as it ran (it nests, or recurses) could go on with a trace
--    that took a key for a position: it ends early, starts again or crashes.
-- 2. On x64, numbers that `next` gives to a trace lie in two places on the stack, where its next
--    call overwrites them. A key or value whose last use is a comparison or arithmetic was read
--    from there even after that call: of { 'a', 'b' }, the second key is not above the first.
--
-- Debian 12's luajit has both; luajit2, OpenResty's branch of 2023, neither. The faulty versions
-- get a `next` and a `pairs` that are Lua functions, by which a loop is an ordinary one (1), and
-- that `next` is not compiled (2): such loops are interpreted, in what is loaded afterwards.
--
-- On both, table.foreach fails ("attempt to call a nil value") once the compiler has
-- given its loop up for good, after functions that it cannot compile. It is a loop of ours here.
-- Source: issue 827 of LuaJIT, mended by its commits 1cdff194 and 32984282; e1339aed mends (2).
-- @module torch.traversal
local M = {}

-- OpenResty's branch kept the name of that beta; it alone has prngstate.
M.faulty = jit.version_num == 20100 and not jit.prngstate

local function check(name, i, value, wanted)
   local kind = type(value)
   if kind ~= wanted then
      error(("bad argument #%d to '%s' (%s expected, got %s)"):format(i, name, wanted, kind), 3)
   end
end

if M.faulty and debug.getinfo(next, 'S').what == 'C' then
   local builtin_next, builtin_pairs = next, pairs

   local function follow(t, key)
      return builtin_next(t, key)
   end
   jit.off(follow)

   local function traverse(t)
      local kind = type(t)
      if kind ~= 'cdata' and kind ~= 'userdata' then
         check('pairs', 1, t, 'table')
      end
      local iterator, state, first = builtin_pairs(t)
      if iterator == builtin_next then
         iterator = follow
      end
      return iterator, state, first
   end

   _G.next, _G.pairs = follow, traverse
end

local function foreach(t, f)
   check('foreach', 1, t, 'table')
   check('foreach', 2, f, 'function')
   for key, value in next, t do
      local result = f(key, value)
      if result ~= nil then
         return result
      end
   end
end
rawset(table, 'foreach', foreach)

return M
