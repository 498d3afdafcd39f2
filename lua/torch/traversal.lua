--- Sound loops over tables on a LuaJIT that compiles them wrongly.
--
-- LuaJIT compiles `for k, v in pairs(t)` by instructions of its own. From their beginning in
-- September 2021 to July 2022 a loop that the compiler gave up as it ran (it nests, or recurses)
-- could go on with a trace that took a key for a position: it ends early, starts again or crashes.
-- Debian 12's luajit lies between; luajit2, OpenResty's branch of 2023, is right. With iterators
-- that are Lua functions such loops are ordinary ones, so the faulty versions get a `next` and a
-- `pairs` that are. It takes effect for what is loaded afterwards.
-- Source: issue 827 of LuaJIT, mended by its commits 1cdff194 and 32984282.
-- @module torch.traversal
local M = {}

-- OpenResty's branch kept the name of that beta; it alone has prngstate.
M.faulty = jit.version_num == 20100 and not jit.prngstate

if M.faulty and debug.getinfo(next, 'S').what == 'C' then
   local builtin_next, builtin_pairs = next, pairs

   local function follow(t, key)
      return builtin_next(t, key)
   end

   local function traverse(t)
      local kind = type(t)
      if kind ~= 'table' and kind ~= 'cdata' and kind ~= 'userdata' then
         error(("bad argument #1 to 'pairs' (table expected, got %s)"):format(kind), 2)
      end
      local iterator, state, first = builtin_pairs(t)
      if iterator == builtin_next then
         iterator = follow
      end
      return iterator, state, first
   end

   _G.next, _G.pairs = follow, traverse
end

return M
