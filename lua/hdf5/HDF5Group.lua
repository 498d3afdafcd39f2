--- A group of an open file: data sets and groups by name.
-- @classmod hdf5.HDF5Group
local torch = require 'torch'
local ffi = require 'ffi'
local hdf5 = require 'hdf5.module'
local h5 = require 'hdf5.ffi'
local objects = require 'hdf5.objects'
local paths = require 'hdf5.paths'
local writing = require 'hdf5.writing'

local C, fail, check = h5.C, h5.fail, h5.check

local Group = torch.class('hdf5.HDF5Group', hdf5)

function Group:__init(parent, id)
   self._parent = parent
   self._box = objects.hold(id)
   self._name = objects.name(id)
end

local function idOf(self)
   return objects.id(self._box, 'the group ' .. self._name)
end

-- --- names --------------------------------------------------------------------------------------

local function exists(id, name)
   return check(C.H5Lexists(id, name, 0), "cannot look for '%s'", name) > 0
end

-- Names of what the group holds, in the order of names.
local function names(self)
   local id, info = idOf(self), ffi.new 'torch_H5G_info'
   check(C.H5Gget_info(id, info), 'cannot list %s', self._name)
   local list, text = {}, ffi.new('char[?]', objects.NAMES)
   for i = 0, tonumber(info.links) - 1 do
      local n = check(C.H5Lget_name_by_idx(id, '.', 0, 0, i, text, objects.NAMES, 0),
         'cannot list %s', self._name)
      if n >= objects.NAMES then
         fail('%s has a name of %d bytes in it, too long for any use', self._name, tonumber(n))
      end
      list[i + 1] = ffi.string(text, n)
   end
   return list
end

--- Make a group in this one.
-- @string name
-- @return hdf5.HDF5Group
function Group:createChild(name)
   paths.checkLength('createChild', tostring(name))
   local id = check(C.H5Gcreate2(idOf(self), name, 0, 0, 0), "cannot make the group '%s' in %s",
      tostring(name), self._name)
   return hdf5.HDF5Group(self, id)
end

local function failBelow(self, name)
   fail("'%s' in %s is a data set, and nothing can be written below one", name, self._name)
end

--- The group of that name in this one, made if there is none.
-- @string name
-- @return hdf5.HDF5Group
function Group:getOrCreateChild(name)
   if not exists(idOf(self), name) then
      return self:createChild(name)
   end
   local child = objects.load(self, idOf(self), name)
   if not torch.isTypeOf(child, 'hdf5.HDF5Group') then
      child:close()
      failBelow(self, name)
   end
   return child
end

-- --- writing ------------------------------------------------------------------------------------

local function failThere(self, name)
   fail("there is a '%s' in %s already, and what is there stays: write under another name, "
      .. "append to it, or begin a file anew with hdf5.open(filename, 'w')", name, self._name)
end

--- Make a data set in this group.
function Group:_writeDataSet(place, name, tensor, options)
   if exists(place, name) then
      failThere(self, name)
   end
   h5.tell('writing %s in %s', name, self._name)
   writing.create(place, name, tensor, options)
end

--- Write the elements of an open data set (a hid_t).
function Group._writeTensorToDataSet(_, id, tensor)
   writing.fill(id, tensor)
end

local function checkAppend(self, child, name, tensor)
   if not torch.isTypeOf(child, 'hdf5.HDF5DataSet') then
      fail("append: '%s' in %s is a group; expected a table of tensors for it", name, self._name)
   elseif tensor:nElement() > 0 then
      writing.checkExtend(child._box.id[0], name, tensor)
   end
end

--- Append to a data set of this group, which is made in chunks if there is none.
function Group:_appendDataSet(place, name, tensor, options)
   local set = exists(place, name) and objects.load(self, place, name)
   if set then
      checkAppend(self, set, name, tensor)
      local isVacant = writing.isVacant(set._box.id[0])
      if tensor:nElement() > 0 and not isVacant then
         writing.extend(set._box.id[0], name, tensor)
      end
      set:close()
      if tensor:nElement() == 0 or not isVacant then
         return
      end
      check(C.H5Ldelete(place, name, 0), "append: cannot begin '%s' anew", name)
   end
   self:_writeDataSet(place, name, tensor, writing.adjusted('append', tensor, options))
end

-- Raise the error that writing a table of tensors in this group would, before anything is written.
-- @param self the group; nil where there is none yet, and nothing can be in the way
local function foresee(self, data, options, ofTensor)
   local appending = ofTensor == '_appendDataSet'
   for key, value in pairs(data) do
      local name = tostring(key)
      local child = self and exists(idOf(self), name) and objects.load(self, idOf(self), name)
      local ok, message = pcall(function()
         if not torch.isTensor(value) then
            if child and not torch.isTypeOf(child, 'hdf5.HDF5Group') then
               failBelow(self, name)
            end
            foresee(child, value, options, ofTensor)
         elseif not child then
            writing.adjusted(appending and 'append' or 'write', value, options)
         elseif appending then
            checkAppend(self, child, name, value)
         else
            failThere(self, name)
         end
      end)
      if child then
         child:close()
      end
      if not ok then
         error(message, 0)
      end
   end
