local class = require 'torch.class'
local ffi = require 'ffi'

local serial = 0

-- Class names are never forgotten, so every test takes fresh ones.
local function fresh(stem)
   serial = serial + 1
   return ('spec.%s%d'):format(stem or 'C', serial)
end

local home = {}
class.setModule('spec', home)

local function raised(f, ...)
   local ok, message = pcall(f, ...)
   assert.is_false(ok)
   return message
end

describe('torch.class', function()
   it('stores a callable constructor in the module and runs __init', function()
      local name = fresh()
      local Point, parent = class.class(name)
      function Point:__init(x, y)
         self.x, self.y = x, y
      end
      function Point.sum(p)
         return p.x + p.y
      end
      local constructor = home[name:match('[^.]+$')]
      local p = constructor(3, 4)
      assert.is_nil(parent)
      assert.equal(7, p:sum())
      assert.equal(7, constructor.new(3, 4):sum())
      assert.equal(constructor, class.getconstructortable(name))
   end)

   it('gives nil arguments to __init in their places', function()
      local C = class.class(fresh())
      local count
      function C.__init(_, ...)
         count = select('#', ...)
      end
      C.new(nil, 2, nil)
      assert.equal(3, count)
   end)

   it('inherits methods and __init from the parent, which is returned second', function()
      local parentName, childName = fresh('Parent'), fresh('Child')
      local Parent = class.class(parentName)
      function Parent:__init(value)
         self.value = value
      end
      function Parent:get()
         return self.value
      end
      local Child, returned = class.class(childName, parentName)
      local object = Child.new('v')
      assert.equal(Parent, returned)
      assert.equal('v', object:get())
      function Child:get()
         return 'child of ' .. returned.get(self)
      end
      assert.equal('child of v', object:get())
      assert.equal('v', Parent.new('v'):get())
   end)

   it('is one table as metatable of instances, of the name and as returned', function()
      local name = fresh()
      local C = class.class(name)
      local object = C.new()
      assert.equal(C, getmetatable(object))
      assert.equal(C, class.getmetatable(name))
      assert.equal(C, C.__metatable)
      assert.equal(name, C.__typename)
      assert.equal(1, C.__version)
      assert.is_nil(class.getmetatable('no.such'))
   end)

   it('chains class metatables, so that a class table shows inherited methods', function()
      local parentName = fresh()
      local Parent = class.class(parentName)
      local Child = class.class(fresh(), parentName)
      function Parent.later()
         return 'late'
      end
      assert.equal(Parent, getmetatable(Child))
      assert.equal('late', Child.later())
   end)

   it('keeps the plain class table as __index when there is no hook', function()
      local parentName = fresh()
      class.class(parentName)
      local C = class.class(fresh(), parentName)
      C.new()
      assert.equal(C, rawget(C, '__index'))
      assert.is_nil(rawget(C, '__newindex'))
   end)

   it('reads and writes the class through the constructor table', function()
      local name = fresh()
      local C = class.class(name)
      local constructor = class.getconstructortable(name)
      local object = C.new()
      C.field = 5
      function constructor.added()
         return 'added'
      end
      assert.equal(5, constructor.field)
      assert.equal('added', object.added())
      assert.equal(C.added, constructor.added)
      assert.equal(name, tostring(constructor))
      assert.equal(C, getmetatable(constructor))
   end)

   it('stores an undotted name as a global', function()
      local name = 'TorchClassSpecGlobal'
      local C = class.class(name)
      local constructor = rawget(_G, name)
      rawset(_G, name, nil)
      assert.equal(C, getmetatable(constructor()))
   end)

   it('stores the last component in a module table, which needs no global', function()
      local module = {}
      local C = class.class('nowhere.at.all.Thing', module)
      assert.equal(C, getmetatable(module.Thing()))
      local D = class.class('nowhere.at.all.Other', 'nowhere.at.all.Thing', module)
      assert.is_true(class.isTypeOf(D.new(), module.Thing))
   end)

   it('resolves a dotted path of tables', function()
      home.inner = {}
      local C = class.class('spec.inner.Deep')
      assert.equal(C, getmetatable(home.inner.Deep()))
   end)

   it('refuses a module that does not exist, at the caller\'s line', function()
      local line = debug.getinfo(1, 'l').currentline + 1
      local _, message = pcall(class.class, 'absent_module.C')
      assert.matches('class_spec%.lua:' .. line .. ':', message)
      assert.matches('absent_module is an invalid module name', message, 1, true)
      assert.is_nil(class.getmetatable('absent_module.C'))
   end)

   it('refuses a name a second time and an unknown parent', function()
      local name = fresh()
      local C = class.class(name)
      assert.matches('has been already assigned a factory', raised(class.class, name))
      assert.equal(C, class.getmetatable(name))
      local orphan = fresh()
      assert.matches('parent class no%.Parent does not exist',
         raised(class.class, orphan, 'no.Parent'))
      assert.is_nil(class.getmetatable(orphan))
      assert.matches('expected a class name, got nil', raised(class.class))
   end)

   it('moves constructors made before their module is known', function()
      local name = 'later.C' .. serial
      local early, late = {}, { kept = 1 }
      class.setModule('later', early)
      class.class(name)
      class.setModule('later', late)
      assert.equal(early['C' .. serial], late['C' .. serial])
      assert.equal(1, late.kept)
   end)
end)

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
      assert.matches('class_spec%.lua:' .. line .. ': ', message)
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

