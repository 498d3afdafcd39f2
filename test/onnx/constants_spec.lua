-- Constants of a file: one gradient for what several nodes read, and no more memory than a file of
-- its size may take.
local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local nets = require 'test.onnx.support'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local node, value = nets.node, nets.value

local function import(text)
   local net
   shell.with_folder(function(folder)
      nets.store(folder .. '/x.onnx', text)
      net = onnx.import(folder .. '/x.onnx')
   end)
   return net
end

local function refused(message, text)
   shell.with_folder(function(folder)
      nets.store(folder .. '/x.onnx', text)
      raises(("onnx.import: '%s/x.onnx': %s"):format(folder, message), onnx.import,
         folder .. '/x.onnx')
   end)
end

local function floats(name, ...)
   local list = {}
   for i = 1, (select(1, ...)) * (select(2, ...) or 1) do
      list[i] = i / 8
   end
   return { name = name, dims = { ... }, data_type = 1, float_data = list }
end

local function graph(nodes, output)
   return { name = 'inner', node = nodes, output = { value(output, 2, 3) } }
end

local function choice(yes, no)
   return node('If', { 'on' }, 'y', { { name = 'then_branch', type = 5, g = graph(yes, 'a') },
      { name = 'else_branch', type = 5, g = graph(no, 'b') } })
end

local ON = { name = 'on', type = { tensor_type = { elem_type = 9, shape = {} } } }

