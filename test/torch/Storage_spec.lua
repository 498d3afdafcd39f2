local ffi = require 'ffi'
local torch = require 'torch'

describe('a storage over given memory', function()
   it('reads and writes it, whatever names it', function()
      local memory = ffi.new('double[4]', 1, 2, 3, 4)
      local address = tonumber(ffi.cast('intptr_t', ffi.cast('void *', memory)))
      for _, place in ipairs { memory, ffi.cast('double *', memory), ffi.cast('intptr_t', memory),
            address } do
         local s = torch.DoubleStorage(4, place)
         assert.same({ 1, 2, 3, 4 }, s:totable())
         s[2] = 9
         assert.equal(9, memory[1])
         memory[1] = 2
         assert.equal(2, torch.DoubleTensor(s, 2, 1)[1])
      end
   end)

   it('is another view of the elements of a tensor', function()
      local x = torch.FloatTensor { 1, 2, 3 }
      local s = torch.FloatStorage(3, torch.data(x, true))
      local y = torch.FloatTensor(s, 1, 3)
      y:mul(2)
      assert.same({ 2, 4, 6 }, x:totable())
   end)

   it('keeps the object that owns the memory as long as a tensor needs it', function()
      local gone = setmetatable({}, { __mode = 'v' })
      local y
      do
         local memory = ffi.new('double[1000]')
         memory[999] = 5
         gone[1] = memory
         y = torch.DoubleTensor(torch.DoubleStorage(1000, memory), 1, 1000)
      end
      for _ = 1, 3 do
         collectgarbage()
      end
      assert.is_not_nil(gone[1])
      assert.equal(5, y[1000])
      y:set()
      for _ = 1, 4 do -- a cycle to notice, another to free
         collectgarbage()
      end
      assert.is_nil(gone[1])
   end)

   it('does no harm when the process ends', function()
      local command = ("%s -e 's = torch.DoubleStorage(4, require(\"ffi\").new(\"double[4]\"))'")
         :format(os.getenv 'TH_EXECUTABLE')
      assert.equal(0, os.execute(command))
   end)

   it('cannot grow, and shrinks in place', function()
      local memory = ffi.new('double[4]', 1, 2, 3, 4)
      local s = torch.DoubleStorage(4, memory)
      local ok, message = pcall(s.resize, s, 5)
      assert.is_false(ok)
      assert.matches('a storage that lies in memory that is not its own has room for 4 elements, '
         .. 'cannot grow to 5', message, 1, true)
      s:resize(2):fill(7)
      assert.same({ 7, 7, 3, 4 }, { memory[0], memory[1], memory[2], memory[3] })
   end)

   it('refuses what is no address', function()
      local ok, message = pcall(torch.DoubleStorage, 4, 'memory')
      assert.is_false(ok)
      assert.matches('Storage: the memory is a string; expected a size, and an address', message, 1,
         true)
      ok, message = pcall(torch.DoubleStorage, 4, ffi.cast('void *', 0))
      assert.is_false(ok)
      assert.matches('a null pointer is no memory for 4 elements', message, 1, true)
      ok, message = pcall(torch.LongStorage, 2, 3)
      assert.is_false(ok)
      assert.matches('3 is no address of memory; .* as in torch%.LongStorage { 2, 3 }', message)
   end)
end)

describe('set with a storage', function()
   it('spans it', function()
      local s = torch.DoubleStorage { 1, 2, 3 }
      local x = torch.DoubleTensor():set(s)
      assert.same({ 1, 2, 3 }, x:totable())
      x[2] = 5
      assert.equal(5, s[2])
      assert.equal(0, torch.DoubleTensor(4):set(torch.DoubleStorage()):dim())
   end)
end)
