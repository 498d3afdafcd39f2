--- Event files that TensorBoard shows: scalars, histograms, pictures.
--
-- A file is a row of records: length, checksum, an Event of Protocol Buffers, checksum. Each object
-- writes a file of its own into the folder, so runs that are resumed, or side by side, lose
-- nothing. Source: tensorflow/core/util/event.proto, framework/summary.proto and the format of
-- TFRecord.
-- @classmod train.TensorBoard
-- @usage
-- local board = require('torch.train').TensorBoard 'runs/first'
-- board:scalar('loss', 0.5, 1)
-- @example
-- local train = require 'torch.train'
-- local board = train.TensorBoard 'runs/first'
-- board:scalar('loss', 0.5, 1)
-- board:histogram('weights', torch.randn(1000), 1)
-- board:close()
-- io.open(board.path):read '*a' :sub(1, 8):byte(1) > 0 --> true

local ffi = require 'ffi'
local torch = require 'torch'
local makeParents = require 'paths.parents'
require 'torch.io.replace' -- declares getpid
local crc32c = require 'torch.train.log.events.crc32c'
local proto = require 'torch.train.log.events.protobuf'
local train = require 'torch.train.module'
local little_endian = require 'torch.io.little_endian'
local options = require 'torch.options'

local TensorBoard = torch.class('train.TensorBoard', train)

local START = 1 -- of a session: what later steps of other files say is dropped

-- One record: u64 length, u32 checksum of it, the bytes, u32 checksum of them.
local function record(data)
   local length = little_endian(#data, 8)
   return length .. little_endian(crc32c.masked(length), 4) .. data
      .. little_endian(crc32c.masked(data), 4)
end

-- Event: wall_time = 1, step = 2, file_version = 3, summary = 5, session_log = 7.
local function write(self, body, step)
   local event = proto.double(1, self.clock()) .. (step and proto.integer(2, step) or '') .. body
   local ok, reason = self.file:write(record(event))
   ok = ok and self.file:flush()
   if not ok then
      options.fail("train.TensorBoard: '%s': write error: %s", self.path, reason or 'flush failed')
   end
end

local count = 0

-- Opened at the first value.
local function open(self)
   if self.file then
      return
   end
   count = count + 1
   makeParents(self.path)
   local file, reason = io.open(self.path, 'wb')
   if not file then
      options.fail('train.TensorBoard: cannot write %s', reason)
   end
   self.file = file
   write(self, proto.bytes(3, 'brain.Event:2'))
end

--- @string folder of one run; TensorBoard is given it, or one above it
-- @func[opt] clock seconds since 1970; os.time
function TensorBoard:__init(folder, clock)
   if type(folder) ~= 'string' then
      options.fail('train.TensorBoard: folder is %s, expected its name', options.describe(folder))
   end
   self.clock = clock or os.time
   self.path = ('%s/events.out.tfevents.%010d.luatorch.%d.%d'):format(folder, self.clock(),
      ffi.C.torch_getpid(), count)
   if not makeParents(self.path) then
      options.fail("train.TensorBoard: the folder '%s' is not there, and cannot be made", folder)
   end
end

-- Summary.Value: tag = 1, simple_value = 2, image = 4, histo = 5.
local function value(self, tag, step, field)
   open(self)
   write(self, proto.bytes(5, proto.bytes(1, proto.bytes(1, tag) .. field)), step)
end

--- A number.
-- @string tag a name; what stands before a slash groups them
-- @number x
-- @int step
function TensorBoard:scalar(tag, x, step)
   value(self, tag, step, proto.float(2, x))
end

--- How a tensor's elements are spread.
-- @string tag
-- @tparam Tensor x any type and shape
-- @int step
-- @int[opt=30] bins of equal width
function TensorBoard:histogram(tag, x, step, bins)
   x, bins = x:double():contiguous():view(-1), bins or 30
   local least, most = x:min(), x:max()
   if not (least > -math.huge and most < math.huge) then
      options.fail('train.TensorBoard: histogram %s: elements are from %s to %s, expected finite '
         .. 'ones', tag,
         tostring(least), tostring(most))
   end
   local limits, width = {}, (most - least) / bins
   local counts = width > 0 and torch.histc(x, bins, least, most):totable() or { x:nElement() }
   for i = 1, #counts do
      limits[i] = i == #counts and most or least + i * width
   end
   -- HistogramProto: min, max, num, sum, sum_squares, bucket_limit, bucket.
   value(self, tag, step, proto.bytes(5, proto.double(1, least) .. proto.double(2, most)
      .. proto.double(3, x:nElement()) .. proto.double(4, x:sum()) .. proto.double(5, x:dot(x))
      .. proto.doubles(6, limits) .. proto.doubles(7, counts)))
end

--- A picture; needs the package image.
-- @string tag
-- @tparam Tensor picture 1 or 3 x height x width, from 0 to 1
-- @int step
function TensorBoard:image(tag, picture, step)
   local image = require 'image'
   if not torch.isTensor(picture) or picture:dim() ~= 3 then
      options.fail('train.TensorBoard: image %s is %s, expected a tensor of 1 or 3 x height x '
         .. 'width', tag,
         options.describe(picture))
   end
   local path = os.tmpname()
   image.savePNG(path, picture)
   local file = assert(io.open(path, 'rb'))
   local png = file:read '*a'
   file:close()
   os.remove(path)
   value(self, tag, step, proto.bytes(4, proto.integer(1, picture:size(2))
      .. proto.integer(2, picture:size(3)) .. proto.integer(3, picture:size(1))
      .. proto.bytes(4, png)))
end

--- The values of an epoch, each under its name; 'validation.loss' as 'validation/loss'.
-- @tab row numbers by name, with step; texts are left out
function TensorBoard:add(row)
   for _, name in ipairs(train.Console.columns(row)) do
      if name ~= 'step' and name ~= 'seconds' and type(row[name]) == 'number' then
         self:scalar((name:gsub('%.', '/')), row[name], row.step)
      end
   end
end

--- A run goes on from a checkpoint: later steps of its earlier files do not count.
-- @int step of the checkpoint
function TensorBoard:goOn(step)
   open(self)
   write(self, proto.bytes(7, proto.integer(1, START)), step + 1)
end

--- Close the file.
function TensorBoard:close()
   if self.file then
      self.file:close()
      self.file = nil
   end
end
