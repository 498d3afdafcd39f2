-- Garbage never makes a call fail: whichever allocation of a method or function of torch fails for
-- lack of memory, the library collects, makes the call once more, and gives what it would have.
local torch = require 'torch'
local environment = require 'test.support.environment'
local expressions = require 'test.support.walks.expressions'
local C = require('torch.ffi').C -- test.support.walks.failures declares TH_failAllocation
require 'test.support.walks.failures'

-- Functions and methods that touch no elements, or files alone.
local without = {}
for name in ([[
   TestSuite broadcast calls cdata class cuda doctor cudaBFloat16 cudaByte cudaChar cudaDouble
   cudaHalf cudaInt cudaLong cudaShort data dim elementSize factory free getDevice
   getconstructortable getdefaulttensortype getenv getmetatable getnumcores getnumthreads
   getwinograd help include initialSeed isContiguous isSameSizeAs isSetTo isSize isStorage
   isTensor isTypeOf isatty isequal load loadobj metatype nDimension nElement newmetatable
   numel packageLuaPath pointer pushudata read retain save saveobj seed setdefaulttensortype
   setenv setheaptracking setmetatable setnumthreads setwinograd storage storageOffset tic toc
   typename updateerrorhandlers updatethreadlocals version write
   Function Variable backward checkpoint detach detectAnomaly grad gradcheck gradgradcheck hook
   isGradEnabled isLeaf isVariable noGrad requiresGrad retainGrad setGradEnabled zeroGrad
]]):gmatch '%S+' do
   without[name] = true
end

local MOST = 60 -- allocations of one expression: more means that the walk never ends

local function spread(t) -- every second element of a larger tensor
   local sizes = t:size():totable()
   sizes[#sizes + 1] = 2
   return t.new():resize(torch.LongStorage(sizes)):fill(1):select(#sizes, 2):copy(t)
end

local SCENES = {
   { 'torch.DoubleTensor' },
   { 'torch.FloatTensor', spread },
   { 'torch.HalfTensor', spread },
}

-- What f gives when allocation number n fails, or nil when it has no such allocation.
local function failing(n, text, scene)
   local f = expressions.prepare(text, unpack(scene))
   C.TH_failAllocation(n)
   local results = { pcall(f) }
   if C.TH_failAllocation(0) > 0 then
      return nil
   end
   return results[1] and expressions.show { unpack(results, 2) } or tostring(results[2])
end

-- All allocations of the expression fail in turn. Returns how many there are, with how many types
-- it runs, and why it does not with the last one.
local function walk(text, faults)
   local struck, ran, reason = 0, 0, nil
   for _, scene in ipairs(SCENES) do
      local ok, expected = pcall(function()
         return expressions.show { expressions.prepare(text, unpack(scene))() }
      end)
      if ok then -- else there is no such operation for the type
         ran = ran + 1
         for n = 1, MOST do
            local got = failing(n, text, scene)
            if got == nil then
               break
            end
            struck = struck + 1
            if got ~= expected then
               faults[#faults + 1] = ('%s of %s, allocation %d: %s, undisturbed %s'):format(text,
                  scene[1], n, got, expected)
            end
         end
      else
         reason = expected
      end
   end
   return struck, ran, reason
end

describe('memory that runs out for garbage', function()
   setup(environment.ownCache) -- for what torch.fuse compiles
   teardown(environment.withoutOwnCache)

   local struck, tried = 0, 0

   for _, list in ipairs { expressions.numeric, expressions.plain } do
      for _, text in ipairs(list) do
         it('does not make ' .. text .. ' fail', function()
            local faults = {}
            local failed, ran, reason = walk(text, faults)
            struck, tried = struck + failed, tried + 1
            assert.same({}, faults)
            if ran == 0 then -- of LAPACK, say
               assert.matches('there is no CUDA.- function', reason)
            end
         end)
      end
   end

   it('is tried with every function and method of tensors', function()
      assert.same({}, expressions.missing(without, expressions.numeric, expressions.plain))
   end)

   it('was tried: allocations failed in most expressions', function()
      assert.is_true(struck > 2 * tried, struck .. ' failed allocations')
   end)
end)
