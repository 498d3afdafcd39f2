--- The names of Torch's package `dok` that scripts use: usage texts, functions with named
-- arguments, errors, help. Requiring it defines the global `dok`.
-- @module dok
require('torch.errors').library()
require 'torch'

local arguments = require 'xlua.arguments'
local errors = require 'torch.errors'

local M = {}

--- Texts before and after what is to stand out, of which there are none.
M.colors = setmetatable({}, {
   __index = function()
      return ''
   end,
})

--- A function's usage as text: xlua.usage.
-- @function usage
-- @usage dok.usage(name, description, example, { arg = 'x', type = 'number', help = 'a number' })
M.usage = arguments.usage

--- A function's arguments, by place or by name: xlua.unpack.
-- @function unpack
-- @usage local _, x = dok.unpack({ ... }, 'f', 'what it does', { arg = 'x', req = true })
M.unpack = arguments.unpack

--- Raise an error at the user's line.
-- @string message
-- @string[opt] domain the function that raises it
-- @example dok.error('missing file name', 'image.load') --> error: 'image.load: missing file name'
function M.error(message, domain)
   errors.raise(domain and ('%s: %s'):format(domain, tostring(message)) or message)
end

--- What the documentation says of a function: printed, or returned.
-- @param symbol a function, class or name
-- @bool[opt] asstring return the text
-- @usage dok.help(torch.add)
function M.help(symbol, asstring)
   local text = require('torch.help').asked(symbol)
   if asstring then
      return text
   end
   print(text)
end

--- The same text: there is no markup to be styled.
-- @function stylize
-- @string text
function M.stylize(text)
   return text
end

--- Colours are the terminal's affair: nothing is done.
-- @function usecolors
function M.usecolors() end

--- As usecolors.
-- @function dontusecolors
function M.dontusecolors() end

--- Documentation is read when it is asked for: nothing is done.
-- @function refresh
function M.refresh() end

--- Say where the documentation is.
-- @function browse
function M.browse()
   print('docs/reference has the documentation of each package; ? name at the prompt and help(f) '
      .. 'show it')
end

rawset(_G, 'dok', M)

return M
