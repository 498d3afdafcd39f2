-- th test/fuzz/seeds.lua TARGET FOLDER [FILE.t7...]: inputs to start from, one file each.
package.path = './?.lua;' .. package.path
local lfs = require 'lfs'
local torch = require 'torch'
local nn = require 'nn'
local contentOf = require('test.support.shell').read

local target, folder = arg[1], arg[2]

local count = 0

local function put(bytes)
   count = count + 1
   local file = assert(io.open(('%s/seed-%04d'):format(folder, count), 'wb'))
   file:write(bytes)
   file:close()
end

-- Every option with each file; see test/fuzz/t7.lua for the bits of the first byte.
local function putFile(bytes, ascii, narrow)
   local mode = ascii and 1 or narrow and 2 or 0
   for way = 0, 3 do
      put(string.char(mode + 16 * way + (way % 2 == 1 and 4 or 0)) .. bytes)
   end
end

local function putObjects()
   local function add(x)
      return function(y)
         return x + y
      end
   end
   local shared = torch.FloatTensor(2, 3):fill(1)
   for _, object in ipairs {
      true, 1.5, 'text', {}, { 1, 2, { 3 } }, { a = 1, b = { c = 2 } },
      torch.DoubleTensor(2, 2):fill(3), torch.LongTensor { 1, -2 }, torch.ByteTensor(3):fill(7),
      torch.HalfTensor(2):fill(1), torch.BFloat16Tensor(2):fill(1), torch.CharStorage(4):fill(0),
      { shared, shared:t(), shared:storage() }, add(5), { add(1), add },
      torch.Generator(), nn.Sequential():add(nn.Linear(2, 1)):add(nn.Tanh()),
      torch.LongStorage { 2 ^ 40, 1 },
   } do
      putFile(torch.serialize(object))
      putFile(torch.serialize(object, 'ascii'), true)
   end
   local cycle = {}
   cycle[1] = cycle
   putFile(torch.serialize(cycle))
end

if target == 'onnx' or target == 'pth' then
   for name in lfs.dir('test/data/' .. target) do
      if name:match('%.' .. target .. '$') then
         put('\0' .. contentOf('test/data/' .. target .. '/' .. name))
      end
   end
elseif target == 'npy' or target == 'safetensors' then
   local data = 'test/data/' .. target
   for name in lfs.dir(data) do
      if name:match '%.np[yz]$' or name:match '%.safetensors$' then
         for flags = 0, 2 do
            put(string.char(flags) .. contentOf(data .. '/' .. name))
         end
      end
   end
elseif target == 't7' then
   putObjects()
   for name in lfs.dir 'test/data/t7' do
      if name:match '%.t7$' then
         local bytes = contentOf('test/data/t7/' .. name)
         putFile(bytes, name:match 'ascii' ~= nil, name:match 'b32' ~= nil)
      end
   end
   for i = 3, #arg do
      putFile(contentOf(arg[i]))
   end
else
   -- A 3x2 or 2x3x2 tensor of each type, and every operation with small arguments.
   for operation = 0, 18 do
      for kind = 0, 8 do
         put(string.char(kind, 2, 2, 1, kind % 3, kind % 2, operation, 1, 0, 1, 2, 0, operation + 1,
            0, 1, 0, 0, 1, 1))
         put(string.char(kind, 3, 1, 2, 1, 0, 1, operation, 2, 1, 0, 1, 0, 1, operation + 2, 0, 1))
      end
   end
end
local packed = ('test/data/fuzz/%s.t7'):format(target)
if lfs.attributes(packed) then
   for _, input in ipairs(torch.load(packed)) do
      put(input)
   end
end
print(('%d seeds in %s'):format(count, folder))
