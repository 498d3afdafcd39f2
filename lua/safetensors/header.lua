--- The head of a safetensors file: 8 bytes with the length of a JSON text, and that text.
--
--    { "__metadata__": { text: text }, name: { "dtype": "F32", "shape": [2, 3],
--      "data_offsets": [begin, end] } }
--
-- Everything in it is checked: the data of all tensors fill the rest of the file without a gap and
-- without an overlap, and each has as many bytes as its shape and type say.
-- Source: the format's description at github.com/huggingface/safetensors.
-- @module safetensors.header
local cjson = require 'cjson'
local little_endian = require 'torch.io.little_endian'
local th = require 'torch.ffi'
local kinds = require 'safetensors.types'

local M = {}

local LONGEST = 100000000 -- bytes of text, as in the reference implementation
local MOST = 2 ^ 53
local DEEPEST = 3 -- file, tensor, list
local MAX_DIMS = th.C.TH_MAX_DIMS

local json = cjson.new()
json.decode_max_depth(DEEPEST)
json.decode_invalid_numbers(false)

local function shown(name)
   return tostring(name):sub(1, 80)
end
M.shown = shown

-- --- reading ------------------------------------------------------------------------------------

-- What tables do not show of JSON: a name that is there twice, and whether what is empty is a list
-- or an object.
-- @return how many names an object of JSON text and the objects in it have, by depth 1 and 2;
-- whether it has lists in it; whether an object in it has an object as its shape
local function look(text)
   local depth, counts, at, hasList, hasShape = 0, { 0, 0 }, 1, false, false
   local first, last -- characters of the last string
   while true do
      local from, character
      from, character, at = text:match('()(["{}%[%]:])()', at)
      if not from then
         return counts, hasList, hasShape
      elseif character == '"' then
         repeat -- strings are whole: the text has been read as JSON before
            local escaped
            escaped, at = text:match('[^"\\]*(.)()', at)
            at = escaped == '\\' and at + 1 or at
         until escaped == '"'
         first, last = from, at - 1
      elseif character == ':' then
         counts[depth] = (counts[depth] or 0) + 1
      elseif character == '{' or character == '[' then
         hasList = hasList or depth == 1 and character == '['
         hasShape = hasShape or depth == 2 and character == '{'
            and json.decode('[' .. text:sub(first, last) .. ']')[1] == 'shape'
         depth = depth + 1
      else
         depth = depth - 1
      end
   end
end

local function size(x)
   return type(x) == 'number' and x >= 0 and x <= MOST and x == math.floor(x)
end

local function list(x, least, most)
   if type(x) ~= 'table' or #x < least or #x > most then
      return false
   end
   local n = 0
   for _, value in pairs(x) do
      n = n + 1
      if not size(value) then
         return false
      end
   end
   return n == #x
end

-- One tensor's entry; fills in `count` and `name`.
local function check(file, name, entry)
   local function fail(message, ...)
      file:fail("the tensor '%s' " .. message, shown(name), ...)
   end
   if type(entry) ~= 'table' then
      fail 'is no object with dtype, shape and data_offsets'
   elseif type(entry.dtype) ~= 'string' then
      fail 'has no dtype'
   elseif not list(entry.shape, 0, math.huge) then
      fail 'has no shape: expected a list of sizes'
   elseif not list(entry.data_offsets, 2, 2) then
      fail 'has no data_offsets: expected the places of its first byte and of the one behind'
   end
   local bits = kinds.bits(entry.dtype)
   if not bits then
      fail('has elements of a type %s that is not known', shown(entry.dtype))
   end
   local count = 1
   for _, n in ipairs(entry.shape) do
      if n == 0 then
         count = 0
      end
   end
   for _, n in ipairs(entry.shape) do
      count = count * n
      if count > MOST then
         fail('has sizes %s, more than any file has', table.concat(entry.shape, 'x'))
      end
   end
   local first, behind = entry.data_offsets[1], entry.data_offsets[2]
   if count * bits ~= (behind - first) * 8 then
      fail('has %.0f bytes, and %s of %s need %.0f', behind - first,
         #entry.shape > 0 and table.concat(entry.shape, 'x') or 'one element', entry.dtype,
         count * bits / 8)
   end
   entry.count, entry.name = count, name
end

-- Data follow each other without gap and overlap, and end where the file does.
local function checkPlaces(file, entries, bytes)
   table.sort(entries, function(a, b)
      local x, y = a.data_offsets, b.data_offsets
      if x[1] ~= y[1] then
         return x[1] < y[1]
      elseif x[2] ~= y[2] then
         return x[2] < y[2]
      end
      return a.name < b.name
   end)
   local at = 0
   for _, entry in ipairs(entries) do
      local first, behind = entry.data_offsets[1], entry.data_offsets[2]
      if behind > bytes then
         file:fail("the tensor '%s' ends at byte %.0f of %.0f bytes of data: the file is not whole",
            shown(entry.name), behind, bytes)
      elseif first ~= at then
         file:fail("the tensor '%s' begins at byte %.0f of the data, expected %.0f: %s",
            shown(entry.name), first, at, first < at and 'it overlaps another one'
            or 'no tensor has what lies between')
      end
      at = behind
   end
   if at < bytes then
      file:fail('%.0f bytes of data belong to no tensor', bytes - at)
   end
