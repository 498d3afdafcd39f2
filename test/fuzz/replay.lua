-- th test/fuzz/replay.lua TARGET FILE...: give inputs to a fuzz target, without libFuzzer.
package.path = './?.lua;' .. package.path
local target = require('test.fuzz.' .. arg[1])

for i = 2, #arg do
   local file = assert(io.open(arg[i], 'rb'))
   local input = file:read '*a'
   file:close()
   local ok, message = pcall(target.one, input)
   print(('%s: %s'):format(arg[i], ok and 'ok' or tostring(message)))
end
