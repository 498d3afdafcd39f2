-- CUDA tensors in files, and scripts without CUDA: in processes of their own.
local torch = require 'torch'
local cuda = require 'test.support.cuda'

local function run(environment, code)
   local name = os.tmpname()
   local file = io.open(name, 'w')
   file:write(code)
   file:close()
   local pipe = io.popen(('%s %s %s 2>&1'):format(environment, os.getenv 'TH_EXECUTABLE', name))
   local text = pipe:read '*a'
   pipe:close()
   os.remove(name)
   return text
end

-- What torch.save writes for two CUDA tensors: names and their lengths apart, the CPU's format.
local function savedFile()
   local tensors = { weight = torch.FloatTensor { 1, 2, 3 }, long = torch.LongTensor { 7, 8, 9 } }
   local text = torch.serialize(tensors, 'ascii')
   for from, to in pairs { FloatTensor = 'CudaTensor', FloatStorage = 'CudaStorage',
      LongTensor = 'CudaLongTensor', LongStorage = 'CudaLongStorage' } do
      local count
      text, count = text:gsub(('%d\ntorch.%s\n'):format(#from + 6, from),
         ('%d\ntorch.%s\n'):format(#to + 6, to))
      assert(count == 1)
   end
   return text
end

describe('a file with CUDA tensors', function()
   it('is read as CPU tensors on request, without cutorch', function()
      local loaded = torch.deserialize(savedFile(), 'ascii', { device = 'cpu' })
      assert.equal('torch.FloatTensor', torch.typename(loaded.weight))
      assert.same({ 1, 2, 3 }, loaded.weight:totable())
      assert.equal('torch.LongTensor', torch.typename(loaded.long))
      assert.same({ 7, 8, 9 }, loaded.long:totable())
   end)

   it('says how, when it is read without', function()
      local name = os.tmpname()
      local file = io.open(name, 'w')
      file:write(savedFile())
      file:close()
      local text = run('env -u THC_SIM_DEVICES',
         ("print(pcall(torch.load, %q, 'ascii'))"):format(name))
      os.remove(name)
      assert.matches("unknown Torch class <torch.Cuda%a*Tensor>: require 'cutorch'", text)
      assert.matches("{device = 'cpu'}", text, 1, true)
   end)

   it('takes no other device and no other option', function()
      local ok, message = pcall(torch.deserialize, savedFile(), 'ascii', { device = 'gpu' })
      assert.is_false(ok)
      assert.matches("device can be 'cpu' or nil, got gpu", message, 1, true)
      ok, message = pcall(torch.deserialize, savedFile(), 'ascii', { where = 'cpu' })
      assert.is_false(ok)
      assert.matches('unknown option where', message, 1, true)
   end)
end)

describe('requiring cutorch', function()
   it('where the library is missing says what to do', function()
      for variable, advice in pairs {
         ['env -u THC_SIM_DEVICES'] = { 'preset cuda', 'Debian package luatorch-cuda',
            'rock cutorch when it is compiled where nvcc', '`cmake --workflow --preset sim`' },
         ['THC_SIM_DEVICES=1'] = { 'preset sim', 'TH_SIM=ON', 'Unset it' },
      } do
         local text = run(variable, "require 'torch'\n"
            .. "package.cpath = '/nonexistent/?.so'\nprint(pcall(require, 'cutorch'))")
         assert.matches('cutorch: libTHC', text, 1, true)
         for _, words in ipairs(advice) do
            assert.matches(words, text, 1, true)
         end
      end
   end)

   if cuda.available and os.getenv 'THC_SIM_DEVICES' then
      it('works without a device, and using one says what is missing #cuda', function()
         local text = run('THC_SIM_DEVICES=0', [[
            require 'cutorch'
            print(pcall(cutorch.getDeviceCount))
            print(pcall(torch.CudaTensor, 3))
            print(torch.FloatTensor(2):fill(1):sum())
         ]])
         local count, tensor, sum = text:match '(.-)\n(.-)\n(%d)\n$'
         assert.matches('false', count or text, 1, true)
         assert.matches('device', count, 1, true)
         assert.matches('false', tensor, 1, true)
         assert.equal('2', sum)
      end)

      it('works without a driver, and using a device says so #cuda', function()
         local text = run('', [[
            require 'cutorch'
            require('cutorch.ffi').C.THC_Sim_setDriver(0)
            print(pcall(cutorch.getDeviceCount))
         ]])
         assert.matches('no NVIDIA driver was found', text, 1, true)
         assert.matches('THC_SIM_DEVICES=1', text, 1, true)
      end)

      it('works with a driver that is too old, and using a device says so #cuda', function()
         local text = run('', [[
            require 'cutorch'
            require('cutorch.ffi').C.THC_Sim_setDriver(12000)
            print(pcall(torch.CudaTensor, 3))
         ]])
         assert.matches('supports CUDA 12.0', text, 1, true)
         assert.matches('update the driver', text, 1, true)
      end)

      it('says which cuDNN is missing #cuda', function()
         local text = run('', [[
            require 'cudnn'
            for _, version in ipairs { 0, 80900, 90100 } do
               require('cutorch.ffi').C.THC_Sim_setCudnn(version)
               print(cudnn.version, select(2, cutorch.cudnnVersion()))
            end
         ]])
         local none, eight, nine = text:match '(.-)\n(.-)\n(.-)\n'
         assert.matches('^nil.*cuDNN 9 was not found; install', none)
         assert.matches('^nil.*cuDNN 8 was found, this library needs cuDNN 9; install', eight)
         assert.equal('90100', nine)
      end)
   end

   it('leaves torch and nn alone until then', function()
      local text = run('env -u THC_SIM_DEVICES', [[
         require 'nn'
         print(torch.CudaTensor, (select(2, pcall(torch.FloatTensor(1).cuda))))
         print(package.loaded.cutorch, nn.DataParallelTable)
      ]])
      assert.matches("^nil\t.*cuda: there are no CUDA tensors yet: require 'cutorch' first\n", text)
      assert.matches('\nnil\tnil\n$', text)
   end)
end)
