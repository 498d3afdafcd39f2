local class = require 'torch.class'
local classes = require 'test.support.classes'
local ffi = require 'ffi'

local fresh, raised = classes.fresh, classes.raised

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

