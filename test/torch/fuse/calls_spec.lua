local torch = require 'torch'
local environment = require 'test.support.environment'
local C = require('torch.ffi').C
require 'test.support.walks.failures' -- declares TH_failAllocation
local fused = require 'test.support.fused'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local isCompiled, randn = fused.isCompiled, fused.randn

describe('calls of torch.fuse', function()
   fused.prepare(setup, teardown, before_each)

   it('updates several tensors at once', function()
      local step = torch.fuse([[
         m = beta * m + (1 - beta) * g
         v = 0.99 * v + 0.01 * g ^ 2
         w = w - rate * m / (sqrt(v) + 1e-8)
      ]], { results = { 'm', 'v', 'w' } })
      assert.same({ 'beta', 'm', 'g', 'v', 'w', 'rate' }, step:arguments())
      local g = torch.DoubleTensor { 1, -2 }
      local m, v, w = torch.zeros(2):double(), torch.zeros(2):double(), torch.ones(2):double()
      step(m, v, w, 0.9, m, g, v, w, 0.5)
      assert.near(0.1, m[1], 1e-15)
      assert.near(0.04, v[2], 1e-15)
      assert.near(1 - 0.5 * 0.1 / (0.1 + 1e-8), w[1], 1e-14)
   end)

   -- As a debugger or a profiler of lines does that evaluates the model; y is small there, 9 here.
   it('may be called by a hook that comes while it is called', function()
      local f = torch.fuse 'y = a * b'
      local a, b = torch.DoubleTensor(4):fill(3), torch.DoubleTensor(4):fill(1)
      local y, inner, calls = torch.DoubleTensor(4), nil, 0
      f(a, a)
      jit.off()
      for i = 1, 260 do
         local within = false
         debug.sethook(function()
            if not within then
               within, calls = true, calls + 1
               inner = f(b, b)
               within = false
            end
         end, '', 1 + i % 13)
         local result = f(y:zero(), a, a)
         debug.sethook()
         assert.same({ 9, 9, 9, 9 }, y:totable())
         assert.equal(y, result)
         assert.same({ 1, 1, 1, 1 }, inner:totable())
      end
      jit.on()
      assert.is_true(calls > 260)
   end)

   it('takes any number of arguments', function()
      local names, values = {}, {}
      for i = 1, 40 do
         names[i], values[i] = 'a' .. i, torch.DoubleTensor(2):fill(i)
      end
      local f = torch.fuse('y = ' .. table.concat(names, ' + '))
      assert.same({ 820, 820 }, f(unpack(values)):totable())
      assert.equal('more than 32 arguments and results', select(2, f:how(unpack(values))))
   end)

   it('gives any number of results', function()
      local lines, names = {}, {}
      for i = 1, 240 do
         names[i] = 'r' .. i
         lines[i] = ('r%d = a + %d'):format(i, i)
      end
      local results = { torch.fuse(table.concat(lines, '\n'), { results = names })(
         torch.DoubleTensor(2):fill(1)) }
      assert.same({ 240, 2, 241 }, { #results, results[1][1], results[240][2] })
   end)

   it('is compiled where there is gcc', function()
      local found = require('torch.native.compiler').find 'c'
      local x = randn(3)
      if found and not found.version:find 'clang' and x.device_type == C.TH_CPU then
         assert.same({ 'compiled' }, { torch.fuse 'y = sin(a) * exp(b)':how(x, x) })
      end
   end)

   -- Often enough that LuaJIT compiles the calls.
   it('gives the same in a loop, whatever the arguments are', function()
      local f = torch.fuse 'y = a * b + c'
      local a, b, y = randn(4), randn(4), torch.DoubleTensor()
      local floats = { torch.FloatTensor { 1, 2 }, torch.FloatTensor { 3, 4 } }
      local wide = randn(3, 1)
      for i = 1, 300 do
         assert.near(a[1] * b[1] + i, f(a, b, i)[1], 1e-12)
         assert.equal(y, (f(y, a, i, b)))
         assert.near(a[4] * i + b[4], y[4], 1e-12)
         assert.same({ 4 + i, 10 + i }, { f(floats[1], floats[2], i + 1)[1],
            f(floats[1], floats[2], i + 2)[2] })
         assert.same({ 3, 4 }, f(wide, b, i):size():totable())
         assert.same({ 4 }, f(y, a, b, 0.5):size():totable())
         f(a, a, 1, 0) -- onto an argument
      end
      f(nil, a, b, 1) -- no tensor to write into is a new one
      raises('torch.fuse: b is nil, expected a tensor or a number', f, a, nil, 1)
   end)

   it('is made once more where no memory is found for a result', function()
      local f = torch.fuse('s = a + b; d = a - b', { results = { 's', 'd' } })
      local a, b = torch.DoubleTensor(5000):fill(3), torch.DoubleTensor(5000):fill(1)
      if a.device_type ~= C.TH_CPU then
         return
      end
      f(a, b) -- the next calls are quick
      for count = 1, 2 do
         C.TH_failAllocation(count)
         local s, d = f(a, b)
         assert.equal(0, tonumber(C.TH_failAllocation(0)), 'no allocation failed')
         assert.same({ 4, 4, 2, 2 }, { s:min(), s:max(), d:min(), d:max() })
      end
   end)

   it('takes arguments by name', function()
      local f = torch.fuse 'y = a - b'
      local a, b, y = randn(3), randn(3), torch.DoubleTensor()
      assert.equal(0, (f { b = b, a = a } - (a - b)):abs():max())
      assert.equal(y, (f { y = y, a = a, b = 2 }))
      assert.equal(0, (y - (a - 2)):abs():max())
   end)

   it('is told to those who watch, and moves versions', function()
      local f = torch.fuse 'y = a * 2 + 1'
      local a, y = randn(4), torch.DoubleTensor(4)
      f(y, a)
      local version = y.store.version[0]
      local calls = torch.calls(function() f(y, a) end)
      assert.equal(version + 1, y.store.version[0])
      if f:how(a) == 'compiled' and a.device_type == 0 then
         assert.equal('fused', calls[1].name)
      end
   end)

   it('compiles later what it could not compile at first', function()
      local f, a = torch.fuse(('y = a * %.17g'):format(os.time() + math.random())), torch.ones(2)
      if not isCompiled(torch.fuse 'y = 2 * a', a) or torch.fuse 'y = 2 * a':how(a) ~= 'compiled'
         or a.device_type ~= C.TH_CPU then
         return
      end
      environment.set('TMPDIR', '/nowhere')
      local how, reason = f:how(a)
      environment.restore 'TMPDIR'
      assert.equal('composed', how)
      assert.matches('no folder can be made in /nowhere', reason, 1, true)
      f(a)
      assert.equal('compiled', (f:how(a)))
   end)

   it('is saved as its text', function()
      local f = torch.fuse('s = a + b; d = a - b', { results = { 'd', 's' } })
      local copy = torch.deserialize(torch.serialize(f))
      local a, b = randn(3), randn(3)
      local d, s = copy(a, b)
      assert.equal(0, (d - (a - b)):abs():max() + (s - (a + b)):abs():max())
      assert.equal(tostring(f), tostring(copy))
      local path = os.tmpname()
      torch.save(path, f)
      -- Where nobody has made one yet.
      assert.equal('torch.Fused\n', (shell.run(([[%s -e 'print(torch.type(torch.load("%s")))']])
         :format(os.getenv 'TH_EXECUTABLE', path))))
      os.remove(path)
      assert.equal('torch.Fused: d, s = f(a, b)\n   s = a + b; d = a - b', tostring(f))
   end)
end)
