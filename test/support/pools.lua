--- Pools of threads that end with the test.
local threads = require 'threads'

local M = {}

--- f(pool, results of the init functions), and the pool's end whatever becomes of it.
-- @int n threads
-- @func f
-- @param ... init functions
function M.with(n, f, ...)
   local pool, results = threads.Threads(n, ...)
   local ok, message = pcall(f, pool, results)
   pool:cancel()
   pool:terminate()
   if not ok then
      error(message, 0)
   end
end

return M
