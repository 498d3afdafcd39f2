--- zlib by FFI: checksums, and data that are packed piece by piece.
-- @module torch.io.zlib
local ffi = require 'ffi'
local errors = require 'torch.errors'

ffi.cdef [[
typedef struct torch_z_stream {
   const uint8_t *next_in; unsigned avail_in; unsigned long total_in;
   uint8_t *next_out; unsigned avail_out; unsigned long total_out;
   const char *msg; void *state; void *zalloc; void *zfree; void *opaque;
   int data_type; unsigned long adler; unsigned long reserved;
} torch_z_stream;
const char *torch_zlibVersion(void) __asm__("zlibVersion");
unsigned long torch_crc32(unsigned long crc, const uint8_t *data, unsigned n) __asm__("crc32");
int torch_inflateInit2(torch_z_stream *z, int bits, const char *version, int size)
   __asm__("inflateInit2_");
int torch_inflate(torch_z_stream *z, int flush) __asm__("inflate");
int torch_inflateEnd(torch_z_stream *z) __asm__("inflateEnd");
int torch_deflateInit2(torch_z_stream *z, int level, int method, int bits, int memory, int strategy,
   const char *version, int size) __asm__("deflateInit2_");
int torch_deflate(torch_z_stream *z, int flush) __asm__("deflate");
int torch_deflateEnd(torch_z_stream *z) __asm__("deflateEnd");
]]

local M = {}

local PIECE = 2 ^ 18 -- bytes
local MOST = 2 ^ 30 -- bytes that one call is given: its counters have 32 bits
local RAW = -15 -- no head and no checksum of zlib's own, the largest window
local OK, STREAM_END, BUFFER = 0, 1, -5
local NO_FLUSH, FINISH, DEFLATED, MEMORY = 0, 4, 8, 8

local library

local function load(operation)
   if not library then
      local ok, lib = pcall(ffi.load, 'libz.so.1')
      if not ok then
         errors.raise(operation .. ': zlib packs and unpacks, and it is not installed (Debian: '
            .. 'apt-get install zlib1g)')
      end
      library = lib
   end
   return library
end

local function stream(finish)
   return ffi.gc(ffi.new 'torch_z_stream', finish)
end

--- The checksum of bytes, going on from that of those before.
function M.crc(operation, sum, data, n)
   local C = load(operation)
   data = ffi.cast('const uint8_t *', data)
   while n > 0 do
      local piece = math.min(n, MOST)
      sum = tonumber(C.torch_crc32(sum, data, piece))
      data, n = data + piece, n - piece
   end
   return sum
end

--- Something to unpack from.
-- @param refill function: returns a pointer to the next packed bytes and their number, 0 at the end
-- @return function(to, n): fills memory; returns how many bytes there were, or nil and what is
-- wrong
function M.inflater(operation, refill)
   local C = load(operation)
   local z = stream(C.torch_inflateEnd)
   assert(C.torch_inflateInit2(z, RAW, C.torch_zlibVersion(), ffi.sizeof(z)) == OK)
   local ended = false
   return function(to, n)
      local done = 0
      to = ffi.cast('uint8_t *', to)
      while done < n and not ended do
         if z.avail_in == 0 then
            z.next_in, z.avail_in = refill()
         end
         local before, piece = z.avail_in, math.min(n - done, MOST)
         z.next_out, z.avail_out = to + done, piece
         local status = C.torch_inflate(z, NO_FLUSH)
         local got = piece - z.avail_out
         done = done + got
         ended = status == STREAM_END
         if status ~= OK and status ~= STREAM_END and status ~= BUFFER then
            return nil, z.msg ~= nil and ffi.string(z.msg) or 'unpacking failed'
         elseif got == 0 and z.avail_in == before then
            break
         end
      end
      return done
   end
end

--- Pack.
-- @param give function(pointer, n): is given packed bytes
-- @return function(data, n): takes bytes; with nil the end is made
function M.deflater(operation, level, give)
   local C = load(operation)
   local z = stream(C.torch_deflateEnd)
   assert(C.torch_deflateInit2(z, level, DEFLATED, RAW, MEMORY, 0, C.torch_zlibVersion(),
      ffi.sizeof(z)) == OK)
   local out = ffi.new('uint8_t[?]', PIECE)
   return function(data, n)
      local flush = data and NO_FLUSH or FINISH
      data, n = ffi.cast('const uint8_t *', data or out), n or 0
      repeat
         if z.avail_in == 0 then
            local piece = math.min(n, MOST)
            z.next_in, z.avail_in = data, piece
            data, n = data + piece, n - piece
         end
         z.next_out, z.avail_out = out, PIECE
         local status = C.torch_deflate(z, flush)
         if z.avail_out < PIECE then
            give(out, PIECE - z.avail_out)
         end
      until status == STREAM_END
         or (flush == NO_FLUSH and n == 0 and z.avail_in == 0 and z.avail_out > 0)
   end
end

return M
