--- What an open object of a file is: its name, its kind, and the Lua object for it.
-- @module hdf5.objects
local ffi = require 'ffi'
local h5 = require 'hdf5.ffi'

local C = h5.C

local M = {}

M.NAMES = 65536 -- bytes; names that reach this are cut in messages, and refused as links

-- H5I_type_t, which later versions number otherwise: H5I_FILE = 1, H5I_GROUP = 2, then
-- H5I_DATATYPE, H5I_DATASPACE (H5I_MAP), H5I_DATASET. H5O_type_t is the same in all: group 0,
-- dataset 1, type 2.
local GROUP, DATASET = 0, 1
local KINDS = { [0] = 'group', 'dataset', 'datatype', 'map' }

local info = ffi.new 'torch_H5O_info'

--- What kind of object an id stands for: 'group', 'dataset', 'datatype'.
-- @param id hid_t
-- @usage hdf5._getObjectType(objectID)
function M.kind(id)
   if C.H5Oget_info1(id, info) < 0 then
      return 'unknown'
   end
   return KINDS[info.type] or 'unknown'
end

--- Something that is the same for two ids of one object: a string.
function M.identity(id)
   h5.check(C.H5Oget_info1(id, info), 'cannot look at an object')
   return ('%s:%s'):format(tostring(info.file), tostring(info.address))
end

--- An object's path in its file.
-- @param id hid_t
-- @usage hdf5._getObjectName(objectID)
function M.name(id)
   local text = ffi.new('char[?]', M.NAMES)
   local n = C.H5Iget_name(id, text, M.NAMES)
   return n > 0 and ffi.string(text, math.min(tonumber(n), M.NAMES - 1)) or '?'
end

--- An object in words: 'dataset /x'.
-- @param id hid_t
-- @usage hdf5._describeObject(objectID)
function M.describe(id)
   return M.kind(id) .. ' ' .. M.name(id)
end

-- Closes an object's id when the Lua object is collected, unless that has been done.
local function guard(object, id)
   local proxy = newproxy(true)
   getmetatable(proxy).__gc = function()
      if object.id[0] >= 0 and C.H5Iis_valid(id) > 0 then
         C.H5Idec_ref(id)
      end
   end
   return proxy
end

--- Have an id closed at the latest when its owner is collected.
-- @param id hid_t
-- @return table: `id` (hid_t[1], -1 when closed), to be kept by the owner
function M.hold(id)
   local box = { id = ffi.new('int64_t[1]', id) }
   box.guard = guard(box, id)
   return box
end

--- Close what `hold` gave.
function M.release(box)
   if box.id[0] >= 0 then
      if C.H5Iis_valid(box.id[0]) > 0 then
         C.H5Idec_ref(box.id[0]) -- closes objects and files
      end
      box.id[0] = -1
   end
end

--- The id that `hold` was given, of an object that is open.
function M.id(box, what)
   local id = box.id[0]
   if id < 0 or C.H5Iis_valid(id) <= 0 then
      h5.fail('%s has been closed; open the file again', what)
   end
   return id
end

--- Open an object of a file and make the Lua object for it.
-- @param parent hdf5.HDF5Group or hdf5.HDF5File
-- @param place hid_t from which the path leads
-- @string path
-- @return hdf5.HDF5Group or hdf5.HDF5DataSet
-- @usage hdf5._loadObject(parent, locationID, datapath)
function M.load(parent, place, path)
   local hdf5 = require 'hdf5.module'
   local id = h5.check(C.H5Oopen(place, path, 0), "cannot open '%s'", path)
   if C.H5Oget_info1(id, info) >= 0 and (info.type == GROUP or info.type == DATASET) then
      local class = info.type == GROUP and hdf5.HDF5Group or hdf5.HDF5DataSet
      local ok, object = pcall(class, parent, id)
      if ok then
         return object
      end
      if C.H5Iis_valid(id) > 0 then
         C.H5Oclose(id)
      end
      error(object, 0)
   end
   C.H5Oclose(id)
   h5.fail("'%s' is neither a group nor a data set", path)
end

return M
