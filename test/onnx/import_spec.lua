-- Files that are damaged, hostile or of what is not read.
local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local mutations = require 'test.support.mutations'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'
local support = require 'test.onnx.support'
local target = require 'test.fuzz.onnx'

local ffi = require 'ffi'

local store, value, model, node = support.store, support.value, support.model, support.node
local refused = support.refused

local function constant(name, dims, fields)
   local proto = { name = name, dims = dims, data_type = 1 }
   for key, field in pairs(fields or {}) do
      proto[key] = field
   end
   return proto
end

local RELU = { node('Relu', { 'x' }, 'y') }

describe('onnx.import refuses', function()
   it('files that are none', function()
      raises("onnx.import: cannot open /no/such/file", onnx.import, '/no/such/file')
      raises("onnx.import: '/tmp' is a folder", onnx.import, '/tmp')
      refused('these bytes are no ModelProto, or end early', 'PK\3\4 something else')
      refused('there is no graph in it', '')
   end)

   it('a node, by its name or by what it gives', function()
      local unknown = node('Nonsense', { 'x' }, 'y')
      refused("node Nonsense 'nonsense': there is no such operator here", model { unknown })
      unknown.name = ''
      refused("node Nonsense that gives 'y': there is no such operator here", model { unknown })
   end)

   it('one that is cut anywhere', function()
      shell.with_folder(function(folder)
         local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Tanh())
         onnx.export(net, folder .. '/whole.onnx', { input = { 1, 3 } })
         local text = shell.read(folder .. '/whole.onnx')
         assert.is_true(#text > 300)
         for length = 0, #text - 1 do
            store(folder .. '/x', text:sub(1, length))
            raises("onnx.import: '", onnx.import, folder .. '/x')
         end
      end)
   end)

   it('or reads damaged ones', function()
      for _, name in ipairs { 'lstm', 'mobilenetv2', 'transformer', 'transformer_old' } do
         local text, count = shell.read('test/data/onnx/' .. name .. '.onnx'), 0
         mutations.each(text, 60, #name, #text, function(damaged)
            target.one('\0' .. damaged)
            count = count + 1
         end)
         assert.equal(60, count)
      end
   end)

   it('operators that it has not, with domain and version', function()
      refused("node Frobnicate 'frobnicate': there is no such operator here (opset 17)",
         model { node('Frobnicate', { 'x' }, 'y') })
      refused("node Inverse 'inverse': the operators of domain 'com.microsoft' (version 1) "
         .. 'are not read', model({ node('Inverse', { 'x' }, 'y', {}, 'com.microsoft') },
         { opset_import = { { domain = '', version = 17 },
            { domain = 'com.microsoft', version = 1 } } }))
      refused('the file is written in opset 999, those from 7 to 26 are read',
         model(RELU, { opset_import = { { domain = '', version = 999 } } }))
      refused('the file does not say which operators it is written in',
         model(RELU, { opset_import = { { domain = 'ai.onnx.ml', version = 3 } } }))
   end)

   it('cycles, inputs that nobody gives, names given twice', function()
      refused("node Relu 'relu': its input 'a' is given by no node before it", model {
         node('Relu', { 'a' }, 'b'), node('Relu', { 'b' }, 'a'), node('Add', { 'a', 'x' }, 'y') })
      refused("node Relu 'relu': its input 'nobody' is given by no node before it",
         model { node('Relu', { 'nobody' }, 'y') })
      refused("node Relu 'relu': its output 'y' is given twice",
         model { node('Relu', { 'x' }, 'y'), node('Relu', { 'x' }, 'y') })
      refused("no node gives the output 'z' of the graph",
         model(RELU, { output = { value('z', 2) } }))
      refused('the graph has no inputs', model(RELU, { input = {} }))
   end)

   it('sizes that the bytes do not have', function()
      local add = { node('Add', { 'x', 'w' }, 'y') }
      local function with(dims, fields)
         return model(add, { initializer = { constant('w', dims, fields) } })
      end
      local raw = { data = '\0\0\0\0\0\0\0\0', size = 8 }
      refused("the constant 'w' has 8 bytes, its sizes want 12", with({ 3 }, { raw_data = raw }))
      refused("the constant 'w' has 8 bytes, its sizes want 4e+18",
         with({ 1000000000, 1000000000 }, { raw_data = raw }))
      refused("the constant 'w' has a size of -1", with({ -1 }, { raw_data = raw }))
      refused("the constant 'w' has no elements, its sizes want 2", with { 2 })
      refused("the constant 'w' is of STRING", with({ 1 }, { data_type = 8 }))
      refused("the constant 'w' has 1 elements, its sizes want 2",
         with({ 2 }, { float_data = { 1 } }))
   end)

   it('constants that would be computed into more than the file', function()
      local shape = constant('s', { 2 }, { data_type = 7, int64_data = { 30000, 30000 } })
      refused("node ConstantOfShape 'constantofshape': its operands are constants, and it cannot "
         .. 'be computed: constants of this file would make more elements than a file of its size '
         .. 'may',
         model({ node('ConstantOfShape', { 's' }, 'c'), node('Add', { 'x', 'c' }, 'y') },
            { initializer = { shape } }))
      local nodes = { node('Concat', { 'w', 'w' }, 'c1', { { name = 'axis', type = 2, i = 0 } }) }
      for i = 2, 40 do
         nodes[i] = node('Concat', { 'c' .. i - 1, 'c' .. i - 1 }, 'c' .. i,
            { { name = 'axis', type = 2, i = 0 } })
      end
      nodes[41] = node('Add', { 'x', 'c40' }, 'y')
      refused("node Concat 'concat': its operands are constants, and it cannot be computed",
         model(nodes, { initializer = { constant('w', { 2 }, { float_data = { 1, 2 } }) } }))
   end)

   it('products of constants that are more than the file, before they are made', function()
      local long = ('\0'):rep(4 * 12000)
      local raw = { raw_data = { data = long, size = #long } }
      local weights = { constant('a', { 12000, 1 }, raw), constant('b', { 1, 12000 }, raw),
         constant('c', { 1, 12000, 1 }, raw), constant('v', { 12000 }, raw) }
      for _, product in ipairs {
         node('MatMul', { 'a', 'b' }, 'p'), node('MatMul', { 'c', 'b' }, 'p'),
         node('Gemm', { 'a', 'b' }, 'p'),
         node('Gemm', { 'a', 'a' }, 'p', { { name = 'transB', type = 2, i = 1 } }),
         node('Einsum', { 'v', 'v' }, 'p', { { name = 'equation', type = 3, s = 'i,j->ij' } }),
         node('Einsum', { 'v', 'v' }, 'p', { { name = 'equation', type = 3, s = 'i , j' } }),
         node('Einsum', { 'c', 'b' }, 'p', { { name = 'equation', type = 3,
            s = '...ik,kj->...ij' } }),
         node('Einsum', { 'v', 'v', 'v' }, 'p', { { name = 'equation', type = 3,
            s = 'i,j,j->i' } }),
      } do
         refused(("node %s '%s': its operands are constants, and it cannot be computed: constants "
            .. 'of this file would make more elements than a file of its size may')
            :format(product.op_type, product.name), model({ product,
               node('ReduceSum', { 'p' }, 's'), node('Add', { 'x', 's' }, 'y') },
               { initializer = weights }))
      end
      local function number(name, each)
         return constant(name, {}, { data_type = 7, int64_data = { each } })
      end
      refused("node Range 'range': its operands are constants, and it cannot be computed: "
         .. 'constants of this file', model({ node('Range', { 'from', 'to', 'by' }, 'r'),
            node('ReduceSum', { 'r' }, 's'), node('Add', { 'x', 's' }, 'y') },
            { initializer = { number('from', 0), number('to', 2 ^ 40), number('by', 1) } }))
   end)

   it('folds products that are small', function()
      shell.with_folder(function(folder)
         for _, product in ipairs {
            node('MatMul', { 'a', 'b' }, 'p'), node('Gemm', { 'a', 'b' }, 'p'),
            node('Einsum', { 'a', 'b' }, 'p', { { name = 'equation', type = 3, s = 'ij,jk' } }),
            node('Einsum', { 'a', 'b' }, 'p', { { name = 'equation', type = 3,
               s = '...j,jk->...k' } }),
         } do
            store(folder .. '/x.onnx', model({ product, node('Add', { 'x', 'p' }, 'y') },
               { initializer = { constant('a', { 2, 2 }, { float_data = { 1, 2, 3, 4 } }),
                  constant('b', { 2, 3 }, { float_data = { 1, 0, 1, 0, 1, 1 } }) } }))
            local y = onnx.import(folder .. '/x.onnx'):forward(torch.FloatTensor(2, 3):zero())
            assert.same({ { 1, 2, 3 }, { 3, 4, 7 } }, y:totable())
         end
      end)
   end)

   it('lengths of other sequences than there are', function()
      local function numbers(name, dims, each)
         local list, count = {}, 1
         for _, n in ipairs(dims) do
            count = count * n
         end
         for i = 1, count do
            list[i] = each
         end
         return constant(name, dims, { float_data = list })
      end
      local function lstm(operands, more)
         local weights = { numbers('W', { 1, 8, 3 }, 0.5), numbers('R', { 1, 8, 2 }, 0.5),
            constant('lengths', { 2 }, { data_type = 6, int32_data = { 1, 3 } }),
            numbers('P', { 1, 6 }, 0.5), numbers('P0', { 1, 6 }, 0) }
         return model({ node('LSTM', operands, 'y',
            { { name = 'hidden_size', type = 2, i = 2 } }) }, { initializer = weights,
            input = { value('x', 3, 2, 3), more } })
      end
      refused("node LSTM 'lstm': weights do not fit each other",
         lstm { 'x', 'R', 'W' })
      shell.with_folder(function(folder)
         local path = folder .. '/x.onnx'
         store(path, lstm({ 'x', 'W', 'R', '', 'n' }, value('n', 2)))
         local net, ones = onnx.import(path), torch.FloatTensor(3, 2, 3):fill(1)
         local y = net:forward { ones, torch.IntTensor { 1, 3 } }
         assert.same({ 3, 1, 2, 2 }, y:size():totable())
         assert.equal(0, y[2][1][1]:abs():max())
         assert.is_true(y[2][1][2]:min() > 0)
         raises('onnx.Operator LSTM: 3 lengths for 2 sequences', net.forward, net,
            { ones, torch.IntTensor { 1, 3, 1 } })
         store(path, lstm { 'x', 'W', 'R', '', 'lengths' })
         assert.is_true(onnx.import(path):forward(ones):equal(y))
         -- Peepholes of 0 change nothing.
         store(path, lstm { 'x', 'W', 'R', '', '', '', '', 'P0' })
         local alike = onnx.import(path):forward(ones)
         store(path, lstm { 'x', 'W', 'R' })
         assert.is_true(alike:equal(onnx.import(path):forward(ones)))
         store(path, lstm { 'x', 'W', 'R', '', '', '', '', 'P' })
         assert.is_true((onnx.import(path):forward(ones) - alike):abs():max() > 0.01)
      end)
   end)

   it('sizes for other dimensions than there are, policies that nobody knows', function()
      local function resize(attributes)
         return model({ node('Resize', { 'x', '', '', 's' }, 'y', attributes) }, { initializer = {
            constant('s', { 3 }, { data_type = 7, int64_data = { 1, 2, 3 } }) } })
      end
      local function fails(text, attributes)
         shell.with_folder(function(folder)
            store(folder .. '/x.onnx', resize(attributes))
            local net = onnx.import(folder .. '/x.onnx')
            raises(text, net.forward, net, torch.FloatTensor(2, 3))
         end)
      end
      fails('3 scales or sizes for 2 dimensions', {})
      fails('3 scales or sizes for 1 dimensions', { { name = 'axes', type = 7, ints = { 1 } } })
      fails('axis 2 of a tensor of 2 dimensions',
         { { name = 'axes', type = 7, ints = { 0, 1, 2 } } })
      fails("there is no keep_aspect_ratio_policy 'mine'", { { name = 'axes', type = 7,
         ints = { 0, 1, 1 } }, { name = 'keep_aspect_ratio_policy', type = 3, s = 'mine' } })
   end)

   it('no NaN, whatever its bits are, which would be a value of any type in Lua', function()
      local mark = ('\1\2\3\4') -- in the place of a float
      local function with(bits, text)
         local count
         text, count = text:gsub(mark, (bits:gsub('%%', '%%%%')))
         assert.equal(1, count)
         return text
      end
      local number = ffi.cast('const float *', mark)[0]
      shell.with_folder(function(folder)
         for _, bits in ipairs { '\255\255\255\255', '\0\0\252\255', '\1\0\192\127' } do
            store(folder .. '/x.onnx', with(bits, model({ node('Add', { 'x', 'w' }, 'y') },
               { initializer = { constant('w', { 2 }, { float_data = { number, 1 } }) } })))
            local y = onnx.import(folder .. '/x.onnx'):forward(torch.FloatTensor(3, 2):zero())
            assert.equal(3, y:ne(y):sum())
            store(folder .. '/x.onnx', with(bits, model { node('Elu', { 'x' }, 'y',
               { { name = 'alpha', type = 1, f = number } }) }))
            local alpha = onnx.import(folder .. '/x.onnx'):get(1).alpha
            assert.equal('number', type(alpha))
            assert.is_true(alpha ~= alpha)
         end
      end)
   end)

   it('constants without elements, where some are wanted', function()
      refused("node Identity 'identity': its operands are constants, and it gives no elements",
         model({ node('Identity', { 'w' }, 'c'), node('Add', { 'x', 'c' }, 'y') },
            { initializer = { constant('w', { 0 }) } }))
   end)

   it('attributes of other types, windows that are none', function()
      local pool = function(attributes)
         return model({ node('MaxPool', { 'x' }, 'y', attributes) })
      end
      refused("node MaxPool 'maxpool': kernel_shape is missing", pool {})
      refused("node MaxPool 'maxpool': the attribute 'kernel_shape' is of another type",
         pool { { name = 'kernel_shape', type = 2, i = 3 } })
      refused("node MaxPool 'maxpool': a window, step or border is below 1",
         pool { { name = 'kernel_shape', type = 7, ints = { 0, 2 } } })
      refused("node MaxPool 'maxpool': there is no auto_pad 'ALL'",
         pool { { name = 'kernel_shape', type = 7, ints = { 2, 2 } },
            { name = 'auto_pad', type = 3, s = 'ALL' } })
   end)
end)

describe('data beside a model', function()
   local function beside(location, more)
      local entries = { { key = 'location', value = location } }
      for key, entry in pairs(more or {}) do
         entries[#entries + 1] = { key = key, value = tostring(entry) }
      end
      return model({ node('Add', { 'x', 'w' }, 'y') }, { initializer = { constant('w', { 3 },
         { data_location = 1, external_data = entries }) } })
   end

   it('is read from its folder', function()
      shell.with_folder(function(folder)
         local w = torch.FloatTensor { 1, 2, 3 }
         store(folder .. '/w.bin', '....' .. ffi.string(w:data(), 12))
         store(folder .. '/x.onnx', beside('w.bin', { offset = 4, length = 12 }))
         local y = onnx.import(folder .. '/x.onnx'):forward(torch.FloatTensor(2, 3):zero())
         assert.same({ { 1, 2, 3 }, { 1, 2, 3 } }, y:totable())
      end)
   end)

   it('is not read over and over', function()
      local nodes, constants = {}, {}
      for k = 1, 6 do
         nodes[k] = node('Add', { k == 1 and 'x' or 'h' .. k - 1, 'w' .. k },
            k == 6 and 'y' or 'h' .. k)
         constants[k] = constant('w' .. k, { 3 }, { data_location = 1, external_data = {
            { key = 'location', value = ('./'):rep(k) .. 'w.bin' } } })
      end
      shell.with_folder(function(folder)
         store(folder .. '/w.bin', '123456789012')
         store(folder .. '/x.onnx', model(nodes, { initializer = constants }))
         raises("w.bin' are read more than 4 times over", onnx.import, folder .. '/x.onnx')
      end)
   end)

   it('is not followed elsewhere', function()
      refused("data in '../secret' is outside of the folder", beside '../secret')
      refused("data in 'a/../../secret' is outside of the folder", beside 'a/../../secret')
      refused("data in '/etc/passwd' is not beside the model", beside '/etc/passwd')
      refused("data in 'none.bin' are not there", beside 'none.bin')
      shell.with_folder(function(folder)
         store(folder .. '/w.bin', '123456789012')
         os.execute(("ln -s /etc/passwd '%s/link'"):format(folder))
         for text, wanted in pairs {
            [beside 'link'] = 'is reached by a link',
            [beside('w.bin', { offset = 4 })] = 'are 12 bytes',
            [beside('w.bin', { length = 999999999999 })] = 'are 1e+12 bytes at 0 of 12',
            [beside('w.bin', { offset = -4 })] = 'are 12 bytes at -4',
         } do
            store(folder .. '/x.onnx', text)
            raises(wanted, onnx.import, folder .. '/x.onnx')
         end
      end)
   end)
end)