describe('A constant that several nodes read', function()
   it('is one parameter with one gradient', function()
      for _, kind in ipairs { 'MatMul', 'Add' } do
         local w = kind == 'Add' and floats('w', 3) or floats('w', 3, 3)
         local net = import(nets.model({ choice({ node(kind, { 'x', 'w' }, 'a') },
            { node('Neg', { 'x' }, 'n'), node(kind, { 'n', 'w' }, 'b') }) },
            { input = { value('x', 2, 3), ON }, initializer = { w } }))
         local parameters, gradients = net:getParameters()
         assert.same({ #w.float_data, #w.float_data }, { parameters:size(1), gradients:size(1) })
         local x, wanted = torch.randn(2, 3):float(), nil
         for _, on in ipairs { 1, 0 } do -- both branches add to it
            local input = { x, torch.ByteTensor { on } }
            local y = net:forward(input)
            gradients:zero()
            net:backward(input, y:clone():fill(1))
            wanted = wanted or gradients:clone()
            local sign = kind == 'Add' and 1 or on == 1 and 1 or -1
            assert.is_true((gradients - wanted * sign):abs():max() < 1e-5)
         end
         assert.is_true(wanted:abs():max() > 0)
      end
   end)

   it('in a layer and its bias, too, and in copies and other types', function()
      local net = import(nets.model({ node('Gemm', { 'x', 'w', 'c' }, 'h'),
         node('Tanh', { 'h' }, 't'), node('Gemm', { 't', 'w', 'c' }, 'y') },
         { initializer = { floats('w', 3, 3), floats('c', 3) } }))
      assert.equal(2, #net:findModules 'nn.Linear')
      for _, one in ipairs { net, net:clone(), net:clone():double() } do
         local parameters, gradients = one:getParameters()
         assert.same({ 12, 12 }, { parameters:size(1), gradients:size(1) })
      end
   end)
end)

describe('A file takes no more memory than one of its size may:', function()
   local function with(functions, nodes)
      return nets.model(nodes, { functions = functions, opset_import = {
         { domain = '', version = 17 }, { domain = 'own', version = 1 } } })
   end

   local function definition(name, nodes)
      return { domain = 'own', name = name, input = { 'a' }, output = { 'b' }, node = nodes,
         opset_import = { { domain = '', version = 17 } } }
   end

   local function calls(count)
      local nodes = {}
      for i = 1, count do
         nodes[i] = node('f', { i == 1 and 'x' or 'h' .. i - 1 }, i == count and 'y' or 'h' .. i,
            {}, 'own')
      end
      return nodes
   end

   it('the constants of a function are decoded once', function()
      local constant = node('Constant', {}, 'c', { { name = 'value', type = 4,
         t = floats('', 1000, 1) } })
      local first = { name = 'axes', dims = { 1 }, data_type = 7, int64_data = { 0 } }
      local inner = { name = 'inner', initializer = { floats('k', 1000, 1), first },
         output = { value('m', 2, 3) }, node = { node('Add', { 'a', 'k' }, 's'),
            node('ReduceMean', { 's' }, 'm', { { name = 'axes', type = 7, ints = { 0 } } }) } }
      local net = import(with({ definition('f', { constant, node('Add', { 'a', 'c' }, 's'),
         node('ReduceMean', { 's' }, 'm', { { name = 'axes', type = 7, ints = { 0 } } }),
         node('ReduceSum', { 'm' }, 'n'), node('Greater', { 'n', 'n' }, 'on'),
         node('If', { 'on' }, 'b', { { name = 'then_branch', type = 5, g = inner },
            { name = 'else_branch', type = 5, g = inner } }) }) }, calls(40)))
      assert.same({ 1, 3 }, net:forward(torch.FloatTensor(1, 3):fill(1)):size():totable())
      assert.equal(3000, net:getParameters():size(1)) -- a branch each, and the one before
   end)

   it('the names of a function count in each call', function()
      local long = ('n'):rep(3000)
      refused('constants of this file would make more elements than a file of its size may',
         with({ definition('f', { node('Neg', { 'a' }, long), node('Neg', { long }, 'b') }) },
            calls(300)))
      local f = definition(('f'):rep(3000),
         { node('Neg', { 'a' }, 'c'), node('Neg', { 'c' }, 'b') })
      local nodes = calls(4)
      for _, one in ipairs(nodes) do
         one.op_type = f.name
      end
      local y = import(with({ f }, nodes)):forward(torch.FloatTensor(2, 3):fill(2))
      assert.same({ 2, 2 }, { y:min(), y:max() })
   end)

   it('functions call each other so deep, and no deeper', function()
      local function chain(count)
         local functions = {}
         for k = 1, count do
            functions[k] = definition(k == 1 and 'f' or 'f' .. k, { k == count
               and node('Neg', { 'a' }, 'b') or node('f' .. k + 1, { 'a' }, 'b', {}, 'own') })
         end
         return with(functions, calls(1))
      end
      assert.equal(-2, import(chain(200)):forward(torch.FloatTensor(2, 3):fill(2)):max())
      refused('functions call each other 200 deep, down to f201: no more are read', chain(201))
      refused('functions call each other 200 deep', chain(20000))
   end)

   it('so do its inputs and attributes', function()
      for _, list in ipairs { 'input', 'attribute' } do
         local f, names = definition('f', { node('Neg', { 'a' }, 'b') }), { 'a' }
         for k = 2, 3000 do
            names[k] = 'a' .. k
         end
         f[list] = names
         refused('constants of this file would make more elements than a file of its size may',
            with({ f }, calls(500)))
      end
   end)

   it('what graphs within graphs read of those around them', function()
      local function nested(depth, count)
         local names, inputs = {}, { value('x', 2, 3), ON }
         for k = 1, count do
            names[k], inputs[k + 2] = 'v' .. k, value('v' .. k, 2, 3)
         end
         local nodes = { node('Sum', names, 'a') }
         for level = 1, depth do
            nodes = { choice(nodes, { node('Neg', { 'x' }, 'b') }) }
            nodes[1].output = { level == depth and 'y' or 'a' }
         end
         return nets.model(nodes, { input = inputs })
      end
      local net, input = import(nested(3, 4)), { torch.FloatTensor(2, 3):fill(2) }
      input[2] = torch.ByteTensor { 1 }
      for k = 1, 4 do
         input[k + 2] = torch.FloatTensor(2, 3):fill(k)
      end
      assert.equal(10, net:forward(input):max())
      input[2] = torch.ByteTensor { 0 }
      assert.equal(-2, net:forward(input):max())
      refused('constants of this file would make more elements than a file of its size may',
         nested(20, 400))
   end)

   it('graphs are within each other so deep, and no deeper', function()
      local function chain(count)
         local functions = {}
         for k = 1, count do
            functions[k] = definition(k == 1 and 'f' or 'f' .. k, {
               node('ReduceSum', { 'a' }, 's'), node('Cast', { 's' }, 'on',
                  { { name = 'to', type = 2, i = 9 } }), choice({ node(k == count and 'Neg'
                     or 'f' .. k + 1, { 'a' }, 'a', {}, k < count and 'own' or '') },
                  { node('Abs', { 'a' }, 'b') }) })
            functions[k].node[3].output = { 'b' }
            functions[k].node[3].attribute[1].g.node[1].output = { 'c' }
            functions[k].node[3].attribute[1].g.output = { value('c', 2, 3) }
         end
         return with(functions, calls(1))
      end
      assert.equal(-2, import(chain(60)):forward(torch.FloatTensor(2, 3):fill(2)):max())
      refused('graphs are within each other more than 60 deep', chain(61))
      refused('graphs are within each other more than 60 deep', chain(150))
   end)

   it('conversions do not look through numbers that many nodes read', function()
      local nodes, data = {}, {}
      for k = 1, 100000 do
         data[k] = 0
      end
      for k = 1, 1000 do
         nodes[k] = node('Gather', { k == 1 and 'x' or 'h' .. k - 1, 'k' },
            k == 1000 and 'y' or 'h' .. k)
      end
      local net = import(nets.model(nodes, { initializer = { { name = 'k', dims = { #data },
         data_type = 7, int64_data = data } } }))
      local before = os.clock()
      net:double():float()
      assert.is_true(os.clock() - before < 3) -- and not 1000 times 100000 steps, twice
      local one = net:get(1)
      assert.same({ #data, 3 }, one:forward(torch.FloatTensor(2, 3)):size():totable())
   end)

   it('a value that is to be one element is one', function()
      refused("node ConstantOfShape 'constantofshape': its value has 1000 elements, expected one",
         nets.model { node('Shape', { 'x' }, 's'), node('ConstantOfShape', { 's' }, 'y',
            { { name = 'value', type = 4, t = floats('', 1000) } }) })
   end)

   it('bodies of loops within each other are not read over and over', function()
      -- Each body gives its state with a dimension more, and so is read twice.
      local function loop(level)
         local function name(letter)
            return letter .. level
         end
         local body = { name = 'b', input = { { name = name 'i' }, { name = name 'c' },
            { name = name 's' } }, output = { { name = name 'c' }, { name = name 'n' } }, node = {
            node('Unsqueeze', { name 's', 'front' }, level == 0 and name 'n' or name 'm') } }
         if level > 0 then
            body.node[2] = loop(level - 1)
            body.node[3] = node('Add', { name 'm', 'u' .. level - 1 }, name 'n')
         end
         return node('Loop', { 'n', '', 'x' }, name 'u', { { name = 'body', type = 5, g = body } })
      end
      local function nested(levels)
         return nets.model({ loop(levels) }, { output = { value('u' .. levels) },
            initializer = { { name = 'n', dims = {}, data_type = 7, int64_data = { 1 } },
               { name = 'front', dims = { 1 }, data_type = 7, int64_data = { 0 } } } })
      end
      assert.same({ 1, 2, 3 }, import(nested(2)):forward(torch.FloatTensor(2, 3)):size():totable())
      refused('constants of this file would make more elements than a file of its size may',
         nested(28))
   end)
end)

describe('nn has layers of constants', function()
   it('but for statistics, which move', function()
      local net = import(nets.model({ node('BatchNormalization', { 'x', 'w', 'w', 'w', 'w' }, 'h'),
         node('BatchNormalization', { 'h', 'w', 'w', 'w', 'w' }, 'y') },
         { initializer = { floats('w', 3) } }))
      net:training()
      net:forward(torch.randn(2, 3):float())
      local first, second = net:get(1), net:get(2)
      assert.same({ 0.125, 0.25, 0.375 }, first.weight:totable())
      assert.is_true((first.running_mean - second.running_mean):abs():max() > 0)
      assert.is_true((first.running_mean - first.weight):abs():max() > 0)
   end)

   it('whose gradients are zeros at first', function()
      local net = import(nets.model({ node('Gemm', { 'x', 'w' }, 'y') },
         { initializer = { floats('w', 3, 3) } }))
      assert.equal(0, net:get(1).gradWeight:abs():max())
      assert.is_true(torch.isTypeOf(net:get(1), nn.Linear))
   end)
end)
