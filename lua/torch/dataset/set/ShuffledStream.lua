local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'
local samplers = require 'torch.dataset.sampler.common'

--- A stream whose samples come mixed: a buffer is filled, and each sample that is given is drawn
-- from it and replaced by the next one.
-- @param source stream: an object with stream(epoch, seed), or function(epoch) -> function
-- @number size of the buffer
-- @usage dataset.ShuffledStream(source, size)
-- @type dataset.ShuffledStream
-- @example
-- local dataset = require 'torch.dataset'
-- local function count()
--    local i = 0
--    return function() i = i + 1; return i <= 5 and i or nil end
-- end
-- local sum = 0
-- for x in dataset.ShuffledStream(count, 3):stream(1, 7) do sum = sum + x end
-- sum --> 15
local Stream = torch.class('dataset.ShuffledStream', require 'torch.dataset.module')

function Stream:__init(source, size)
   if not options.callable(source) and not (type(source) == 'table'
      and options.callable(source.stream)) then
      errors.raise(('dataset.ShuffledStream: wanted a stream, an object with the method stream or '
         .. 'a function; got %s'):format(options.describe(source)))
   end
   self.source = source
   self.count = options.value('dataset.ShuffledStream', 'the size of the buffer', size, 'count')
end

--- Begin an epoch.
-- @return function that gives the next sample, nil at the end
function Stream:stream(epoch, seed)
   local source, generator = self.source, samplers.generator(epoch, seed)
   local read
   if type(source) == 'table' and source.stream then
      read = source:stream(epoch, seed)
   else
      read = source(epoch)
   end
   local buffer = {}
   return function()
      while #buffer < self.count do
         local sample = read and read()
         if sample == nil then
            read = nil
            break
         end
         buffer[#buffer + 1] = sample
      end
      if #buffer == 0 then
         return nil
      end
      local k = torch.random(generator, 1, #buffer)
      local sample = buffer[k]
      buffer[k] = buffer[#buffer]
      buffer[#buffer] = nil
      return sample
   end
end

return Stream
