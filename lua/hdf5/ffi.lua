--- libhdf5 by FFI: the functions used here, its errors as text, and its constants.
-- @module hdf5.ffi
local ffi = require 'ffi'
local errors = require 'torch.errors'

ffi.cdef [[
typedef int64_t hid_t;
typedef int herr_t;
typedef int htri_t;
typedef uint64_t hsize_t;
typedef struct torch_H5G_info { int storage; hsize_t links; int64_t order; uint8_t mounted; }
   torch_H5G_info;
typedef struct torch_H5O_info { unsigned long file; uint64_t address; int type; unsigned references;
   uint8_t rest[512]; } torch_H5O_info;

herr_t H5open(void);
herr_t H5get_libversion(unsigned *major, unsigned *minor, unsigned *release);
herr_t H5Eset_auto2(hid_t stack, void *f, void *data);
herr_t H5Eprint2(hid_t stack, void *stream);

hid_t H5Fcreate(const char *name, unsigned flags, hid_t creation, hid_t access);
hid_t H5Fopen(const char *name, unsigned flags, hid_t access);
herr_t H5Fclose(hid_t file);
herr_t H5Fflush(hid_t object, int scope);
htri_t H5Fis_hdf5(const char *name);
ptrdiff_t H5Fget_name(hid_t object, char *name, size_t size);
herr_t H5Fget_filesize(hid_t file, hsize_t *size);
ptrdiff_t H5Fget_obj_count(hid_t file, unsigned types);
ptrdiff_t H5Fget_obj_ids(hid_t file, unsigned types, size_t most, hid_t *ids);

int H5Iget_type(hid_t id);
ptrdiff_t H5Iget_name(hid_t id, char *name, size_t size);
htri_t H5Iis_valid(hid_t id);
int H5Idec_ref(hid_t id);
hid_t H5Oopen(hid_t place, const char *name, hid_t access);
herr_t H5Oclose(hid_t object);
herr_t H5Oget_info1(hid_t object, torch_H5O_info *info);

hid_t H5Gcreate2(hid_t place, const char *name, hid_t link, hid_t creation, hid_t access);
herr_t H5Gget_info(hid_t group, torch_H5G_info *info);
htri_t H5Lexists(hid_t place, const char *name, hid_t access);
herr_t H5Ldelete(hid_t place, const char *name, hid_t access);
ptrdiff_t H5Lget_name_by_idx(hid_t place, const char *group, int index, int order, hsize_t n,
   char *name, size_t size, hid_t access);

hid_t H5Dcreate2(hid_t place, const char *name, hid_t type, hid_t space, hid_t link, hid_t creation,
   hid_t access);
hid_t H5Dget_space(hid_t dataset);
hid_t H5Dget_type(hid_t dataset);
hsize_t H5Dget_storage_size(hid_t dataset);
hid_t H5Dget_create_plist(hid_t dataset);
herr_t H5Dread(hid_t dataset, hid_t type, hid_t memory, hid_t file, hid_t transfer, void *data);
herr_t H5Dwrite(hid_t dataset, hid_t type, hid_t memory, hid_t file, hid_t transfer,
   const void *data);
int H5Aget_num_attrs(hid_t object);
herr_t H5Dset_extent(hid_t dataset, const hsize_t *sizes);

hid_t H5Screate_simple(int rank, const hsize_t *sizes, const hsize_t *most);
int H5Sget_simple_extent_type(hid_t space);
int H5Sget_simple_extent_ndims(hid_t space);
int H5Sget_simple_extent_dims(hid_t space, hsize_t *sizes, hsize_t *most);
herr_t H5Sselect_hyperslab(hid_t space, int operation, const hsize_t *start, const hsize_t *stride,
   const hsize_t *count, const hsize_t *block);
herr_t H5Sclose(hid_t space);

hid_t H5Tcopy(hid_t type);
int H5Tget_class(hid_t type);
size_t H5Tget_size(hid_t type);
int H5Tget_sign(hid_t type);
herr_t H5Tget_fields(hid_t type, size_t *sign, size_t *exponent, size_t *exponent_size,
   size_t *mantissa, size_t *mantissa_size);
herr_t H5Tset_fields(hid_t type, size_t sign, size_t exponent, size_t exponent_size,
   size_t mantissa, size_t mantissa_size);
herr_t H5Tset_size(hid_t type, size_t size);
herr_t H5Tset_ebias(hid_t type, size_t bias);
htri_t H5Tequal(hid_t a, hid_t b);
herr_t H5Tclose(hid_t type);

hid_t H5Pcreate(hid_t class);
herr_t H5Pclose(hid_t list);
herr_t H5Pset_chunk(hid_t list, int rank, const hsize_t *sizes);
herr_t H5Pset_deflate(hid_t list, unsigned level);
int H5Pget_layout(hid_t list);
htri_t H5Zfilter_avail(int filter);

extern hid_t H5P_CLS_DATASET_CREATE_ID_g;
extern hid_t H5T_NATIVE_UCHAR_g, H5T_NATIVE_SCHAR_g, H5T_NATIVE_INT16_g, H5T_NATIVE_INT32_g,
   H5T_NATIVE_INT64_g, H5T_NATIVE_UINT64_g, H5T_NATIVE_FLOAT_g, H5T_NATIVE_DOUBLE_g,
   H5T_STD_U8LE_g, H5T_STD_I8LE_g, H5T_STD_I16LE_g, H5T_STD_I32LE_g, H5T_STD_I64LE_g,
   H5T_IEEE_F32LE_g, H5T_IEEE_F64LE_g;

void *torch_h5_open_memstream(char **text, size_t *size) __asm__("open_memstream");
int torch_h5_fclose(void *stream) __asm__("fclose");
void torch_h5_free(void *memory) __asm__("free");
]]

