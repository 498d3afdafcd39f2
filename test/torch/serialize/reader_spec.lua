local torch = require 'torch'
local th = require 'torch.ffi'
local t7 = require 'test.support.t7'
local sandbox = require 'test.fuzz.sandbox'

local data = t7.data
local contentOf = t7.contentOf
local fromAscii = t7.fromAscii
local copyOf = t7.copyOf
local messageOf = t7.messageOf
local int = t7.int
local text = t7.text
local tensorBytes = t7.tensorBytes
local storageBytes = t7.storageBytes
local quietly = t7.quietly
local list = t7.list

describe('hostile files', function()
   local zeros = ('\0'):rep(16)

   it('are refused with the reason', function()
      local function double(count, elements)
         return storageBytes('Double', count, elements or zeros)
      end
      local cases = {
         [''] = 'data end',
         [int(1) .. 'abc'] = 'data end',
         [int(9)] = 'unknown object type 9',
         [int(-1)] = 'unknown object type -1',
         [int(2) .. int(-1)] = 'a string with a length of -1',
         [int(2) .. int(2 ^ 31 - 1) .. 'x'] = 'data end',
         [int(3) .. int(1) .. int(-5)] = 'a table with -5 entries',
         [int(3) .. int(1) .. int(2 ^ 31 - 1)] = 'data end',
         [int(3) .. int(0) .. int(0)] = 'object number 0',
         [int(4) .. int(-7)] = 'object number -7',
         [int(3) .. int(1) .. int(1) .. int(0) .. int(0)] = 'nil as a key',
         [int(3) .. int(1) .. int(1) .. int(1) .. zeros:sub(1, 6) .. '\248\127' .. int(0)] =
            'nan as a key',
         [int(4) .. int(1) .. text 'V 1' .. text 't7test.Point' .. int(5) .. int(1)] =
            'a boolean where the fields of a t7test.Point should be',
         [int(4) .. int(1) .. text 'V 1' .. text 'torch.DiskFile' .. int(0)] =
            'unknown Torch class',
         [int(8) .. int(1) .. text 'code' .. int(0)] = 'a nil where the upvalues',
         [double(-1)] = 'with -1 elements',
         [double(3)] = 'does not fit into the 16 bytes that are left',
         [double(1.25e9)] = 'does not fit',
         [double(2 ^ 61)] = 'does not fit',
         [double(2 ^ 62)] = 'does not fit',
         [tensorBytes('Double', { 3 }, { 1 }, 1, double(2))] = 'reaches to element 3',
         [tensorBytes('Double', { 2 }, { 1 }, 2, double(2))] = 'reaches to element 3',
         [tensorBytes('Double', { 2 }, { 2 }, 1, double(2))] = 'reaches to element 3',
         [tensorBytes('Double', { 2 ^ 62, 4 }, { 1, 1 }, 1, double(2))] = 'reaches to element',
         [tensorBytes('Double', { 2 ^ 31, 2 ^ 33 }, { 2 ^ 33, 2 ^ 31 }, 1, double(2))] =
            'reaches to element',
         [tensorBytes('Double', { 2 ^ 60, 2 ^ 60 }, { 0, 0 }, 1, double(2))] = 'reaches to element',
         [tensorBytes('Double', { -2 }, { 1 }, 1, double(2))] = 'size -2 in dimension 1',
         [tensorBytes('Double', { 2, 1 }, { 1, -1 }, 1, double(2))] = 'stride -1 in dimension 2',
         [tensorBytes('Double', { 2 }, { 1 }, 0, double(2))] = 'storageOffset 0',
         [tensorBytes('Double', { 2 }, { 1 }, -2 ^ 62, double(2))] = 'storageOffset -4611',
         [tensorBytes('Double', { 2 }, { 1 }, 1, int(0))] = 'without a storage',
         [tensorBytes('Float', { 2 }, { 1 }, 1, double(2))] =
            'torch.FloatTensor whose storage is a torch.DoubleStorage',
         [tensorBytes('Double', { 2 }, { 1 }, 1, int(4) .. int(1))] =
            'whose storage is a torch.DoubleTensor',
         [tensorBytes('Double', { 2 }, { 1 }, 1, int(2) .. text 'x')] = 'whose storage is a string',
         [int(4) .. int(1) .. text 'V 1' .. text 'torch.ByteTensor' .. int(17) .. zeros] =
            'with 17 dimensions',
         [int(4) .. int(1) .. text 'V 1' .. text 'torch.ByteTensor' .. int(-1) .. zeros] =
            'with -1 dimensions',
      }
      local live = tonumber(th.C.TH_liveBytes(th.C.TH_CPU)[0])
      for bytes, reason in pairs(cases) do
         local _, message = quietly(messageOf, torch.deserialize, bytes)
         assert.matches('torch.deserialize: the torch.MemoryFile, byte %d+: ', message)
         assert.matches(reason, message, 1, true)
      end
      collectgarbage()
      assert.is_true(tonumber(th.C.TH_liveBytes(th.C.TH_CPU)[0]) - live < 1e6)
   end)

   it('that claim 10 GB in 100 bytes are refused without taking that memory', function()
      local much = 1.25e9 -- doubles
      local path = os.tmpname()
      local claims = {
         storageBytes('Double', much, zeros),
         tensorBytes('Double', { much }, { 1 }, 1, storageBytes('Double', much, '')),
         tensorBytes('Double', { much }, { 1 }, 1, storageBytes('Double', 2, zeros)),
         int(2) .. int(2 ^ 31 - 1) .. zeros,
         int(3) .. int(1) .. int(2 ^ 31 - 1) .. zeros,
         int(8) .. int(1) .. int(2 ^ 31 - 1) .. zeros,
         int(4) .. int(1) .. int(2 ^ 31 - 1) .. zeros,
      }
      for _, bytes in ipairs(claims) do
         assert.is_true(#bytes < 140)
         t7.setContent(path, bytes)
         for _, way in ipairs {
            function() return torch.deserialize(bytes) end,
            function() return torch.load(path) end,
            function() return torch.PipeFile('cat ' .. path):binary():readObject() end,
         } do
            local ok, message = sandbox.run(way, true, #bytes, true) -- raises for too much memory
            assert.is_false(ok)
            assert.matches(', byte %d+: ', message)
         end
         local ok, message = sandbox.run(function()
            return torch.deserialize(bytes)
         end, true, #bytes, false)
         assert.is_false(ok)
         assert.matches(', byte %d+: ', message)
      end
      os.remove(path)
   end)

   it('that end in cycles where there can be none are refused', function()
      local double = text 'V 1' .. text 'torch.DoubleTensor'
      for bytes, reason in pairs {
         [tensorBytes('Double', { 2 }, { 1 }, 1, int(4) .. int(1))] = -- its own storage
            'whose storage is a torch.DoubleTensor',
         [int(4) .. int(1) .. double .. int(0) .. zeros:sub(1, 7) .. '\1' .. int(8) .. int(1)] =
            'a function is mentioned, but object 1 is a torch object',
         [int(8) .. int(1) .. text 'code' .. int(8) .. int(1)] =
            'a function where the upvalues of a function should be',
      } do
         local _, message = quietly(messageOf, torch.deserialize, bytes)
         assert.matches(reason, message, 1, true)
      end
      local mention = int(3) .. int(1)
      local t = torch.deserialize(mention .. int(1) .. mention .. mention)
      assert.equal(t, t[t]) -- a table may be its own key
   end)

   it('appear in messages on one line, and shortened', function()
      local function named(name)
         return messageOf(torch.deserialize, int(4) .. int(1) .. text 'V 1' .. text(name))
      end
      assert.matches('<a\\10b\\0c\\27>: define it', named 'a\nb\0c\27', 1, true)
      local long = named('my.' .. ('x'):rep(1e6))
      assert.matches('x... (1000003 characters)>: ', long, 1, true)
      assert.is_true(#long < 400)
   end)

   it('of modules without fields are refused', function()
      require 'nn'
      assert.matches('byte 43: a number where the fields of a nn.Identity should be',
         messageOf(torch.deserialize, int(4) .. int(1) .. text 'V 1' .. text 'nn.Identity'
            .. torch.serialize(5)), 1, true)
   end)

   it('take sizes of 0 for an empty tensor', function()
      local tensor = torch.deserialize(tensorBytes('Double', { 2, 0 }, { 1, 1 }, 1,
         storageBytes('Double', 2, zeros)))
      assert.equal(0, tensor:nElement())
   end)

   it('may nest deeply, up to a limit', function()
      local depth = 50000
      local function nested(n)
         local parts = {}
         for i = 1, n do -- table i holds { [true] = table i + 1 }
            parts[i] = int(3) .. int(i) .. int(1) .. int(5) .. int(1)
         end
         return table.concat(parts) .. int(0)
      end
      local t = torch.deserialize(nested(depth))
      for _ = 1, depth - 1 do
         t = t[true]
      end
      assert.same({}, t)
      assert.matches('nested more than 100000 deep', messageOf(torch.deserialize, nested(200000)),
         1, true)

      local chain, hooked = false, false
      for _ = 1, depth do
         chain, hooked = { chain }, list(hooked)
      end
      local copy, hookedCopy = copyOf(chain), copyOf(hooked)
      for _ = 1, depth do
         copy, hookedCopy = copy[1], hookedCopy.values[1]
      end
      assert.is_false(copy)
      assert.is_false(hookedCopy)
      for _ = 1, depth + 10 do
         chain = { chain }
      end
      assert.matches('nested more than 100000 deep', messageOf(torch.serialize, chain), 1, true)
   end)

   -- Small files of every kind of object, to damage.
   local function samples()
      local result = {}
      for _, name in ipairs {
         'scalars', 'cycle', 'transposed', 'shared', 'types', 'empty', 'instance',
      } do
         result[#result + 1] = { contentOf(data .. name .. '.t7'), 'binary' }
         result[#result + 1] = { contentOf(data .. name .. '.ascii.t7'), 'ascii' }
      end
      for kind = 6, 8 do
         result[#result + 1] = { contentOf(data .. ('function.type%d.t7'):format(kind)), 'binary' }
      end
      result[#result + 1] = { contentOf(data .. 'shared.b32.t7'), 'b32' }
      result[#result + 1] = { torch.serialize(list(1, { 2 }, torch.IntTensor { 3 })), 'binary' }
      result[#result + 1] = { torch.serialize(function() return data end), 'binary' }
      return result
   end

   -- Whatever was loaded must be sound: every tensor within its storage.
   local function examine(object, seen)
      if torch.isTensor(object) then
         local last = object:storageOffset()
         for d = 1, object:dim() do
            last = last + (object:size(d) - 1) * object:stride(d)
         end
         assert(object:dim() == 0 or last <= #object:storage(), 'a tensor leaves its storage')
      elseif torch.isStorage(object) then
         local _ = #object > 0 and object[1] + object[#object]
      elseif type(object) == 'table' and not seen[object] then
         seen[object] = true
         for key, value in pairs(object) do
            examine(key, seen)
            examine(value, seen)
         end
      end
   end

   it('that end early are an error at every length', function()
      local count = 0
      quietly(function()
         for _, sample in ipairs(samples()) do
            local bytes, mode = unpack(sample)
            assert(pcall(torch.deserialize, bytes, mode), 'a sound sample does not load')
            for length = 0, #bytes - 1 do
               local ok, result = pcall(torch.deserialize, bytes:sub(1, length), mode)
               assert.is_false(ok, ('%d of %d bytes'):format(length, #bytes))
               assert.matches('^.*reader_spec.lua:%d+: torch.deserialize: .*, byte %d+: ', result)
               count = count + 1
            end
         end
      end)
      assert.is_true(count > 3000)
   end)

   it('with changed bytes give an object or an error', function()
      local seed = 20150913
      local state = seed
      local function random(n)
         state = (state * 16807) % 2147483647
         return state % n + 1
      end
      local all = samples()
      local loaded, refused = 0, 0
      local live = tonumber(th.C.TH_liveBytes(th.C.TH_CPU)[0])
      quietly(function()
         for case = 1, 6000 do
            local bytes, mode = unpack(all[random(#all)])
            for _ = 1, random(3) do
               local at = random(#bytes)
               local byte = random(3) == 1 and string.char(random(256) - 1)
                  or string.char((bytes:byte(at) + 2 ^ (random(8) - 1)) % 256)
               bytes = bytes:sub(1, at - 1) .. byte .. bytes:sub(at + 1)
            end
            local ok, result = pcall(torch.deserialize, bytes, mode)
            if ok then
               loaded = loaded + 1
               examine(result, {})
               local again, text7 = pcall(torch.serialize, result)
               assert(again, ('seed %d, case %d: %s'):format(seed, case, tostring(text7)))
            else
               refused = refused + 1
               assert(type(result) == 'string' and result:match 'torch.deserialize: ',
                  ('seed %d, case %d: %s'):format(seed, case, tostring(result)))
            end
         end
      end)
      collectgarbage()
      assert.is_true(tonumber(th.C.TH_liveBytes(th.C.TH_CPU)[0]) - live < 1e6)
      assert.is_true(loaded > 500 and refused > 500)
   end)

   it('as text, are refused with the reason', function()
      for bytes, reason in pairs {
         ['hello'] = 'text where a number should be',
         ['2;5;ab;'] = 'data end',
         ['3;1;1;2;1;a;'] = 'data end',
         ['1;x;'] = 'text where a number should be',
         ['4;1;3;V 1;18;torch.DoubleTensor;1;2;1;1;4;2;3;V 1;19;torch.DoubleStorage;'
            .. '1000000000000;1 2;'] = 'does not fit',
      } do
         assert.matches(reason, messageOf(fromAscii, bytes), 1, true)
      end
   end)
end)
