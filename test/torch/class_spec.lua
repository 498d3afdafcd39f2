local class = require 'torch.class'
local classes = require 'test.support.classes'

local fresh, home, raised = classes.fresh, classes.home, classes.raised

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

   it('makes objects by what it returns, too, with parent and without', function()
      local parentName, childName = fresh('Parent'), fresh('Child')
      local Parent = class.class(parentName)
      function Parent:__init(value)
         self.value = value
      end
      function Parent.__call__()
         return 'called'
      end
      local Child = class.class(childName, parentName)
      assert.same({ 3, parentName }, { Parent(3).value, class.typename(Parent(3)) })
      assert.same({ 4, childName }, { Child(4).value, class.typename(Child(4)) })
      assert.equal('called', Child(4)())
      assert.equal('called', Parent(4)())
      assert.is_nil(getmetatable(Parent))
      assert.equal(Parent, getmetatable(Child))
      assert.is_nil(class.typename(Parent))
      local same = class.newmetatable(parentName)
      assert.equal(Parent, same)
   end)

   it('makes objects by what it returns where a script has a method new', function()
      local name = fresh()
      local C = class.class(name)
      function C:__init(value)
         self.value = value
      end
      function C:new(value)
         return { of = self, value = value }
      end
      assert.same({ 3, name }, { C(3).value, class.typename(C(3)) })
      assert.same({ 4, name }, { home[name:match('[^.]+$')](4).value, class.typename(C(4)) })
      local object = C(5)
      assert.same({ object, 6 }, { object:new(6).of, object:new(6).value })
   end)

   it('makes objects by what it returns where a parent has Lua\'s __call', function()
      local parentName, childName = fresh('Parent'), fresh('Child')
      local Parent = class.class(parentName)
      function Parent:__call(value)
         return class.typename(self), value
      end
      local Child = class.class(childName, parentName)
      local GrandChild = class.class(fresh('GrandChild'), childName)
      assert.equal(childName, class.typename(Child(3)))
      assert.same({ childName, 4 }, { Child(3)(4) })
      assert.same({ parentName, 5 }, { Parent()(5) })
      assert.same({ class.typename(GrandChild()), 6 }, { GrandChild()(6) })
      function Child:__call(value)
         return self, -value
      end
      local other = class.class(fresh('Other'), childName)()
      assert.same({ other, -7 }, { other(7) })
      assert.same({ parentName, 8 }, { Parent()(8) })
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
      local early, late = {}, { kept = 1 }
      class.setModule('later', early)
      class.class('later.Early')
      class.setModule('later', late)
      assert.equal('later.Early', tostring(late.Early))
      assert.equal(early.Early, late.Early)
      assert.equal(1, late.kept)
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

describe('class.install', function()
   it('fills a torch table and registers torch classes there', function()
      local torch = {}
      class.install(torch)
      local C = torch.class('torch.SpecInstalled')
      assert.equal(C, getmetatable(torch.SpecInstalled()))
      assert.equal('torch.SpecInstalled', torch.type(torch.SpecInstalled()))
   end)
end)
