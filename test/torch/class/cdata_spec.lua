local class = require 'torch.class'
local classes = require 'test.support.classes'
local ffi = require 'ffi'

local fresh, raised = classes.fresh, classes.raised

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

   it('take an operator put into their class', function()
      local name = fresh()
      local C = class.newmetatable(name)
      local Ctype = class.metatype(name, 'struct { int c; }')
      function C.__add__(c, n)
         return c.c + n
      end
      local before = C.__add
      rawset(C, '__add', function(c, n)
         return { before(c, n) }
      end)
      assert.same({ 3 }, Ctype(1) + 2)
      rawset(C, '__add', before)
      assert.equal(3, Ctype(1) + 2)
   end)

   it('become instances of a class whose table a script has given them', function()
      local name, old = fresh(), fresh()
      ffi.cdef('typedef struct { int held; } torch_spec_adopted;')
      local methods = {}
      local mt = { __index = methods, __version = 3 }
      function methods:get()
         return self.held
      end
      function mt:__write(file)
         file:writeInt(self.held)
      end
      function mt:__read(file)
         self.held = file:readInt()
      end
      function mt.__factory()
         return ffi.new 'torch_spec_adopted'
      end
      local new = ffi.metatype('torch_spec_adopted', mt)
      class.metatype(name, mt, 'torch_spec_adopted &')
      local read = {}
      class.metatype(old, { __factory = function(file)
         read[1] = file
         return new(4)
      end })

      local array = ffi.new 'torch_spec_adopted[1]'
      for _, object in ipairs { new(7), array[0] } do -- the second a reference
         assert.equal(name, class.typename(object))
         assert.equal(mt, class.getmetatable(name))
         assert.equal(mt, getmetatable(object))
         assert.equal(3, class.version(object))
      end
      local torch = require 'torch'
      local copy = torch.deserialize(torch.serialize { new(7) })[1]
      assert.equal(name, class.typename(copy))
      assert.equal(7, copy:get())
      assert.equal('cdata', type(copy)) -- as in Torch7: FFI objects of scripts are no userdata
      assert.equal(4, class.factory(old)('file').held)
      assert.same({ 'file' }, read)
      assert.matches('there is a class ' .. name .. ' already', raised(class.metatype, name, {}),
         1, true)
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

