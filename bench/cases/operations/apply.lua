-- A Lua function on every element, against the loop in C that does the same, compiled by cc -O2.
local ffi = require 'ffi'
local torch = require 'torch'
local bench = require 'bench.harness'

local N = 1e7
local NAME = 'apply v * v + 1, 1e7 float'
local x, y = torch.FloatTensor(N):uniform(), torch.FloatTensor(N):uniform()

local function reset() -- the numbers grow from call to call, and infinity is as fast as any
   x:fill(0.5)
end

local library = os.tmpname()
local compile = 'cc -O2 -shared -fPIC -o %s bench/cases/operations/apply.c'
assert(os.execute(compile:format(library)) == 0)
ffi.cdef 'void square_plus_one(float *x, long n);'
local c = ffi.load(library)
os.remove(library)

reset()
bench.case(NAME, bench.loop(function()
   return x:apply(function(v) return v * v + 1 end)
end), 1, 1 / 3)
reset()
bench.case(NAME .. ' (C loop itself)', bench.loop(function()
   c.square_plus_one(x:data(), N)
end))
bench.case('map v * w + 1, 1e7 float', bench.loop(function()
   return x:map(y, function(v, w) return v * w + 1 end)
end))