local M = {}

-- Debian 12 and 13, then others' names; a name without a number comes with the -dev package.
local NAMES = {
   'libhdf5_serial.so.103', 'libhdf5_serial.so.310', 'libhdf5.so.103', 'libhdf5.so.200',
   'libhdf5.so.310', 'libhdf5_serial.so', 'libhdf5.so',
}

local function load()
   for _, name in ipairs(NAMES) do
      local ok, library = pcall(ffi.load, name)
      if ok then
         return library
      end
   end
   error('hdf5: the HDF5 library is not installed (Debian: apt-get install libhdf5-103-1)', 0)
end

local C = load()
M.C = C

assert(C.H5open() >= 0, 'hdf5: the HDF5 library does not start')
C.H5Eset_auto2(0, nil, nil) -- errors are ours to tell, not to be printed

local version = ffi.new 'unsigned[3]'
C.H5get_libversion(version, version + 1, version + 2)
--- The library's version: { 1, 10, 8 }.
M.version = { version[0], version[1], version[2] }

--- Constants of hdf5.h, by their names there.
M.constants = {
   H5F_ACC_RDONLY = 0, H5F_ACC_RDWR = 1, H5F_ACC_TRUNC = 2, H5F_ACC_EXCL = 4, H5F_ACC_DEBUG = 8,
   H5F_ACC_CREAT = 16, H5F_OBJ_FILE = 1, H5F_OBJ_DATASET = 2, H5F_OBJ_GROUP = 4,
   H5F_OBJ_DATATYPE = 8, H5F_OBJ_ATTR = 16, H5F_OBJ_ALL = 31, H5F_OBJ_LOCAL = 32,
   H5P_DEFAULT = 0, H5S_ALL = 0, H5F_UNLIMITED = ffi.cast('hsize_t', -1), H5S_SELECT_SET = 0,
   H5Z_FILTER_ERROR = -1, H5Z_FILTER_NONE = 0, H5Z_FILTER_DEFLATE = 1, H5Z_FILTER_SHUFFLE = 2,
   H5Z_FILTER_FLETCHER32 = 3, H5Z_FILTER_SZIP = 4, H5Z_FILTER_NBIT = 5, H5Z_FILTER_SCALEOFFSET = 6,
   H5Z_FILTER_RESERVED = 256, H5Z_FILTER_MAX = 65535, H5Z_FILTER_CONFIG_ENCODE_ENABLED = 1,
   H5Z_FILTER_CONFIG_DECODE_ENABLED = 2,
}

local debugging = false

--- Whether calls are told on stderr.
function M.inDebugMode()
   return debugging
end

--- Tell what is done on stderr from now on.
function M.debugMode()
   debugging = true
end

--- In debug mode, tell something.
function M.tell(message, ...)
   if debugging then
      io.stderr:write('[hdf5] ', message:format(...), '\n')
   end
end

-- What the library says of its last failure: its innermost reason.
local function reason()
   local text, size = ffi.new 'char *[1]', ffi.new 'size_t[1]'
   local stream = ffi.C.torch_h5_open_memstream(text, size)
   if stream == nil then
      return 'the HDF5 library says no more'
   end
   C.H5Eprint2(0, stream)
   ffi.C.torch_h5_fclose(stream)
   local whole = ffi.string(text[0], size[0])
   ffi.C.torch_h5_free(text[0])
   M.tell('%s', whole)
   local last
   for line in whole:gmatch '#%d+: [^\n]- line %d+ in [%w_]+%(%): ([^\n]+)' do
      last = line
   end
   last = last or 'the HDF5 library says no more'
   return (last:sub(1, 300):gsub('[%c\127-\255]', '?'))
end

--- Raise an error at the user's line.
function M.fail(message, ...)
   errors.raise('hdf5: ' .. message:format(...))
end

--- The library's reason for a failure, which it forgets with the next call; nil without one.
-- @param result number or id: below 0 after a failure
function M.problem(result)
   return result < 0 and reason() or nil
end

--- What a call returned, if it did not fail; otherwise an error with the library's reason.
-- @param result number or id: below 0 after a failure
-- @string doing what was tried, as for string.format
function M.check(result, doing, ...)
   if result < 0 then
      local problem = reason()
      M.fail('%s: %s', doing:format(...), problem)
   end
   return result
end

return M
