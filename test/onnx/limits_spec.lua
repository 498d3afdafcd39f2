-- What files may take while they are read: no more memory and time than ones of their size.
local torch = require 'torch'
local nets = require 'test.onnx.support'

local node, value, floats = nets.node, nets.value, nets.floats
local choice, ON, import, refused = nets.choice, nets.ON, nets.import, nets.refused

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

   it('nor more time, whatever sizes it asks for', function()
      local function folded(one, constants)
         constants[#constants + 1] = floats('c', 3, 3)
         return nets.model({ one, node('Cast', { 'd' }, 'e', { { name = 'to', type = 2, i = 1 } }),
            node('ReduceSum', { 'e' }, 's'), node('Add', { 'x', 's' }, 'y') },
            { initializer = constants })
      end
      local net = import(folded(node('LRN', { 'c' }, 'd', { { name = 'size', type = 2,
         i = 2 ^ 52 } }), {}))
      assert.equal(3, net:forward(torch.FloatTensor(2, 3)):size(2))
      local boxes, scores = {}, {}
      for k = 0, 2999 do -- none of which covers another
         boxes[4 * k + 1], boxes[4 * k + 2], boxes[4 * k + 3], boxes[4 * k + 4] = k, 0, k + 0.5, 1
         scores[k + 1] = k
      end
      refused("node NonMaxSuppression 'nonmaxsuppression': its operands are constants, and it "
         .. 'cannot be computed: constants of this file would make more elements than a file of '
         .. 'its size may', folded(node('NonMaxSuppression', { 'b', 's', 'n' }, 'd'), {
            { name = 'b', dims = { 1, 3000, 4 }, data_type = 1, float_data = boxes },
            { name = 's', dims = { 1, 1, 3000 }, data_type = 1, float_data = scores },
            { name = 'n', dims = { 1 }, data_type = 7, int64_data = { 3000 } } }))
      local zeros = {}
      for k = 1, 3000 do
         zeros[k] = 0
      end
      refused("node ScatterND 'scatternd': its operands are constants, and it cannot be computed: "
         .. 'constants of this file would make more elements than a file of its size may',
         folded(node('ScatterND', { 'w', 'at', 'w' }, 'd', { { name = 'reduction', type = 3,
            s = 'mul' } }), { floats('w', 3000),
            { name = 'at', dims = { 3000, 1 }, data_type = 7, int64_data = zeros } }))
   end)

   it('and says what there is too much of', function()
      local ones, names = {}, {}
      for k = 1, 17 do
         ones[k] = 1
      end
      refused("the constant 'c' has 17 dimensions; tensors have 16 at most",
         nets.model({ node('Add', { 'x', 'c' }, 'y') }, { initializer = { { name = 'c', dims = ones,
            data_type = 1, float_data = { 1 } } } }))
      for k = 1, 5000 do
         names[k] = 'c'
      end
      refused("node Concat 'concat': its operands are constants, and it cannot be computed: it has "
         .. '5000 operands, and up to 4096 are read', nets.model({ node('Concat', names, 'd',
            { { name = 'axis', type = 2, i = 0 } }), node('Add', { 'x', 'd' }, 'y') },
            { initializer = { floats('c', 1, 3) } }))
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
