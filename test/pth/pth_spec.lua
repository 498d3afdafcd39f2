-- Files of PyTorch (test/data/pth/generate.py), and what is refused.
local nn = require 'nn'
local pth = require 'pth'
local safetensors = require 'safetensors'
local train = require 'torch.train'
local mutations = require 'test.support.mutations'
local pickle = require 'pth.pickle'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'
local target = require 'test.fuzz.pth'

local FOLDER = 'test/data/pth/'

describe('pth.load', function()
   it('reads a state_dict, views and shared storages too', function()
      local t = pth.load(FOLDER .. 'state.pth')
      assert.same({ { 0, 1, 2, 3 }, { 4, 5, 6, 7 }, { 8, 9, 10, 11 } }, t['a.weight']:totable())
      assert.same(t['a.weight']:t():totable(), t['a.turned']:totable())
      assert.same({ 4, 6 }, t.part:totable())
      assert.same({ 2.5 }, t.number:totable())
      assert.equal(0, t.empty:nElement())
      assert.same({ 1, 1 }, t.parameter:totable())
      t['a.weight'][2][1] = 40
      assert.equal(40, t.part[1])
   end)

   it('reads plain values and every type', function()
      local t = pth.load(FOLDER .. 'values.pth')
      local types = {}
      for i, one in ipairs(t.types) do
         types[i] = one:type():match '%.(%w+)Tensor'
         assert.same(i < 8 and { 1, -2 } or i == 8 and { 1, 200 } or { 1, 0 },
            one:double():totable())
      end
      assert.equal('Double Half BFloat16 Long Int Short Char Byte Byte', table.concat(types, ' '))
      t.types = nil
      assert.same({ epoch = 7, rate = 0.125, name = 'résumé', flag = true, large = -3000000000,
         tuple = { 1, { 2, 3 } }, [5] = 'five' }, t)
   end)

   it('gives weights to a net, and safetensors take them back', function()
      local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.BatchNormalization(2)):float()
      local map = { { '^1%.', '0.' }, { '^2%.', '1.' } }
      local _, unused = train.loadWeights(net, FOLDER .. 'net.pth', { map = map })
      assert.same({ '1.num_batches_tracked' }, unused)
      assert.same({ { 0, 0.25, 0.5 }, { 0.75, 1, 1.25 } }, net:get(1).weight:totable())
      shell.with_folder(function(folder)
         local path = folder .. '/net.safetensors'
         safetensors.save(path, train.weights(net, { map = map }))
         local theirs, ours = pth.load(FOLDER .. 'net.pth'), safetensors.load(path)
         for name, t in pairs(ours) do
            assert.same(theirs[name]:totable(), t:totable())
         end
         assert.same({ 2, 3 }, ours['0.weight']:size():totable())
      end)
      raises('train.weights: 1.bias and 1.weight would both be named x', train.weights, net,
         { map = function() return 'x' end })
   end)

   it('refuses nets, old files and other archives', function()
      raises("it wants 'torch.nn.modules.container.Sequential', which is not read", pth.load,
         FOLDER .. 'whole.pth')
      raises('from before PyTorch 1.6', pth.load, FOLDER .. 'old.pth')
      raises('it is no zip archive', pth.load, FOLDER .. 'generate.py')
      raises('the archive has no data.pkl', pth.load, 'test/data/npy/'
         .. shell.run 'ls test/data/npy | grep npz$ | head -1':match '%S+')
   end)

   it('refuses files that are cut anywhere, and reads or refuses damaged ones', function()
      for _, name in ipairs { 'state', 'values', 'net' } do
         local text = shell.read(FOLDER .. name .. '.pth')
         for length = 0, #text - 1, name == 'state' and 1 or 7 do
            assert.is_false(target.read(text:sub(1, length)))
         end
         mutations.each(text, 300, #name, #text, function(damaged)
            target.one('\0' .. damaged)
         end)
      end
   end)
end)

describe('pth.pickle', function()
   local function read(text)
      local ok, result = pcall(pickle.read, text, {}, function() return 'storage' end)
      return ok, ok and result or result.pickle or result
   end

   it('reads plain values', function()
      local function value(text)
         local ok, result = read(text)
         assert.is_true(ok, tostring(result))
         return result
      end
      assert.equal(-2, value 'J\254\255\255\255.')
      assert.equal(-1.5, value 'G\191\248\0\0\0\0\0\0.')
      for _, text in ipairs { 'G\255\255\255\255\255\255\255\255.',
         'G\255\252\0\0\18\52\86\120.', 'G\127\248\0\0\0\0\0\1.' } do
         local nan = value(text)
         assert.equal('number', type(nan)) -- not what LuaJIT reads from such bits
         assert.is_true(nan ~= nan)
      end
      assert.equal(2 ^ 40, value '\138\6\0\0\0\0\0\1.')
      assert.equal('abc', value '\128\4\140\3abc.')
      assert.same({ 1, 2, n = 2, kind = 'tuple' }, value 'K\1K\2\134.')
      assert.same({ 7, n = 1, kind = 'list' }, value ']q\0K\7a.')
      assert.equal(1, value '}X\1\0\0\0aK\1s.'.entries.a)
   end)

   it('calls nothing', function()
      for _, case in ipairs {
         { "cos\nsystem\n(X\4\0\0\0echotR.", "it wants 'os.system', which is not read" },
         { "\128\4\140\2os\140\6system\147\140\1a\133R.", "it wants 'os.system'" },
         { 'c' .. ('x'):rep(300) .. '\neval\n.', "it wants '" .. ('x'):rep(95) },
         { 'cbuiltins\neval\n.', "it wants 'builtins.eval'" },
         { "(X\1\0\0\0aios\nsystem\n.", "it has the opcode 'i', which is not read" },
         { 'K\1)\129.', 'it has the opcode 129' },
         { 'K\1)R.', 'it calls what cannot be called' },
      } do
         local ok, message = read(case[1])
         assert.is_false(ok)
         assert.matches(case[2], message, 1, true)
      end
   end)

   it('refuses programs that are none', function()
      for text, wanted in pairs {
         [''] = 'ends early', ['K'] = 'ends early', ['.'] = 'takes more from its stack',
         ['K\1t.'] = 'wants a mark', ['h\1.'] = 'recalls what',
            ['K\1K\2a.'] = 'behind what is no list',
         ['K\1K\2K\3s.'] = 'put into what is no dict', ['}]K\1s.'] = 'neither text nor number',
         ['X\255\255\255\255a.'] = 'ends early', ['\138\255.'] = 'a whole number of 255 bytes',
         ['(K\1d.'] = 'a key without a value', ['\128\9.'] = 'protocol 9',
         ['(.'] = 'takes more from its stack',
      } do
         local ok, message = read(text)
         assert.is_false(ok)
         assert.matches(wanted, message, 1, true)
      end
   end)
end)
