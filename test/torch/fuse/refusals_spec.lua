local ffi = require 'ffi'
local torch = require 'torch'
local C = require('torch.ffi').C
local fused = require 'test.support.fused'
local raises = require 'test.support.raises'

local randn = fused.randn

describe('refusals of torch.fuse', function()
   fused.prepare(setup, teardown, before_each)

   it('shows where a text goes wrong', function()
      for text, message in pairs {
         ['y = a * )'] = "expected a name, a number or (, got ')' (line 1, column 9)\n"
            .. '   y = a * )\n           ^',
         ['t = a\ny = tahn(t)'] = "there is no function 'tahn'; near: tan, tanh (line 2, column "
            .. '5)\n' .. '   y = tahn(t)\n       ^',
         ['y = a b'] = "expected an operator or the end of the statement, got 'b' (line 1, column",
         ['y = (a + b'] = "expected ')' to close the parenthesis, got the end (line 1, column 11)",
         ['y = tanh(a, b)'] = 'tanh takes 1 argument, got 2 (line 1, column 5)',
         ['y = a - mean(a)'] = "'mean' is made of many elements, and here each is by itself: let",
         ['y = Phi(a)'] = "there is no function 'Phi'",
         ['y = where(a, b)'] = 'where takes 3 arguments, got 2',
         ['a + b'] = "expected '=' behind 'a': statements are NAME = EXPRESSION, got '+'",
         ['t = a + 1; y = a'] = "'t' is made here and never used; name it among the results",
         ['y = 3'] = 'there is no argument: nothing here is made of a tensor',
         ['  -- nothing'] = 'there is no statement',
         ['y = a @ b'] = "'@' has no meaning here: torch.mm makes the product of matrices, before "
            .. 'or behind (line 1, column 7)',
         ['y = a ** 2']
            = "expected a name, a number or (, got '*': a power is a ^ b (line 1, column 8)",
         ['y = a // 2'] = "expected a name, a number or (, got '/': floor(a / b) rounds down (line",
         ['y = a .* b']
            = "'.' has no meaning here: an operation on each element is what the others",
         ['y = torch.exp(a)'] = "'.' has no meaning here: functions go by their names alone: exp",
         ['y = a:exp()'] = "':' has no meaning here: functions go by their names alone: exp(x)",
         ['y = a[1]'] = "'[' has no meaning here: each element is computed by itself",
         ['y = a && b'] = "'&' has no meaning here: 'and' (line 1",
         ['y = a > 0 ? a : 0'] = "'?' has no meaning here: where(c, a, b) is a where c holds",
         ['y = a if a > 0 else 0']
            = "expected an operator or the end of the statement, got 'if': where(c",
         ['y += a']
            = "expected '=' behind 'y': statements are NAME = EXPRESSION, got '+': y = y + ...",
         ['y = ' .. ('('):rep(300) .. 'a' .. (')'):rep(300)]
            = 'the expression is nested deeper than 150',
         ['y = a' .. (' + a'):rep(20000)] = 'the expression has more than 1000 operators in a row; '
            .. 'take temporary names (line 1, column',
      } do
         raises('torch.fuse: ' .. message, torch.fuse, text)
      end
      raises("'betta' is not made before this place, and none of the arguments a, beta; near: beta",
         torch.fuse, 'y = a * betta', { arguments = { 'a', 'beta' } })
      raises("the result 'yy1' is never made; near: y1", torch.fuse, 'y1 = a', { results = 'yy1' })
      raises("torch.fuse: there is no option 'result'; near: results", torch.fuse, 'y = a',
         { result = 'y' })
      raises("the option 'results' has 3 at place 1, expected names", torch.fuse, 'y = a',
         { results = { 3 } })
      raises("expected a text such as \"y = a * tanh(b) + c\", got nil", torch.fuse)
   end)

   it('refuses any other text with an error of its own', function()
      local words = { 'a', 'b', 'y', 'where', 'tanh', 'max', 'clamp', '1', '.5e', '2.', '0x', 'e9',
         '=', '==', '~=', '<', '+', '-', '--', '*', '/', '%', '^', '(', ')', '(', ')', ',', ';',
         '\n', 'and', 'or', 'not', '=', ' ', '\0', '\255', '"', 'end', 'y = a', 'Phi', 'pi' }
      local accepted = 0
      for seed = 1, 3000 do
         math.randomseed(seed)
         local list = { math.random(2) == 1 and 'y = ' or '' }
         for i = 2, math.random(2, 12) do
            list[i] = words[math.random(#words)]
         end
         local text = table.concat(list, math.random(2) == 1 and ' ' or '')
         local ok, message = pcall(torch.fuse, text)
         accepted = accepted + (ok and 1 or 0)
         assert.truthy(ok or message:find('torch.fuse: ', 1, true), ('%q: %s'):format(text,
            tostring(message)))
      end
      assert.truthy(accepted > 50, accepted)
   end)

   it('has a core that refuses calls which no text makes', function()
      local loop = ffi.cast('TH_Loop', ffi.cast('void *', 1)) -- never called
      local x, cut = torch.FloatTensor(4), torch.FloatTensor()
      if x.device_type ~= C.TH_CPU then
         return
      end
      local function call(fields)
         local results = ffi.new('TH_Tensor *[40]')
         local operands = ffi.new('const TH_Tensor *[40]')
         for i = 0, 39 do
            results[i], operands[i] = x, fields.operand or x
         end
         operands[1] = fields.second
         assert.equal(C.TH_ERROR, C.TH_runLoop(ffi.new('TH_LoopCall', {
            loop = fields.loop, dtype = fields.dtype or C.TH_FLOAT, cost = 1,
            result_count = fields.results or 1, operand_count = fields.operands or 1,
            results = results, operands = operands,
         })))
         return ffi.string(C.TH_lastError())
      end
      assert.matches('needs a loop, a result and an operand', call {})
      assert.matches('needs a loop', call { loop = loop, operands = 0 })
      assert.matches('takes 32 tensors at most, got 33', call { loop = loop, operands = 32 })
      assert.matches('computes in float or double', call { loop = loop, dtype = C.TH_HALF })
      assert.matches('a tensor is missing', call { loop = loop, operands = 2 })
      assert.matches('an operand is empty', call { loop = loop, operand = cut })
      assert.matches('sizes 4 and 3 do not agree', call { loop = loop, operands = 2,
         second = torch.FloatTensor(3) })
   end)

   it('has a quick way in the core for plain tensors alone', function()
      local x = torch.FloatTensor(4)
      if x.device_type ~= C.TH_CPU then
         return
      end
      local function refused(r, a, b)
         local results, operands = ffi.new('TH_Tensor *[1]'), ffi.new('const TH_Tensor *[2]')
         results[0], operands[0], operands[1] = r, a, b
         local shape = r:size():totable()
         assert.equal(C.TH_ERROR, C.TH_runPlainLoop(ffi.new('TH_LoopCall', {
            loop = ffi.cast('TH_Loop', ffi.cast('void *', 1)), -- never called
            dtype = C.TH_FLOAT, cost = 1, result_count = 1, operand_count = 2, results = results,
            operands = operands,
         })))
         assert.same(shape, r:size():totable())
      end
      local empty = torch.FloatTensor()
      for _, other in ipairs { torch.FloatTensor(3), torch.FloatTensor(4, 1), torch.DoubleTensor(4),
         torch.FloatTensor(4, 2):select(2, 1), torch.FloatTensor(1):expand(4), empty } do
         refused(torch.FloatTensor(), x, other)
         refused(torch.FloatTensor(4), other, x)
      end
      refused(torch.DoubleTensor(), x, x)
      refused(torch.FloatTensor(3), x, x)
      refused(torch.FloatTensor(4, 2):select(2, 1), x, x)
      local memory = torch.FloatTensor(5)
      refused(memory:narrow(1, 2, 4), x, memory:narrow(1, 1, 4))
      torch.calls(function() refused(torch.FloatTensor(4), x, x) end) -- somebody watches
      refused(torch.FloatTensor(4), x, x:clone():requiresGrad())
   end)

   it('refuses arguments by their names', function()
      local f = torch.fuse 'y = a * tanh(b) + c'
      local a, b, c = randn(3, 5), randn(5), randn(3, 1)
      raises('torch.fuse: 2 arguments, expected 3: f(a, b, c), c is missing', f, a, b)
      raises('torch.fuse: 5 arguments, expected 3: f(a, b, c)', f, a, a, b, c, c)
      raises("torch.fuse: c is a table, expected a tensor or a number", f, a, b, {})
      raises("torch.fuse: the argument 'c' is missing: f(a, b, c)", f, { a = a, b = b })
      raises("torch.fuse: there is no argument 'cc': f(a, b, c)", f,
         { a = a, b = b, c = c, cc = c })
      raises('torch.fuse: sizes do not agree: a is 3x5, b is 4, c is 3x1; from the last dimension '
         .. 'on they must be equal or 1', f, a, randn(4), c)
      raises('torch.fuse: a is a 3x5 DoubleTensor, b a 5 FloatTensor; convert one, as in '
         .. 'b:typeAs(a)', f, a, b:float(), c)
      raises('torch.fuse: b is empty', f, a, torch.DoubleTensor(), c)
      raises('torch.fuse: all arguments are numbers, expected a tensor among them', f, 1, 2, 3)
      raises('torch.fuse: the result y is a 3x5 FloatTensor, the arguments are DoubleTensors', f,
         a:float(), a, b, c)
   end)
end)
