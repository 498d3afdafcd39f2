local class = require 'torch.class'
local classes = require 'test.support.classes'

local fresh, raised = classes.fresh, classes.raised

describe('class operators', function()
   local function vector()
      local V = class.class(fresh('V'))
      function V:__init(x)
         self.x = x
      end
      return V
   end

   it('calls each binary operator with the operands in order', function()
      local V = vector()
      local expressions = {
         __add__ = function(a, b) return a + b end,
         __sub__ = function(a, b) return a - b end,
         __mul__ = function(a, b) return a * b end,
         __div__ = function(a, b) return a / b end,
         __mod__ = function(a, b) return a % b end,
         __pow__ = function(a, b) return a ^ b end,
         __concat__ = function(a, b) return a .. b end,
      }
      for hook, expression in pairs(expressions) do
         V[hook] = function(a, b)
            return { hook, a, b }
         end
         local v = V.new(1)
         assert.same({ hook, v, 2 }, expression(v, 2))
         assert.same({ hook, 2, v }, expression(2, v))
      end
   end)

   it('takes comparisons, negation, call and tostring from the class', function()
      local V = vector()
      function V.__lt__(a, b) return a.x < b.x end
      function V.__le__(a, b) return a.x <= b.x end
      function V.__eq__(a, b) return a.x == b.x end
      function V.__unm__(a) return V.new(-a.x) end
      function V:__call__(...) return self.x, ... end
      function V:__tostring__() return 'V' .. self.x end
      local one, two = V.new(1), V.new(2)
      assert.is_true(one < two)
      assert.is_false(two <= one)
      assert.is_true(one == V.new(1))
      assert.is_false(one == two)
      assert.equal(-1, (-one).x)
      assert.same({ 1, 'a', 'b' }, { one('a', 'b') })
      assert.equal('V2', tostring(two))
   end)

   it('inherits operators in either spelling, the nearest first', function()
      local parentName, middleName = fresh(), fresh()
      local Parent = class.class(parentName)
      local Middle = class.class(middleName, parentName)
      local Child = class.class(fresh(), middleName)
      function Parent.__add__() return 'parent add' end
      function Parent.__tostring() return 'parent string' end
      assert.equal('parent add', Child.new() + 1)
      assert.equal('parent string', tostring(Child.new()))
      function Middle.__add() return 'middle add' end
      assert.equal('middle add', Child.new() + 1)
      assert.equal('parent add', Parent.new() + 1)
   end)

   it('finds the operator on the right operand', function()
      local L, R = vector(), vector()
      function R.__pow__(a, b) return a.x ^ b.x end
      assert.equal(8, L.new(2) ^ R.new(3))
   end)

   it('names both operands when an operator is undefined', function()
      local A, B = vector(), vector()
      local line
      local message = raised(function()
         line = debug.getinfo(1, 'l').currentline + 1
         local p = A.new(1) ^ B.new(2)
         return p
      end)
      assert.matches('operators_spec%.lua:' .. line .. ': ', message)
      assert.matches(('both %s and %s have no power operator'):format(A.__typename, B.__typename),
         message, 1, true)
      assert.matches('have no addition operator', raised(function() return 1 + A.new() end))
      assert.matches('has no call operator', raised(function() return A.new()() end))
   end)

   it('compares by identity and shows the class name by default', function()
      local V = vector()
      local v = V.new(1)
      assert.is_true(v == v)
      assert.is_false(v == V.new(1))
      assert.equal(V.__typename, tostring(v))
   end)
end)

describe('class hooks', function()
   local function hooked(name, parentName)
      local C = class.class(name, parentName)
      function C:__init()
         rawset(self, 'data', {})
      end
      function C:__index__(key)
         if type(key) == 'number' then
            return rawget(self, 'data')[key], true
         end
         return false
      end
      function C:__newindex__(key, value)
         if type(key) == 'number' then
            rawget(self, 'data')[key] = value
            return true
         end
         return false
      end
      function C.count(self)
         return #self.data
      end
      return C
   end

   it('__index__ handles or falls through to methods and fields', function()
      local C = hooked(fresh())
      local object = C.new()
      object[1] = 'one'
      object.name = 'n'
      assert.equal('one', object[1])
      assert.is_nil(rawget(object, 1))
      assert.equal('n', object.name)
      assert.equal(1, object:count())
      assert.is_nil(object[2])
      assert.is_nil(object.absent)
   end)

   it('a handled nil or false is the answer', function()
      local C = class.class(fresh())
      C.method = 'class field'
      function C.__index__(_, key)
         return nil, key == 'method'
      end
      assert.is_nil(C.new().method)
   end)

   it('are inherited, and class tables stay plain to read and write', function()
      local parentName = fresh()
      local Parent = hooked(parentName)
      Parent.new()
      local Child = class.class(fresh(), parentName)
      function Child.extra()
         return 'extra'
      end
      Child[1] = 'class-level'
      local object = Child.new()
      object[1] = 'one'
      assert.equal('one', object[1])
      assert.equal('extra', object.extra())
      assert.equal(1, object:count())
      assert.equal('class-level', rawget(Child, 1))
      assert.equal(Parent.count, Child.count)
      assert.equal(Child.__typename, tostring(Child))
   end)

   it('take effect on existing instances when set through the constructor', function()
      local name = fresh()
      local C = class.class(name)
      local object = C.new()
      class.getconstructortable(name).__index__ = function(_, key)
         return key .. '!', true
      end
      assert.equal('x!', object.x)
   end)

   it('work in Lua\'s spelling too, inherited below the child\'s own methods', function()
      local parentName = fresh()
      local Parent = class.class(parentName)
      function Parent.__index(_, key)
         return 'dynamic ' .. key
      end
      local Child = class.class(fresh(), parentName)
      function Child.own()
         return 'own'
      end
      assert.equal('dynamic x', Child.new().x)
      assert.equal('own', Child.new().own())
   end)
end)