describe('type queries', function()
   local parentName, childName = fresh('BaseTensor'), fresh('SubTensor')
   local Parent, Child, object

   setup(function()
      Parent = class.class(parentName)
      Child = class.class(childName, parentName)
      object = Child.new()
   end)

   it('typename is nil for what is no instance', function()
      assert.equal(childName, class.typename(object))
      for _, other in pairs { 1, 'x', true, {}, print, ffi.new('int[2]'),
         class.getconstructortable(childName), setmetatable({}, { __metatable = false }) } do
         assert.is_nil(class.typename(other))
      end
      assert.is_nil(class.typename(nil))
   end)

   it('type falls back on Lua\'s', function()
      assert.equal(childName, class.type(object))
      assert.equal('table', class.type({}))
      assert.equal('nil', class.type(nil))
      assert.equal('number', class.type(3))
      assert.equal('table', class.type(class.getconstructortable(childName)))
   end)

   it('isTypeOf takes constructors, whole names and patterns, through the ancestry', function()
      assert.is_true(class.isTypeOf(object, class.getconstructortable(parentName)))
      assert.is_true(class.isTypeOf(object, Child))
      assert.is_false(class.isTypeOf(Parent.new(), Child))
      assert.is_true(class.isTypeOf(object, parentName))
      assert.is_false(class.isTypeOf(object, parentName:sub(1, -2)))
      assert.is_false(class.isTypeOf(object, 'Tensor'))
      assert.is_true(class.isTypeOf(object, 'spec.*Base.*'))
      assert.is_false(class.isTypeOf({}, 'table'))
      assert.is_false(class.isTypeOf(nil, parentName))
      assert.matches('expected a class name', raised(class.isTypeOf, object, 3))
   end)

   it('isTensor and isStorage go by torch\'s names', function()
      local tensor = class.class('torch.SpecTensor', {}).new()
      local storage = class.class('torch.SpecStorage', {}).new()
      assert.same({ true, false }, { class.isTensor(tensor), class.isStorage(tensor) })
      assert.same({ false, true }, { class.isTensor(storage), class.isStorage(storage) })
      assert.same({ false, false }, { class.isTensor(object), class.isStorage({}) })
   end)

   it('version reads the class\'s __version', function()
      assert.equal(1, class.version(object))
      Child.__version = 3
      assert.equal(3, class.version(object))
      assert.is_nil(class.version({}))
   end)

   it('factory makes a bare instance', function()
      local name = fresh()
      local C = class.class(name)
      function C:__init()
         self.ran = true
      end
      local bare = class.factory(name)()
      assert.equal(name, class.typename(bare))
      assert.is_nil(bare.ran)
      assert.is_nil(class.factory('no.such'))
   end)
end)

describe('newmetatable', function()
   it('calls the given constructor with the arguments alone', function()
      local name = fresh()
      local mt = class.newmetatable(name, nil, function(...)
         return { n = select('#', ...), first = (...) }
      end)
      local constructor = class.getconstructortable(name)
      assert.same({ n = 2, first = 'a' }, constructor('a', nil))
      assert.same({ n = 1, first = 'a' }, mt.new('a'))
   end)

   it('completes a class step by step, each part once', function()
      local name = fresh()
      local mt = class.newmetatable(name)
      assert.matches('cannot be constructed', raised(class.getconstructortable(name)))
      assert.equal(mt, class.newmetatable(name, nil, function() return 'made' end))
      assert.equal('made', class.getconstructortable(name)())
      assert.matches('already assigned a constructor',
         raised(class.newmetatable, name, nil, function() end))
   end)

   it('setmetatable makes a table an instance, even of another class before', function()
      local A, B = class.class(fresh()), class.class(fresh())
      local object = A.new()
      object.kept = 1
      assert.equal(object, class.setmetatable(object, B.__typename))
      assert.equal(B.__typename, class.typename(object))
      assert.equal(1, object.kept)
      assert.matches('unknown class no%.such', raised(class.setmetatable, {}, 'no.such'))
      assert.matches('a number cannot become', raised(class.setmetatable, 3, B.__typename))
   end)
end)