end

local function each(self, place, name, data, options, ofTensor)
   if torch.isTensor(data) then
      self[ofTensor](self, place, name, data, options)
      return
   end
   local group = self:getOrCreateChild(name)
   group:__writeTable(data, options, ofTensor)
   group:close()
end

-- Everything of a table, in this group.
function Group:__writeTable(data, options, ofTensor)
   for key, value in pairs(data) do
      each(self, idOf(self), tostring(key), value, options, ofTensor)
   end
end

--- Write a tensor, or a table as a group, under a name in this group.
function Group:_writeData(place, name, data, options)
   each(self, place, name, data, options, '_writeDataSet')
end

--- Append a tensor, or each tensor of a table, under a name in this group.
function Group:_appendData(place, name, data, options)
   each(self, place, name, data, options, '_appendDataSet')
end

--- What `write` and `append` have in common: `method` is '_writeData' or '_appendData'.
function Group:_write_or_append(method, path, data, options)
   local operation = method == '_appendData' and 'append' or 'write'
   local ofTensor = method == '_appendData' and '_appendDataSet' or '_writeDataSet'
   local parts = paths.split(operation, path)
   paths.check(operation, data, table.concat(parts, '/'), {})
   if #parts == 0 and torch.isTensor(data) then
      fail("%s: a tensor needs a name: expected a path such as '/x', got '%s'", operation, path)
   end
   for i = #parts, 1, -1 do
      paths.checkLength(operation, parts[i])
      data = { [parts[i]] = data }
   end
   foresee(self, data, options, ofTensor)
   self:__writeTable(data, options, ofTensor)
end

--- Write a tensor as a data set, or a table of tensors as a group; groups on the way are made. What
-- is there already stays: writing it anew is an error, before which nothing of a table is written.
-- @string path such as '/group/name'
-- @param data tensor of any type, or a table of such, nested at will
-- @param[opt] options hdf5.DataSetOptions
-- @raise "hdf5: write: 'x' is a string; expected a tensor or a table of tensors"
function Group:write(path, data, options)
   self:_write_or_append('_writeData', path, data, options)
end

--- Put a tensor behind what a data set has, along its first dimension; the data set is made if
-- there is none, or only an empty tensor. One that was written before must be stored in chunks, and
-- hold the tensor's elements as they are: a tensor of another type is to be converted first.
-- @string path
-- @param data tensor whose other sizes are the data set's, or a table of such
-- @param[opt] options hdf5.DataSetOptions for data sets that are made
function Group:append(path, data, options)
   self:_write_or_append('_appendData', path, data, options)
end

-- --- reading ------------------------------------------------------------------------------------

--- The data set or group at a path.
-- @string[opt] path without one the group itself
-- @return hdf5.HDF5DataSet or hdf5.HDF5Group
-- @raise "hdf5: there is no 'y' in /; it has x"
function Group:read(path)
   local parts = paths.split('read', path or '')
   local at, id = self, idOf(self)
   for i, name in ipairs(parts) do
      if not torch.isTypeOf(at, 'hdf5.HDF5Group') then
         fail("'%s' is a data set, and has no '%s' in it", parts[i - 1], name)
      elseif not exists(id, name) then
         local list = names(at)
         fail("there is no '%s' in %s; it has %s", name, at._name,
            #list == 0 and 'nothing' or table.concat(list, ', ', 1, math.min(#list, 10))
            .. (#list > 10 and ', ...' or ''))
      end
      local child = objects.load(at, id, name)
      if at ~= self then
         at:close()
      end
      at, id = child, child._box.id[0]
   end
   return at
end

-- All tensors below, by name. An object with two names is read once; one inside itself is an error.
local function collect(self, seen)
   local result, id = {}, idOf(self)
   local own = objects.identity(id)
   seen[own] = false -- being read
   for _, name in ipairs(names(self)) do
      local child = objects.load(self, id, name)
      local identity = objects.identity(child._box.id[0])
      if seen[identity] == false then
         fail("'%s' in %s is a group that holds this one: read its data sets one by one", name,
            self._name)
      elseif seen[identity] == nil then
         seen[identity] = torch.isTypeOf(child, 'hdf5.HDF5Group') and collect(child, seen)
            or child:all()
      end
      result[name] = seen[identity]
      child:close()
   end
   seen[own] = result
   return result
end

--- Everything below as a table: tensors by name, groups as tables.
function Group:all()
   return collect(self, {})
end

--- Close the group; the file closes it, too.
function Group:close()
   objects.release(self._box)
end

--- Names of what the group holds.
-- @return list of strings, sorted
function Group:keys()
   return names(self)
end

function Group:__tostring()
   local ok, list = pcall(names, self)
   return ('[hdf5.HDF5Group %s: %s]'):format(self._name,
      not ok and 'closed' or #list == 0 and 'empty' or table.concat(list, ', '))
end

Group.__tostring__ = Group.__tostring

--- Groups are stored with their file: `torch.save` of an open file, not of a group.
function Group:__write()
   fail('the group %s cannot be stored by torch.save; store the file object, or group:all()',
      self._name)
end

function Group.__read()
   fail('no group can be read from a .t7 file')
end
