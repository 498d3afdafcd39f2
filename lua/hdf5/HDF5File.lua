--- An open HDF5 file.
--
--     local file = hdf5.open('data.h5', 'w')
--     file:write('/inputs', torch.rand(10, 3))
--     file:close()
-- @classmod hdf5.HDF5File
local torch = require 'torch'
local ffi = require 'ffi'
local lfs = require 'lfs'
local hdf5 = require 'hdf5.module'
local h5 = require 'hdf5.ffi'
local objects = require 'hdf5.objects'

local C, fail, check, constants = h5.C, h5.fail, h5.check, h5.constants

local File = torch.class('hdf5.HDF5File', hdf5)

function File:__init(filename, id)
   self._filename = filename
   self._box = objects.hold(id)
   self:__openRoot()
end

function File:__openRoot()
   local id = self._box.id[0]
   local ok, root = pcall(objects.load, self, id, '/')
   if not ok then -- a damaged file, which must not stay open
      objects.release(self._box)
      error(root, 0)
   end
   self._root = root
end

-- --- opening ------------------------------------------------------------------------------------

local RDONLY, RDWR, TRUNC, EXCL = constants.H5F_ACC_RDONLY, constants.H5F_ACC_RDWR,
   constants.H5F_ACC_TRUNC, constants.H5F_ACC_EXCL
local modes = {
   r = { open = RDONLY }, ['r+'] = { open = RDWR }, w = { create = TRUNC },
   ['w-'] = { create = EXCL }, x = { create = EXCL }, a = { open = RDWR, create = EXCL },
}

local function openId(filename, mode)
   local way = modes[mode]
   local there = lfs.attributes(filename, 'mode')
   if there == 'directory' then
      fail("cannot open '%s': it is a directory; name a file in it", filename)
   elseif not there and not way.create then
      fail("cannot open '%s' in mode '%s': there is no such file (it is looked for in %s)",
         filename, mode, lfs.currentdir() or '.')
   elseif there and way.create == EXCL and not way.open then
      fail("cannot open '%s' in mode '%s': the file exists, and this mode makes new ones only "
         .. "('w' replaces it, 'r+' opens it)", filename, mode)
   elseif not there then
      local folder = filename:match '^(.*)/[^/]*$'
      if folder and folder ~= '' and lfs.attributes(folder, 'mode') ~= 'directory' then
         fail("cannot open '%s': there is no directory %s: make it first", filename, folder)
      end
   end
   if there and way.open then
      if C.H5Fis_hdf5(filename) == 0 then
         fail("cannot open '%s': it is not an HDF5 file", filename)
      end
      return check(C.H5Fopen(filename, way.open, 0), "cannot open '%s' in mode '%s'", filename,
         mode)
   end
   return check(C.H5Fcreate(filename, way.create, 0, 0), "cannot open '%s' in mode '%s'", filename,
      mode)
end

--- Open a file.
-- @string filename
-- @string[opt='a'] mode 'r' to read, 'r+' to read and write, 'w' to write anew, 'w-' or 'x' to
-- write a new one only, 'a' to read and write, made if missing
-- @return hdf5.HDF5File
-- @raise "hdf5: cannot open 'x.h5' in mode 'r': there is no such file"
-- @usage hdf5.HDF5File.open(filename [, mode])
function File.open(filename, mode)
   mode = mode or 'a'
   if type(filename) ~= 'string' or filename:find '%z' then
      fail('open: expected a file name, got %s', filename == nil and 'nil'
         or type(filename) == 'string' and 'one with a NUL character'
         or 'a ' .. torch.type(filename))
   elseif not modes[mode] then
      fail("open: expected the mode 'r', 'r+', 'w', 'w-', 'x' or 'a', got '%s'", tostring(mode))
   end
   h5.tell('opening %s in mode %s', filename, mode)
   return hdf5.HDF5File(filename, openId(filename, mode))
end

-- --- contents -----------------------------------------------------------------------------------

-- The group of everything, of a file that is open.
local function root(self)
   objects.id(self._box, ("the file '%s'"):format(self._filename))
   return self._root
end

--- The file's name.
function File:filename()
   return self._filename
end

--- Write a tensor, or a table of tensors as a group: see hdf5.HDF5Group:write.
-- @string path such as '/group/name'; '/' for a table's entries at the top
-- @param data tensor or table
-- @param[opt] options hdf5.DataSetOptions
function File:write(path, data, options)
   self:_write_or_append('_writeData', path, data, options)
end

--- Put a tensor behind a data set: see hdf5.HDF5Group:append.
-- @string path
-- @param data tensor or table
-- @param[opt] options hdf5.DataSetOptions
function File:append(path, data, options)
   self:_write_or_append('_appendData', path, data, options)
end

--- What `write` and `append` have in common.
function File:_write_or_append(method, path, data, options)
   root(self):_write_or_append(method, path, data, options)
end

--- The data set or group at a path; without one, the group of everything.
-- @string[opt='/'] path
-- @return hdf5.HDF5DataSet or hdf5.HDF5Group
function File:read(path)
   return root(self):read(path)
end

--- Everything in the file as a table: tensors by name, groups as tables.
function File:all()
   return root(self):all()
end

-- Ids of what is open in the file, other than the file itself.
local function openObjects(id)
   local kinds = constants.H5F_OBJ_ALL - constants.H5F_OBJ_FILE
   local n = tonumber(C.H5Fget_obj_count(id, kinds))
   local ids = ffi.new('hid_t[?]', math.max(n, 1))
   return ids, n > 0 and tonumber(C.H5Fget_obj_ids(id, kinds, n, ids)) or 0
end

--- Print what is open in the file.
function File:_printOpenObjects()
   local ids, n = openObjects(objects.id(self._box, self._filename))
   for i = 0, n - 1 do
      print(objects.describe(ids[i]))
   end
end

--- Close the file and all groups and data sets of it. What was written is in the file then.
function File:close()
   local id = objects.id(self._box, ("the file '%s'"):format(self._filename))
   self._root:close()
   if tonumber(C.H5Fget_obj_count(id, constants.H5F_OBJ_FILE)) <= 1 then -- not open twice
      local ids, n = openObjects(id)
      for i = 0, n - 1 do
         C.H5Oclose(ids[i])
      end
   end
   self._box.id[0] = -1
   check(C.H5Fclose(id), "cannot close '%s': what was written may be lost", self._filename)
end

function File:__tostring()
   return ("[hdf5.HDF5File '%s'%s]"):format(self._filename,
      self._box.id[0] < 0 and ', closed' or '')
end

File.__tostring__ = File.__tostring

--- torch.save stores the file's name; what was written is in the file then.
function File:__write(file)
   C.H5Fflush(objects.id(self._box, self._filename), 0)
   file:writeObject(self._filename)
end

--- torch.load opens the file of that name again: to read, and to write where that can be.
function File:__read(file)
   local filename = file:readObject()
   if type(filename) ~= 'string' or filename:find '%z' then
      error('an HDF5 file without a name', 0)
   end
   local id = lfs.attributes(filename) and C.H5Fopen(filename, RDWR, 0) or -1
   if id < 0 then
      id = openId(filename, 'r')
   end
   self._filename, self._box = filename, objects.hold(id)
   self:__openRoot()
end
