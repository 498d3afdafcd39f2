--- Zip archives, as far as .npz files are ones: members that are stored or deflated.
-- Source: PKWARE's APPNOTE.TXT 6.3, with the fields of 64 bits (zip64).
-- @module npy.zip
local ffi = require 'ffi'
local bit = require 'bit'
local little_endian = require 'torch.io.little_endian'
local sources = require 'npy.sources'

local M = {}

M.MAGIC, M.EMPTY = 'PK\3\4', 'PK\5\6'

local END, END64, LOCATOR64 = 'PK\5\6', 'PK\6\6', 'PK\6\7'
local ENTRY, MEMBER = 'PK\1\2', 'PK\3\4'
local LONGEST_END = 22 + 65535 -- bytes: with a comment
local STORED, DEFLATED = 0, 8
local MOST_PACKED = 1032 -- bytes that one packed byte can stand for (zlib's technical details)
local FULL16, FULL32 = 0xffff, 0xffffffff

-- --- reading ------------------------------------------------------------------------------------

-- n bytes of a string from a place (counted from 0) as a number, lowest first.
local function number(text, at, n)
   local value = 0
   for i = n, 1, -1 do
      value = value * 256 + (text:byte(at + i) or 0)
   end
   return value
end

-- Place, size and number of entries of the directory.
local function directory(file)
   local n = math.min(file.size, LONGEST_END)
   local text = file:text(file.size - n, n)
   local at
   for i = #text - 21, 1, -1 do
      if text:sub(i, i + 3) == END and number(text, i + 19, 2) == #text - i - 21 then
         at = i - 1
         break
      end
   end
   if not at then
      file:fail('not a whole %s file: it has no directory at its end', file.kind or '.npz')
   end
   local count, size, first = number(text, at + 10, 2), number(text, at + 12, 4),
      number(text, at + 16, 4)
   local place = file.size - n + at
   if (count == FULL16 or size == FULL32 or first == FULL32) and place >= 20 + 56 then
      local locator = file:text(place - 20, 20)
      if locator:sub(1, 4) == LOCATOR64 then
         local place64 = number(locator, 8, 8)
         if place64 > place - 20 - 56 then
            file:fail('its directory is not where its end says')
         end
         local record = file:text(place64, 56)
         if record:sub(1, 4) ~= END64 then
            file:fail('its directory is not where its end says')
         end
         count, size, first = number(record, 32, 8), number(record, 40, 8), number(record, 48, 8)
         place = place64
      end
   end
   if first + size > place then
      file:fail('its directory is not where its end says')
   end
   return first, size, count
end

-- Fields of 64 bits, of those that were full.
local function extend(member, extra)
   local at = 0
   while at + 4 <= #extra do
      local tag, n = number(extra, at, 2), number(extra, at + 2, 2)
      at = at + 4
      if tag == 1 then
         local from = at
         for _, name in ipairs { 'size', 'packed', 'first' } do
            if member[name] == FULL32 and from + 8 <= math.min(at + n, #extra) then
               member[name] = number(extra, from, 8)
               from = from + 8
            end
         end
      end
      at = at + n
   end
end

local function check(file, member)
   local function fail(message, ...)
      file:fail("the member '%s' " .. message, member.shown, ...)
   end
   if member.flags % 2 == 1 then
      fail 'is encrypted'
   elseif member.method ~= STORED and member.method ~= DEFLATED then
      fail('is packed by method %d; stored and deflated ones can be read', member.method)
   elseif member.first + 30 + member.packed > file.size then
      fail('reaches past the end of the file')
   elseif member.method == STORED and member.size ~= member.packed then
      fail('has two sizes')
   elseif member.size > member.packed * MOST_PACKED + 64 then
      fail('claims %.0f bytes, more than its %.0f packed ones can hold', member.size,
         member.packed)
   end
end

--- Members of an archive, in their order.
-- @param file torch.io.contents
-- @return list of tables: name, size, packed (bytes), first (place), method, sum
function M.members(file)
   local first, size, count = directory(file)
   local text = file:text(first, size)
   local members, at, total, seen = {}, 0, 0, {}
   for i = 1, count do
      if at + 46 > #text or text:sub(at + 1, at + 4) ~= ENTRY then
         file:fail('its directory has %d of %.0f entries', i - 1, count)
      end
      local named, extra, comment = number(text, at + 28, 2), number(text, at + 30, 2),
         number(text, at + 32, 2)
      local member = {
         flags = number(text, at + 8, 2), method = number(text, at + 10, 2),
         sum = number(text, at + 16, 4), packed = number(text, at + 20, 4),
         size = number(text, at + 24, 4), first = number(text, at + 42, 4),
         name = text:sub(at + 47, at + 46 + named),
      }
      member.shown = member.name:sub(1, 60)
      extend(member, text:sub(at + 47 + named, at + 46 + named + extra))
      check(file, member)
      if seen[member.name] then
         file:fail("the member '%s' is there twice", member.shown)
      end
      seen[member.name] = true
      total = total + member.packed
      if total > file.size then -- a small file must not stand for many large ones
         file:fail('its members overlap')
      end
      members[i] = member
      at = at + 46 + named + extra + comment
   end
   return members
end

--- The bytes of a member.
-- @return a source, as of npy.sources
function M.source(file, member)
   local head = file:text(member.first, 30)
   local first = member.first + 30 + number(head, 26, 2) + number(head, 28, 2)
   if head:sub(1, 4) ~= MEMBER or first + member.packed > file.size then
      file:fail("the member '%s' is not where the directory says", member.shown)
   end
   if member.method == STORED then
      return sources.plain(file, first, member.size, member)
   end
   return sources.packed(file, first, member)
end

-- --- writing ------------------------------------------------------------------------------------

-- Pairs of width and value as bytes, lowest first.
local function pack(...)
   local parts = {}
   for i = 1, select('#', ...), 2 do
      local width, value = select(i, ...)
      parts[#parts + 1] = type(value) == 'string' and value or little_endian(value, width)
   end
   return table.concat(parts)
end

local DATE = 33 -- the first of January 1980: the same tensors make the same file
local VERSION = 45 -- of the format: zip64

-- Every member has its sizes in 64 bits: what is written first does not change its length.
local function localHead(member)
   local extra = pack(2, 1, 2, 16, 8, member.size, 8, member.packed)
   return pack(0, MEMBER, 2, VERSION, 2, member.flags, 2, member.method, 2, 0, 2, DATE,
      4, member.sum, 4, FULL32, 4, FULL32, 2, #member.name, 2, #extra) .. member.name .. extra
end

local function entry(member)
   local extra = pack(2, 1, 2, 24, 8, member.size, 8, member.packed, 8, member.first)
   return pack(0, ENTRY, 2, VERSION, 2, VERSION, 2, member.flags, 2, member.method, 2, 0, 2, DATE,
      4, member.sum, 4, FULL32, 4, FULL32, 2, #member.name, 2, #extra, 2, 0, 2, 0, 2, 0, 4, 0,
      4, FULL32) .. member.name .. extra
end

local function put(stream, text)
   stream:write(ffi.cast('const uint8_t *', text), #text)
end

--- Write a member's head; it is written once more when sizes and checksum are known.
-- @string name
-- @bool deflated
function M.begin(stream, name, deflated)
   local utf8 = name:find '[\128-\255]' and bit.lshift(1, 11) or 0
   local member = {
      name = name, first = stream:tell(), size = 0, packed = 0, sum = 0, flags = utf8,
      method = deflated and DEFLATED or STORED,
   }
   put(stream, localHead(member))
   return member
end

--- After a member's bytes.
function M.finish(stream, member)
   local behind = stream:tell()
   stream:seek(member.first)
   put(stream, localHead(member))
   stream:seek(behind)
end

--- After the last member.
function M.close(stream, members)
   local first = stream:tell()
   for _, member in ipairs(members) do
      put(stream, entry(member))
   end
   local place = stream:tell()
   if #members == 0 then -- some know archives by their first bytes
      put(stream, pack(0, END, 2, 0, 2, 0, 2, 0, 2, 0, 4, 0, 4, first, 2, 0))
      return
   end
   put(stream, pack(0, END64, 8, 44, 2, VERSION, 2, VERSION, 4, 0, 4, 0, 8, #members, 8, #members,
      8, place - first, 8, first))
   put(stream, pack(0, LOCATOR64, 4, 0, 8, place, 4, 1))
   put(stream, pack(0, END, 2, 0, 2, 0, 2, math.min(#members, FULL16),
      2, math.min(#members, FULL16), 4, FULL32, 4, FULL32, 2, 0))
end

return M
