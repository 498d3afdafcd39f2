--- The libraries and programs that packages use when they are there: a list that may be added to.
-- @module torch.doctor.libraries
local ffi = require 'ffi'
local library = require 'torch.doctor.library'

-- Whole numbers such as 30102 as versions.
local function parted(number, ...)
   local parts = {}
   for i, step in ipairs { ... } do
      parts[i] = math.floor(number / step)
      number = number % step
   end
   return table.concat(parts, '.')
end

-- Each: name, what it is for, the Debian package; `files` of a shared library and `version` of it,
-- or `program` and `version`, the command's argument. A library's files are those that the package
-- itself opens.
local M = {
   { name = 'libturbojpeg', purpose = 'image: JPEG', debian = 'libturbojpeg0',
      files = { 'libturbojpeg.so.0' } },
   { name = 'libpng', purpose = 'image: PNG', debian = 'libpng16-16',
      files = { 'libpng16.so.16', 'libpng16.so' },
      version = function(lib)
         library.declare 'unsigned int png_access_version_number(void);'
         return parted(lib.png_access_version_number(), 10000, 100, 1)
      end },
   { name = 'HDF5', purpose = 'hdf5', debian = 'libhdf5-103-1',
      files = { 'libhdf5_serial.so.103', 'libhdf5_serial.so.310', 'libhdf5.so.103',
         'libhdf5.so.200', 'libhdf5.so.310', 'libhdf5_serial.so', 'libhdf5.so' },
      version = function(lib)
         library.declare 'int H5get_libversion(unsigned *, unsigned *, unsigned *);'
         local v = ffi.new 'unsigned[3]'
         lib.H5get_libversion(v, v + 1, v + 2)
         return ('%d.%d.%d'):format(v[0], v[1], v[2])
      end },
   { name = 'ONNX', purpose = 'onnx', debian = 'libonnx1', files = { 'libonnx_proto.so.1' } },
   { name = 'protobuf', purpose = 'onnx', debian = 'libprotobuf32',
      files = { 'libprotobuf.so.32' } },
   { name = 'zlib', purpose = 'npz', debian = 'zlib1g', files = { 'libz.so.1' },
      version = function(lib)
         library.declare 'const char *zlibVersion(void);'
         return ffi.string(lib.zlibVersion())
      end },
   { name = 'gnuplot', purpose = 'gnuplot: plots', debian = 'gnuplot-nox', program = 'gnuplot',
      version = '--version' },
   { name = 'Graphviz', purpose = 'graph.dot: pictures of nets', debian = 'graphviz',
      program = 'dot', version = '-V' },
   { name = 'MPI', purpose = 'distributed: several processes', debian = 'openmpi-bin',
      program = 'mpirun', version = '--version' },
   { name = 'git', purpose = 'LuaRocks', debian = 'git', program = 'git', version = '--version' },
   { name = 'LuaRocks', purpose = 'other packages', debian = 'luarocks', program = 'luarocks',
      version = '--version' },
}

local function of_library(entry)
   local lib, name = library.open(entry.files)
   if not lib then
      return nil
   end
   local version = entry.version and library.ask(entry.version, lib)
   local path = library.path(name:match '^[^.]*%.so')
   return ('%s%s'):format(version and version .. ', ' or '', path or name)
end

local function of_program(entry)
   local path = library.program(entry.program)
   local version = path and library.says(("'%s' %s"):format(path, entry.version or '--version'))
   version = version and version:match '%d+%.%d[%d.]*'
   return path and (version and ('%s, %s'):format(version, path) or path)
end

--- A section of the report.
function M.examine(report)
   report:section 'Libraries and programs of packages'
   for _, entry in ipairs(M) do
      local found = entry.files and of_library(entry) or entry.program and of_program(entry)
      report:line(entry.name, found or ('none (%s)'):format(entry.purpose))
      if not found then
         report:note(('%s is not there, for %s'):format(entry.name, entry.purpose),
            ('Debian: apt install %s'):format(entry.debian))
      end
   end
end

return M
