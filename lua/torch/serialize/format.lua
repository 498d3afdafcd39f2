--- Constants of the .t7 format, and how deep its objects may nest.
-- @module torch.serialize.format
local M = {
   NIL = 0,
   NUMBER = 1,
   STRING = 2,
   TABLE = 3,
   TORCH = 4,
   BOOLEAN = 5,
   OLDEST_FUNCTION = 6, -- read only
   OLDER_FUNCTION = 7, -- read only
   FUNCTION = 8,
}

--- Objects inside objects inside ... that a file may hold. A list of 100,000 linked nodes fits.
M.DEPTH = 100000

-- A Lua stack has room for some thousands of nested calls; a new coroutine brings a new stack.
local SEGMENT = 200

--- Run body(file, a, b) one level deeper.
-- The level is file.depth_; who catches an error resets it.
function M.descend(file, body, a, b)
   local depth = file.depth_ + 1
   if depth > M.DEPTH then
      error(('objects are nested more than %d deep; save them as flat lists'):format(M.DEPTH), 0)
   end
   file.depth_ = depth
   if depth % SEGMENT == 0 then
      local ok, message = coroutine.resume(coroutine.create(body), file, a, b)
      if not ok then
         error(message, 0)
      end
   else
      body(file, a, b)
   end
   file.depth_ = depth - 1
end

return M
