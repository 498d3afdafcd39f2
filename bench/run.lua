-- th bench/run.lua THREADS CASE...: run cases of bench/cases in this process.
package.path = './?.lua;' .. package.path
local torch = require 'torch'

torch.setnumthreads(tonumber(arg[1]) or 1)
for i = 2, #arg do
   dofile('bench/cases/' .. arg[i] .. '.lua')
end
