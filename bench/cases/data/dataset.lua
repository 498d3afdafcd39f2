-- The loader: JPEG files decoded and augmented by two workers, a large batch handed over, small
-- samples from memory. The files are those of image.lua, which makes them.
local torch = require 'torch'
local paths = require 'paths'
local dataset = require 'torch.dataset'
local clock = require 'torch.clock'
local bench = require 'bench.harness'

local transform = dataset.transform
local QUICK = os.getenv 'QUICK'

local function say(name, seconds, goal)
   print(('%s\t%d\t%.6g\t%s'):format(name, torch.getnumthreads(), seconds, goal or ''))
   io.stdout:flush()
end

local function median(times)
   table.sort(times)
   return times[math.ceil(#times / 2)]
end

-- Seconds for a sample of an epoch, the first one left out: the workers start in it.
local function perSample(loader)
   local times = {}
   for epoch = 1, QUICK and 2 or 4 do
      local start, count = clock.now(), 0
      for batch in loader() do
         count = count + batch.input:size(1)
      end
      times[epoch] = (clock.now() - start) / count
   end
   table.remove(times, 1)
   loader:stop()
   return median(times)
end

-- --- pictures ------------------------------------------------------------------------------------

local PICTURES = 'JPEG 500x375, random crop to 224x224, mirrored, normalised; 2 workers'
if bench.wanted(PICTURES) then
   local folder = os.getenv 'BENCH_IMAGES' or '/tmp/luatorch-bench-images'
   assert(paths.dirp(folder), 'run the case `image` first: it makes the files')
   say(PICTURES, perSample(dataset.Loader {
      dataset = dataset.Folder { folder = folder }, batchSize = 32, shuffle = true, workers = 2,
      transform = transform.Compose(transform.RandomResizedCrop { size = 224 },
         transform.RandomFlip {}, transform.Normalize { mean = { 0.485, 0.456, 0.406 },
            std = { 0.229, 0.224, 0.225 } }),
   }), 1)
end

-- --- a batch that is there -----------------------------------------------------------------------

local HANDED = 'a batch of 32x3x224x224 floats handed over; 2 workers'
if bench.wanted(HANDED) then
   local loader = dataset.Loader { workers = 2, prefetch = 4, dataset = dataset.List(
      torch.range(1, 200), function(i) return { input = i } end),
      collate = function() return { input = torch.FloatTensor(32, 3, 224, 224):fill(1) } end }
   local times = {}
   local following = loader()
   while true do
      local start = clock.now()
      while clock.now() < start + 0.03 do end -- luacheck: ignore 542 (the net computes)
      start = clock.now()
      if not following() then
         break
      end
      times[#times + 1] = clock.now() - start
   end
   loader:stop()
   say(HANDED, median(times), 1)
end

-- --- a batch that is waited for ------------------------------------------------------------------

-- From a batch's last element to the loop's having it; all clocks are the system's one.
local WAITED = 'a batch of 32x3x224x224 floats waited for; 2 workers'
if bench.wanted(WAITED) then
   local times = {}
   local loader = dataset.Loader { workers = 2, prefetch = 4, dataset = dataset.List(
      torch.range(1, 200), function(i) return { input = i } end),
      collate = function()
         local x = torch.FloatTensor(32, 3, 224, 224):fill(1)
         return { input = x, made = clock.now() }
      end }
   for batch in loader() do
      times[#times + 1] = clock.now() - batch.made
   end
   loader:stop()
   say(WAITED, median(times), 1)
end

-- --- small samples -------------------------------------------------------------------------------

local N = 100000
for _, row in ipairs { { '16 floats', 'Float', 16 }, { '28x28 bytes', 'Byte', 784 } } do
   local name = ('a sample of %s from memory, batches of 128, shuffled'):format(row[1])
   if bench.wanted(name) then
      say(name, perSample(dataset.Loader { batchSize = 128, shuffle = true,
         dataset = dataset.Tensors { input = torch[row[2] .. 'Tensor'](N, row[3]):fill(1),
            target = torch.LongTensor(N):random(10) } }), 1)
   end
end
