--- What Torch7's packages take from dok: named arguments and their usage texts. They are xlua's.
-- Requiring it defines the global `dok`. Documents are read by `help`.
-- @module dok
require('torch.errors').library()

local xlua = require 'xlua'
local errors = require 'torch.errors'

local M = { unpack = xlua.unpack, usage = xlua.usage }

--- Raise an error of a function, at the user's line.
-- @param message string
-- @param name string, optional: the function
function M.error(message, name)
   errors.raise(name and ('%s: %s'):format(name, message) or message)
end

rawset(_G, 'dok', M)

return M
