-- What scripts with FFI code of their own do with tensors and storages.
local ffi = require 'ffi'
local torch = require 'torch'

local x

before_each(function()
   x = torch.range(1, 24):float():resize(4, 6):narrow(2, 2, 3)
end)

describe('a tensor as a C struct', function()
   it('has the fields of Torch7', function()
      for _, c in ipairs { x:cdata(), torch.cdata(x), ffi.cast('THFloatTensor *', torch.pointer(x)),
            ffi.cast('THFloatTensor *', torch.cdata(x, true)) } do
         assert.same({ 2, 4, 3, 6, 1, 1, 1 }, { tonumber(c.nDimension), tonumber(c.size[0]),
            tonumber(c.size[1]), tonumber(c.stride[0]), tonumber(c.stride[1]),
            tonumber(c.storageOffset), tonumber(c.refcount) })
         assert.equal(24, tonumber(c.storage.size))
         assert.equal(2, c.storage.data[c.storageOffset])
         assert.equal(14, (c.storage.data + c.storageOffset)[2 * c.stride[0]])
      end
   end)

   it('follows the tensor', function()
      local c = x:cdata()
      x:resize(2, 2, 2)
      assert.same({ 3, 2 }, { c.nDimension, tonumber(c.size[2]) })
      c.storage.data[c.storageOffset] = 7
      assert.equal(7, x[1][1][1])
   end)

   it('exists for every type, and not for what is no tensor', function()
      for _, name in ipairs { 'Byte', 'Char', 'Short', 'Int', 'Long', 'Half', 'Float', 'Double' } do
         local t = torch[name .. 'Tensor'](2, 3)
         assert.equal(3, tonumber(ffi.cast('TH' .. name .. 'Tensor *', t:cdata()).size[1]))
         assert.equal(t:data(), t:cdata().storage.data)
      end
      assert.is_nil(torch.cdata(nil))
      assert.is_nil(torch.data(nil))
   end)

   it('names the fields it has when another is asked for', function()
      local ok, message = pcall(function() return x:cdata().sizes end)
      assert.is_false(ok)
      assert.matches('structs_spec.lua:%d+: a tensor as a C struct has no field sizes; it has size',
         message)
   end)

   it('is no tensor for torch, and printing reads nothing through it', function()
      local c = x:cdata()
      assert.is_false(torch.isTensor(c))
      assert.is_nil(torch.typename(c))
      assert.matches('^cdata<.*THFloatTensor', tostring(c))
      assert.matches('^cdata<.*THFloatTensor',
         tostring(ffi.cast('THFloatTensor *', 16))) -- an address of nothing
   end)
end)

describe('a storage as a C struct', function()
   it('has the fields of Torch7', function()
      local s = x:storage()
      for _, c in ipairs { s:cdata(), torch.cdata(s), x:cdata().storage,
            ffi.cast('THFloatStorage *', torch.pointer(s)) } do
         assert.equal(24, tonumber(c.size))
         assert.equal(5, c.data[4])
         assert.is_true(c.refcount >= 2)
      end
      assert.equal(torch.data(s), s:cdata().data)
   end)

   it('has the flags of a storage of its own, and no allocator', function()
      local c = x:storage():cdata()
      assert.equal(7, c.flag)
      for _, field in ipairs { 'allocator', 'allocatorContext', 'view' } do
         assert.is_true(c[field] == ffi.cast('void *', 0), field)
      end
      local ok, message = pcall(function() return c.length end)
      assert.is_false(ok)
      assert.matches('a storage as a C struct has no field length; it has data, size', message, 1,
         true)
   end)
end)

describe('torch.pushudata', function()
   it('gives the tensor of an address back', function()
      local y = torch.pushudata(torch.pointer(x), 'torch.FloatTensor')
      assert.is_true(y:isSetTo(x))
      y:fill(3)
      assert.equal(36, x:sum())
      local s = x:storage()
      assert.is_true(torch.pushudata(torch.pointer(s), 'torch.FloatStorage') == s)
      assert.is_true(torch.pushudata(x:cdata(), 'torch.FloatTensor'):isSetTo(x))
   end)

   it('refuses what is no address', function()
      for _, name in ipairs { 'torch.FloatTensor', 'torch.FloatStorage', 'torch.CharStorage',
            'torch.Generator' } do
         for _, ptr in ipairs { false, 0, 1, 4095, -8, 0 / 0, math.huge, '0', 'x', {},
               ffi.cast('void *', 0), ffi.cast('intptr_t', 12) } do
            local ok, message = pcall(torch.pushudata, ptr or nil, name)
            assert.is_false(ok)
            assert.matches(('is not the address of a %s; torch.pointer(x), x:cdata()'):format(name),
               message, 1, true)
         end
      end
   end)

   it('takes numbers, pointers, and numbers of C', function()
      local address = torch.pointer(x)
      for _, ptr in ipairs { address, ('%.0f'):format(address), ffi.cast('intptr_t', address),
            ffi.cast('uint64_t', address), ffi.cast('char *', address), x } do
         assert.is_true(torch.pushudata(ptr, 'torch.FloatTensor'):isSetTo(x))
      end
      assert.is_true(torch.pushudata(x:storage(), 'torch.FloatStorage') == x:storage())
      local g = torch.manualSeed(torch._gen, 5)
      assert.is_nil(g)
      local again = torch.pushudata(torch.pointer(torch._gen), 'torch.Generator')
      assert.equal(5, torch.initialSeed(again[0]))
   end)

   it('refuses another type', function()
      local ok, message = pcall(torch.pushudata, torch.pointer(x), 'torch.IntTensor')
      assert.is_false(ok)
      assert.matches('torch.pushudata: there is no torch.IntTensor at this address', message, 1,
         true)
      ok, message = pcall(torch.pushudata, torch.pointer(x:storage()), 'torch.IntStorage')
      assert.is_false(ok)
      assert.matches('torch.pushudata: there is no torch.IntStorage at this address', message, 1,
         true)
   end)
end)
