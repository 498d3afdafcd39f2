-- What a profile says, against what is known of the program.
local torch = require 'torch'
local clock = require 'torch.clock'
local raises = require 'test.support.raises'

local function here()
   local info = debug.getinfo(2, 'Sl')
   return ('%s:%d'):format(info.short_src, info.currentline)
end

local function row(profile, by, name)
   local names = {}
   for i, found in ipairs(profile:rows(by)) do
      if found.name == name then
         return found
      end
      names[i] = found.name
   end
   error(('no row %s by %s; there are %s'):format(name, by, table.concat(names, ', ')), 2)
end

describe('torch.profiler', function()
   it('counts what torch.calls lists', function()
      local x = torch.randn(4, 4)
      local function work()
         for _ = 1, 3 do
            x:add(1)
         end
         local y = x * x
         return y:t():sum(1):squeeze()
      end
      local counts = {}
      for _, call in ipairs(torch.calls(work)) do
         counts[call.name] = (counts[call.name] or 0) + 1
      end
      local p = torch.profiler(work)
      local found = {}
      for _, r in ipairs(p:rows 'operation') do
         found[r.name] = r.calls
      end
      assert.same(counts, found)
      assert.equal(3, found.add_value)
   end)

   it('gives what the function gives, and the profile first', function()
      local p, a, b, c = torch.profiler(function() return 1, nil, 'x' end)
      assert.equal('torch.Profile', torch.type(p))
      assert.same({ 1, nil, 'x' }, { a, b, c })
      assert.truthy(p.seconds > 0)
      assert.same({}, p:rows 'operation')
   end)

   it('knows the line of each call, through functions, coroutines and metamethods', function()
      local x = torch.ones(8)
      local lines = {}
      local function helper(t)
         lines.helper = here(); t:mul(2)
      end
      local p = torch.profiler(function()
         lines.direct = here(); x:add(1)
         lines.caller = here(); helper(x)
         local step = coroutine.wrap(function()
            lines.coroutine = here(); x:sqrt()
            coroutine.yield()
            lines.later = here(); x:exp()
         end)
         step()
         lines.between = here(); x:log()
         step()
         lines.operator = here(); local _ = x + x
         lines.library = here(); torch.linspace(0, 1, 5):sum()
         return nil
      end)
      for _, name in ipairs { 'helper', 'direct', 'coroutine', 'later', 'between', 'operator' } do
         assert.equal(1, row(p, 'line', lines[name]).calls, name)
      end
      assert.equal(2, row(p, 'line', lines.library).calls)
      local helped, caller = row(p, 'line', lines.helper), row(p, 'line', lines.caller)
      assert.equal(0, caller.calls)
      assert.equal(helped.own, caller.total) -- what it called
      assert.equal(8 * 8 * 2, helped.bytes) -- eight doubles, read and written
   end)

   it('keeps the compiler off while anomalies are looked for, and behind that', function()
      local during, behind
      torch.profiler(function()
         torch.detectAnomaly(function() during = jit.status() end)
         behind = jit.status()
      end)
      assert.same({ false, false, true }, { during, behind, (jit.status()) })
   end)

   it('ends where Lua restores what it had', function()
      local resume, wrap, compiling = coroutine.resume, coroutine.wrap, jit.status()
      torch.profiler(function() end)
      assert.equal(resume, coroutine.resume)
      assert.equal(wrap, coroutine.wrap)
      assert.equal(compiling, (jit.status()))
      local co = coroutine.create(function(...)
         local got = coroutine.yield(...)
         error('from within ' .. got, 0)
      end)
      torch.profiler(function()
         assert.same({ true, 1, 2 }, { coroutine.resume(co, 1, 2) })
         assert.same({ false, 'from within x' }, { coroutine.resume(co, 'x') })
         assert.same({ false, 'cannot resume dead coroutine' }, { coroutine.resume(co) })
         raises('boom', coroutine.wrap(function() error 'boom' end))
         raises('bad argument', coroutine.resume, 1)
      end)
   end)

   it('takes time of ranges, own and with what is in them', function()
      local p = torch.profiler(function()
         torch.profiler.range('outer', function()
            clock.sleep(0.01)
            for _ = 1, 2 do
               torch.profiler.range('inner', clock.sleep, 0.02)
            end
         end)
      end)
      local outer, inner = row(p, 'range', 'outer'), row(p, 'range', 'inner')
      assert.equal(2, inner.calls)
      assert.truthy(inner.own >= 0.04 and outer.own >= 0.01 and outer.total >= 0.05)
      assert.near(outer.total, outer.own + inner.total, 1e-9)
      assert.truthy(p.seconds >= outer.total)
      assert.equal(7, (torch.profiler.range('none runs', function() return 7 end)))
   end)

   it('counts a range within itself once', function()
      local function dive(depth)
         torch.profiler.range('dive', function()
            clock.sleep(0.005)
            if depth > 1 then
               dive(depth - 1)
            end
         end)
      end
      local dives = row(torch.profiler(function() dive(4) end), 'range', 'dive')
      assert.equal(4, dives.calls)
      assert.near(dives.own, dives.total, 1e-9) -- the outermost one's time is all of it
   end)

   it('gives operations that others are made of their own time', function()
      local q, k, v = torch.randn(2, 3, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 4)
      local function work() return torch.baddbmm(torch.zeros(2, 3, 5), q, k:transpose(2, 3)), v end
      local p = torch.profiler(work)
      local sum, outermost = 0, 0
      for _, r in ipairs(p:rows 'operation') do
         assert.truthy(r.own >= 0 and r.total >= r.own - 1e-12, r.name)
         sum = sum + r.own
      end
      for _, r in ipairs(p:rows 'line') do
         outermost = outermost + r.own
      end
      assert.near(outermost, sum, 1e-9)
   end)

   it('counts bytes that are read and written, of views none', function()
      local a, b, r = torch.FloatTensor(10, 20), torch.FloatTensor(10, 20), torch.FloatTensor()
      local p = torch.profiler(function()
         r:cmul(a, b)
         a:narrow(1, 1, 2):t()
         torch.cat({ a, a, a }, 1)
      end)
      assert.equal(4 * 3 * 200, row(p, 'operation', 'cmul').bytes)
      assert.equal(0, row(p, 'operation', 'narrow').bytes)
      assert.equal(4 * 2 * 600, row(p, 'operation', 'cat').bytes)
   end)

   it('ends at an error, which passes', function()
      raises('what went wrong', torch.profiler, function()
         torch.profiler.range('r', error, 'what went wrong')
      end)
      assert.is_false(torch.profiler.running())
      local failing
      local p = torch.profiler(function()
         failing = pcall(torch.mm, torch.ones(2, 3), torch.ones(2, 3))
         torch.ones(3):add(1)
      end)
      assert.is_false(failing)
      assert.equal(1, row(p, 'operation', 'add_value').calls)
   end)

   it('starts and stops, and refuses what makes no sense', function()
      local p = torch.profiler.start()
      local line = here() -- behind the start
      raises('a profile is running since ' .. line:gsub('%d+$', function(n) return n - 1 end),
         torch.profiler.start)
      raises('still runs', p.rows, p, 'line')
      assert.matches('running since', tostring(p), 1, true)
      torch.ones(3):add(1)
      assert.is_true(torch.profiler.running())
      assert.equal(p, p:stop())
      assert.equal(p, p:stop())
      torch.ones(3):mul(2)
      assert.equal(1, row(p, 'operation', 'add_value').calls)
      raises('no row mul', row, p, 'operation', 'mul')
      raises("rows: by is colour", p.rows, p, 'colour')
      raises("there are by, sort and top", p.table, p, { from = 1 })
      raises('have no number name', p.table, p, { sort = 'name' })
      raises('expected a function, got number', torch.profiler, 3)
      raises('expected a name and a function', torch.profiler.range, print)
      raises('no such option: line; there are lines and layers', torch.profiler.start,
         { line = true })
      raises('layers: expected true or false, got number', torch.profiler.start, { layers = 1 })
   end)

   it('leaves the compiler on and no lines where nobody wants lines', function()
      local compiling
      local p = torch.profiler(function()
         compiling = jit.status()
         torch.ones(3):add(1)
      end, { lines = false })
      assert.is_true(compiling)
      assert.same('(no line)', p:rows('line')[1].name)
      assert.equal(1, row(p, 'operation', 'add_value').calls)
   end)

   it('sees the calls of the thread that runs it alone', function()
      local threads = require 'threads'
      local pool = threads.Threads(1)
      local p = torch.profiler(function()
         pool:addjob(function()
            local t = require('torch').ones(3):add(1)
            return t:sum()
         end)
         pool:synchronize()
      end)
      pool:terminate()
      for _, r in ipairs(p:rows 'operation') do
         assert.not_equal('add_value', r.name)
      end
   end)

   it('has tables: sorted, as many rows as wanted, with sums', function()
      local x = torch.ones(1000)
      local p = torch.profiler(function()
         for _ = 1, 5 do
            x:add(1)
         end
         x:mul(2)
         x:sum()
      end)
      local text = p:table { sort = 'calls', top = 1 }
      local lines = {}
      for line in text:gmatch '[^\n]+' do
         lines[#lines + 1] = line
      end
      assert.equal(3, #lines)
      assert.matches('^operation +calls +own ms +%% +total ms', lines[1])
      assert.matches('^add_value +5 +', lines[2])
      assert.matches('^all 3 +7 +', lines[3])
      local summary = tostring(p)
      assert.matches('in 7 operations', summary, 1, true)
      assert.matches('\nline ', summary, 1, true)
      assert.is_nil(summary:find '\nlayer ')
   end)
end)