end

local function checkMetadata(file, metadata)
   if metadata == nil then
      return {}
   elseif type(metadata) ~= 'table' then
      file:fail 'its __metadata__ is no object'
   end
   for key, value in pairs(metadata) do
      if type(key) ~= 'string' or type(value) ~= 'string' then
         file:fail("its __metadata__ has under '%s' something else than text", shown(key))
      end
   end
   return metadata
end

--- Read and check the head of a file.
-- @param file torch.io.contents
-- @return list of entries in the order of their data: name, dtype, shape, data_offsets, count; the
-- place of the first byte of data; the metadata, a table of texts
function M.read(file)
   if file.size < 8 then
      file:fail('not a safetensors file: it has %.0f bytes, too few for one', file.size)
   end
   local length = 0
   for i, byte in ipairs { file:text(0, 8):byte(1, 8) } do
      length = length + byte * 256 ^ (i - 1)
   end
   if length > file.size - 8 then
      file:fail('not a whole safetensors file: a header of %.0f bytes does not fit into its %.0f',
         length, file.size)
   elseif length > LONGEST then
      file:fail('a header of %.0f bytes; %d are the most', length, LONGEST)
   end
   local text = file:text(8, length)
   if text:sub(1, 1) ~= '{' then
      file:fail 'not a safetensors file: its header does not begin with {'
   end
   if text:find('\0', 1, true) then -- for cjson the text ends there
      file:fail 'its header has a byte of 0'
   end
   local ok, header = pcall(json.decode, text)
   if not ok then
      file:fail('its header is no JSON: %s', tostring(header))
   end
   local metadata = checkMetadata(file, header.__metadata__)
   local entries, names, inner = {}, 0, 0
   for name, entry in pairs(header) do
      names = names + 1
      for key in pairs(type(entry) == 'table' and entry or {}) do
         inner = inner + (type(key) == 'string' and 1 or 0)
      end
      if name ~= '__metadata__' then
         check(file, name, entry)
         entries[#entries + 1] = entry
      end
   end
   local counted, hasList, hasShape = look(text)
   if counted[1] ~= names or counted[2] ~= inner then
      file:fail 'its header has a name twice'
   elseif hasList then -- a tensor's entry would have failed above
      file:fail 'its __metadata__ is no object'
   elseif hasShape then
      file:fail 'a tensor has an object as its shape: expected a list of sizes'
   end
   checkPlaces(file, entries, file.size - 8 - length)
   return entries, 8 + length, metadata
end

--- Name of what the metadata say where texts look like further names of tensors and are none: which
-- names are some, as a JSON list.
M.MARK = '__shared__'

--- Further names of tensors, which the metadata have as texts: { name = 'name of the tensor' }. Any
-- text could be meant so, unless the metadata say which are.
-- @param metadata which lose what they say of that
-- @param tensors by name
-- @return table, names by name
function M.aliases(metadata, tensors)
   local ok, marked = pcall(json.decode, metadata[M.MARK] or '')
   local known
   if ok and type(marked) == 'table' then
      metadata[M.MARK], known = nil, {}
      for _, name in pairs(marked) do
         known[name] = true
      end
   end
   local aliases = {}
   for name, text in pairs(metadata) do
      if not tensors[name] and tensors[text] and (not known or known[name]) then
         aliases[name] = text
      end
   end
   return aliases
end

--- Whether a tensor can have so many dimensions.
function M.fits(entry)
   return #entry.shape <= MAX_DIMS
end

-- --- writing ------------------------------------------------------------------------------------

local function quoted(text)
   return (cjson.encode(text):gsub('\\/', '/'))
end

--- The text of the mark.
-- @param aliases table by name
function M.mark(aliases)
   local names = {}
   for name in pairs(aliases) do
      names[#names + 1] = quoted(name)
   end
   table.sort(names)
   return '[' .. table.concat(names, ',') .. ']'
end

--- The head of a file as bytes.
-- @param entries list of tables: name, dtype, shape, data_offsets
-- @param metadata table of texts
function M.format(entries, metadata)
   local parts = {}
   if next(metadata) ~= nil then
      local pairs_, keys = {}, {}
      for key in pairs(metadata) do
         keys[#keys + 1] = key
      end
      table.sort(keys)
      for i, key in ipairs(keys) do
         pairs_[i] = quoted(key) .. ':' .. quoted(metadata[key])
      end
      parts[1] = '"__metadata__":{' .. table.concat(pairs_, ',') .. '}'
   end
   for _, entry in ipairs(entries) do
      local shape, places = {}, {}
      for i, n in ipairs(entry.shape) do
         shape[i] = ('%d'):format(n)
      end
      for i, n in ipairs(entry.data_offsets) do
         places[i] = ('%.0f'):format(n)
      end
      parts[#parts + 1] = ('%s:{"dtype":"%s","shape":[%s],"data_offsets":[%s]}'):format(
         quoted(entry.name), entry.dtype, table.concat(shape, ','), table.concat(places, ','))
   end
   local text = '{' .. table.concat(parts, ',') .. '}'
   text = text .. (' '):rep(-#text % 8)
   return little_endian(#text, 8) .. text
end

return M
