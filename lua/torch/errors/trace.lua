--- Errors that are caught on their way out and raised again: containers and the seam do so.
--
-- Raising again loses the stack, so `keep` puts it into the message, once, and not behind an error
-- that blames the user's line and says all there is to say.
-- @module torch.errors.trace

local errors = require 'torch.errors'

local M = {}

local last -- what was raised again

--- Raise what `keep` has seen.
function M.rethrow(err)
   last = err
   error(err, 0)
end

--- The handler for xpcall.
function M.keep(err)
   local frame = debug.getinfo(3, 'f')
   -- It may have been caught and raised by others in between, by cutorch.withDevice for one.
   if type(err) ~= 'string' or err == last or frame and frame.func == errors.raise then
      return err
   end
   local traced = debug.traceback(err, 2) -- a tail call would be a frame less: without the culprit
   return traced
end

local function left(behind, ok, ...)
   behind(ok)
   if not ok then
      M.rethrow((...))
   end
   return ...
end

--- f(...), and then, whether it has raised an error or not, behind(ok), which puts back what was
-- changed for it. The error is raised again.
-- @func behind
-- @func f
-- @return what f returns
function M.finally(behind, f, ...)
   return left(behind, xpcall(f, M.keep, ...))
end

return M
