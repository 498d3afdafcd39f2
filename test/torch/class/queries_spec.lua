local class = require 'torch.class'
local classes = require 'test.support.classes'
local ffi = require 'ffi'

local fresh, raised = classes.fresh, classes.raised

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
      assert.is_true(class.isTypeOf(object, object)) -- an instance stands for its class
      assert.is_true(class.isTypeOf(object, Parent.new()))
      assert.is_false(class.isTypeOf(Parent.new(), object))
      assert.matches('expected a class name', raised(class.isTypeOf, object, 3))
      assert.matches('expected a class name', raised(class.isTypeOf, object, {}))
      assert.matches('or an instance, got nil', raised(class.isTypeOf, object, nil))
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

   -- torchnet looks there.
   it('classes are in Lua\'s registry, by name and by metatable', function()
      local name = fresh()
      local C = class.class(name)
      assert.equal(name, debug.getregistry()[C])
      assert.equal(C, debug.getregistry()[name])
   end)
end)
