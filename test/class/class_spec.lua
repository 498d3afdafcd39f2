-- The package `class`, by the example and the sentences of Torch's documentation of it.
local ffi = require 'ffi'
local class = require 'class'

local count = 0
local function name()
   count = count + 1
   return 'spec.Class' .. count
end

describe('class', function()
   it('makes classes that inherit, as its documentation has it', function()
      local a, b = name(), name()
      local A = class(a)
      function A:__init(stuff) self.stuff = stuff end
      function A:run() return self.stuff end
      local B = class(b, a)
      function B:run5() return self:run():rep(5) end
      assert.equal('hello', A('hello'):run())
      assert.equal('hello', A.new('hello'):run())
      assert.equal('xxxxx', B('x'):run5())
      assert.equal('x', B.new('x'):run())
      assert.is_nil(A('x').run5)
      assert.is_nil(rawget(_G, 'class'))
   end)

   it('knows what an object is', function()
      local a, b = name(), name()
      local A, B = class(a), class.new(b, a)
      assert.equal(a, class.type(A()))
      assert.equal(b, class.type(B()))
      assert.equal('table', class.type {})
      assert.equal('string', class.type 'x')
      assert.is_true(class.istype(B(), a))
      assert.is_true(class.istype(B(), b))
      assert.is_false(class.istype(A(), b))
      assert.is_false(class.istype({}, a))
      assert.is_true(class.istype(3, 'number'))
      assert.is_false(class.istype(nil, a))
   end)

   it('makes instances without __init, and shows its metatables', function()
      local a = name()
      local A = class(a)
      local calls = 0
      function A.__init() calls = calls + 1 end
      function A.two() return 2 end
      local object = class.factory(a)
      assert.equal(0, calls)
      assert.equal(2, object.two())
      assert.equal(class.metatable(a), getmetatable(object))
      assert.equal(A.two, class.metatable(a).two)
      assert.is_nil(class.metatable 'nowhere')
   end)

   it('inherits operators that were there', function()
      local a, b = name(), name()
      local A = class(a)
      function A.__add(x, y) return x.n + y.n end
      function A:__tostring() return 'n = ' .. self.n end
      local B = class(b, a)
      local x, y = B(), B()
      x.n, y.n = 3, 4
      assert.equal(7, x + y)
      assert.equal('n = 3', tostring(x))
   end)

   it('has parents by way of __init, which may be inherited', function()
      local a, b, c = name(), name(), name()
      local A = class(a)
      function A:__init(x) self.x = x end
      local B = class(b, a)
      function B:__init(x, y)
         A.__init(self, x)
         self.y = y
      end
      local C = class(c, b)
      local object = C(1, 2)
      assert.same({ 1, 2 }, { object.x, object.y })
   end)

   it('names the objects of a C type', function()
      local ctype = ffi.typeof 'struct { int spec_class_field; }'
      local a = name()
      class(a, ctype)
      assert.equal(a, class.type(ctype()))
      assert.is_true(class.istype(ctype(), a))
      assert.equal('cdata', class.type(ffi.new 'int[1]'))
   end)

   it('refuses names that are taken, or of no class', function()
      local a = name()
      class(a)
      local function refused(pattern, f, ...)
         local ok, message = pcall(f, ...)
         assert.is_false(ok)
         assert.matches(pattern, message)
      end
      refused('class_spec.lua:%d+: class ' .. a .. ' exists already', function() class.new(a) end)
      refused('there is no class nowhere to inherit from', class.new, name(), 'nowhere')
      refused('class: expected a name, got nil', class.new)
      refused('class.factory: there is no class nowhere', class.factory, 'nowhere')
      refused('expected a C type as ffi.typeof gives it, got number', class.new, name(), a, 3)
   end)
end)