describe('FFI objects', function()
   it('become instances through metatype, with methods, operators and a destructor', function()
      local name = fresh('Pair')
      local destroyed = 0
      local Pair = class.newmetatable(name)
      local Ctype = class.metatype(name, 'struct { int a, b; }', function()
         destroyed = destroyed + 1
      end)
      function Pair:sum()
         return self.a + self.b
      end
      function Pair.__add__(p, n)
         return Ctype(p.a + n, p.b + n)
      end
      local p = Ctype(1, 2) + 10
      assert.equal(name, class.typename(p))
      assert.equal(23, p:sum())
      assert.equal(name, tostring(p))
      assert.matches('the class ' .. name .. ' cannot be indexed',
         raised(function() p.absent = 1 end), 1, true)
      local view = class.pushudata(ffi.cast('void *', p), name)
      assert.equal(name, class.typename(view))
      assert.equal(23, view:sum())
      assert.is_true(class.isequal(view, p))
      assert.is_true(p == p) -- luacheck: ignore 571
      assert.is_false(p == Ctype(11, 12))
      assert.is_false(p == nil)

      for _ = 1, 10 do
         Ctype(0, 0)
      end
      collectgarbage()
      collectgarbage()
      assert.is_true(destroyed >= 9) -- one may still lie in a stack slot
   end)

   it('are recognised through the cdataclass hook', function()
      local T = class.newmetatable('torch.HookedTensor', nil, nil, nil, nil, {})
      local ctype = ffi.typeof('struct { double x; }')
      local before = class.cdataclass
      class.cdataclass = function(object)
         return ffi.istype(ctype, object) and T or before and before(object) or nil
      end
      local object = ctype()
      local name, isTensor = class.typename(object), class.isTensor(object)
      local other = class.typename(ffi.new('int[1]'))
      class.cdataclass = before
      assert.equal('torch.HookedTensor', name)
      assert.is_true(isTensor)
      assert.is_nil(other)
   end)

   it('pushudata refuses classes without a C struct', function()
      local C = class.class(fresh())
      assert.matches('have no C struct', raised(class.pushudata, nil, C.__typename))
      assert.matches('unknown class', raised(class.pushudata, nil, 'no.such'))
   end)
end)

describe('identity', function()
   it('pointer is a stable number, distinct for distinct objects', function()
      local C = class.class(fresh())
      function C.__tostring__()
         error('the address must not ask the object')
      end
      local objects = { {}, {}, print, function() end, coroutine.create(print), 'text', io.stdout,
         C.new(), ffi.new('int[1]') }
      local seen = {}
      for i = 1, #objects do
         local address = class.pointer(objects[i])
         assert.equal('number', type(address))
         assert.equal(address, class.pointer(objects[i]))
         assert.is_nil(seen[address])
         seen[address] = true
      end
      assert.equal(class.pointer('te' .. 'xt'), class.pointer('text'))
      assert.matches('got number', raised(class.pointer, 3))
      assert.matches('got nil', raised(class.pointer, nil))
   end)

   it('pointer is the address Lua itself prints', function()
      local t = {}
      assert.equal(tonumber(tostring(t):match('0x%x+')), class.pointer(t))
      local memory = ffi.new('char[8]')
      assert.equal(tonumber(ffi.cast('intptr_t', memory)), class.pointer(memory))
   end)

   it('isequal tells one object from its double', function()
      local C = class.class(fresh())
      local a = C.new()
      assert.is_true(class.isequal(a, a))
      assert.is_false(class.isequal(a, C.new()))
      assert.is_false(class.isequal({}, {}))
      assert.is_false(class.isequal(2, 2))
   end)

   it('getenv and setenv keep an environment for functions and FFI objects', function()
      local environment = {}
      local f = function() end
      local memory = ffi.new('int[1]')
      assert.equal(_G, class.getenv(memory))
      class.setenv(f, environment)
      class.setenv(memory, environment)
      assert.equal(environment, debug.getfenv(f))
      assert.equal(environment, class.getenv(f))
      assert.equal(environment, class.getenv(memory))
      assert.matches('got table', raised(class.getenv, {}))
      assert.matches('got nil', raised(class.setenv, f, nil))
   end)
end)

describe('class.install', function()
   it('fills a torch table and registers torch classes there', function()
      local torch = {}
      class.install(torch)
      local C = torch.class('torch.SpecInstalled')
      assert.equal(C, getmetatable(torch.SpecInstalled()))
      assert.equal('torch.SpecInstalled', torch.type(torch.SpecInstalled()))
   end)
end)
