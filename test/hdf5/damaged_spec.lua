-- Damaged files: hdf5.verify reads each or says what is wrong, whatever the library does about it;
-- and those that it lets pass are read.
local hdf5 = require 'hdf5'
local mutations = require 'test.support.mutations'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local FOLDER = 'test/data/hdf5/'

local path

local function put(text)
   os.remove(path) -- the library may hold on to the file that it was
   local out = assert(io.open(path, 'wb'))
   out:write(text)
   out:close()
end

describe('damaged HDF5 files', function()
   setup(function()
      path = os.tmpname()
   end)

   teardown(function()
      os.remove(path)
   end)

   for _, name in ipairs { 'h5py.h5', 'strange.h5' } do
      it('like ' .. name .. ' are read or refused, and end no process', function()
         local text, read, refused = shell.read(FOLDER .. name), 0, 0
         mutations.each(text, 60, 2, 4096, function(damaged)
            put(damaged)
            local ok, reason = hdf5.verify(path, 20)
            if not ok then
               refused = refused + 1
               assert(type(reason) == 'string' and not reason:match 'attempt to'
                  and not reason:match '%.lua', reason)
               return
            end
            read = read + 1
            local file = hdf5.open(path, 'r')
            local _, message = pcall(file.all, file)
            assert(type(message) == 'table' or message:match 'hdf5: ', message)
            file:close()
         end)
         assert.is_true(read > 0 and refused > 0)
      end)
   end

   it('cut anywhere are refused', function()
      local text = shell.read(FOLDER .. 'h5py.h5')
      for length = 0, #text - 1, 97 do
         put(text:sub(1, length))
         raises('hdf5: cannot open', hdf5.open, path, 'r')
      end
   end)

   it('are told from whole ones', function()
      assert.is_true(hdf5.verify(FOLDER .. 'h5py.h5'))
      assert.is_true(hdf5.verify(FOLDER .. 'strange.h5'))
      local ok, reason = hdf5.verify 'none.h5'
      assert.is_false(ok)
      assert.matches("cannot open 'none.h5' in mode 'r': there is no such file", reason, 1, true)
      raises('verify: expected a file name, got nil', hdf5.verify)
   end)
end)
