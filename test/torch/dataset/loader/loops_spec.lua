-- Loops over loaders with workers: how far ahead they are, how they end, what they leave behind.
local torch = require 'torch'
local sys = require 'sys'
local dataset = require 'torch.dataset'
local loaders = require 'test.support.loaders'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local th = os.getenv 'TH_EXECUTABLE'
local make, numbers, collect = loaders.make, loaders.numbers, loaders.collect

describe('loops over a dataset.Loader', function()
   after_each(loaders.stop)

   it('are so many batches ahead as they prefetch, or at the end', function()
      local made = torch.zeros(200)
      for _, stream in ipairs { false, true } do
         local loader = make { workers = 2, prefetch = 5, batchSize = 2, seed = 1,
            dataset = stream and function()
               local i = 0
               return function()
                  i = i + 1
                  return i <= 200 and { target = i } or nil
               end
            end or numbers(200), collate = function(samples)
               made[samples[1].target / 2 + 0.5] = 1
               return samples
            end }
         made:zero()
         local following = loader()
         for k = 1, 100 do
            following()
            if k % 30 == 0 then
               local ahead, looks = math.min(k + 5, 100), 0
               while made:sum() < ahead and looks < 200 do
                  looks = looks + 1
                  sys.sleep(0.05)
               end
               sys.sleep(0.05) -- for one that comes too early
               assert.equal(ahead, made:sum())
            end
         end
         assert.is_nil(following())
      end
   end)

   it('begin anew though jobs of the last one are still held back', function()
      local loader = make { dataset = numbers(300), batchSize = 2, workers = 2, seed = 3 }
      assert.equal(1, loader()().target[1])
      loader:restore(loader:state())
      local count, last = 0, nil
      for batch in loader() do
         count, last = count + 1, batch.target[2]
      end
      assert.same({ 149, 300 }, { count, last })
   end)

   it('that are left do not disturb the next one', function()
      local loader = make { dataset = numbers(40), batchSize = 2, workers = 2 }
      for _ = 1, 3 do
         loader()()
      end
      pcall(function()
         for _ in loader() do
            error 'in the body'
         end
      end)
      assert.equal(20, #collect(loader)[1])
   end)

   it('that another one has ended say so', function()
      local loader = make { dataset = numbers(4) }
      local first = loader()
      first()
      loader()
      raises('another loop over the loader has begun', first)
   end)

   it('end with Ctrl-C, workers and all', function()
      local file, marker = os.tmpname(), os.tmpname()
      os.remove(marker)
      local script = io.open(file, 'w')
      script:write(([[
         local dataset = require 'torch.dataset'
         local loader = dataset.Loader { workers = 2, dataset = {
            size = function() return 8 end,
            get = function()
               io.open('%s', 'w'):close()
               while true do end
            end } }
         for _ in loader() do end
      ]]):format(marker))
      script:close()
      -- A shell's background job ignores Ctrl-C, unless job control is on.
      local output, status = shell.run(("set -m; '%s' '%s' & pid=$!; until [ -e '%s' ]; do "
         .. 'sleep 0.1; done; kill -INT $pid; wait $pid'):format(th, file, marker))
      os.remove(file)
      os.remove(marker)
      assert.matches('interrupted', output)
      assert.are_not.equal(0, status)
   end)

   it('leave no thread behind when the loader is collected', function()
      local function tasks()
         local pipe = io.popen 'ls /proc/$PPID/task | wc -l'
         local count = tonumber(pipe:read '*a')
         pipe:close()
         return count
      end
      collectgarbage()
      local before = tasks()
      do
         local loader = dataset.Loader { dataset = numbers(8), workers = 3 }
         loader()()
         assert.equal(before + 3, tasks())
      end
      collectgarbage()
      collectgarbage()
      assert.equal(before, tasks())
   end)

   it('leaves no message behind, whether loops end or are left', function()
      local C = require('threads.ffi').C
      collectgarbage()
      local before = C.threads_parcel_count()
      local loader = make { dataset = numbers(60), batchSize = 3, workers = 2 }
      for _ = 1, 5 do
         loader()()
         collect(loader)
      end
      assert.equal(before, C.threads_parcel_count())
      loader()()
      loader:stop()
      assert.equal(before, C.threads_parcel_count())
   end)

   it('keeps memory in bounds: batches of workers are collected', function()
      local function resident()
         local file = io.open '/proc/self/statm'
         local pages = file:read('*a'):match '^%d+ (%d+)'
         file:close()
         return tonumber(pages) * 4096 / 2 ^ 20
      end
      local loader = make { workers = 1, dataset = { size = function() return 200 end,
         get = function() return { input = torch.FloatTensor(2 ^ 20):fill(1) } end } }
      local start, most = resident(), 0
      for _ in loader() do
         most = math.max(most, resident() - start)
      end
      assert.is_true(most < 400, most) -- of 800 MiB that were made
   end)
end)
