--- threads: Lua on several threads of the operating system.
--
--    local threads = require 'threads'
--    threads.Threads.serialization 'threads.sharedserialize'
--    local pool = threads.Threads(4, function() require 'nn' end)
--    local sum = 0
--    for i = 1, 10 do
--       pool:addjob(function() return i * i end, function(square) sum = sum + square end)
--    end
--    pool:synchronize()
--    print(sum)
--    pool:terminate()
-- @module threads
require 'torch'
require('torch.errors').library()

local threads = require 'threads.module'
require 'threads.Threads'
require 'threads.locks'
threads.safe = require 'threads.safe'
threads.serialization = threads.Threads.serialization -- `Threads = require 'threads'`

return setmetatable(threads, {
   __call = function(_, ...)
      return threads.Threads(...)
   end,
})
