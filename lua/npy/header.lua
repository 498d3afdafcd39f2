--- The head of an .npy file, which says what its elements are.
--
--    "\x93NUMPY", major and minor version, length of the text (2 bytes in version 1, else 4), text
--    {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   and spaces, a newline at the end
--
-- The text is Python, and read here as what the format says it may be, nothing else; no part of it
-- is run. Source: NumPy Enhancement Proposal 1; numpy.lib.format.
-- @module npy.header
local ffi = require 'ffi'
local th = require 'torch.ffi'

local M = {}

local MAGIC = '\147NUMPY'
local LONGEST = 65536 -- bytes of text that are looked at; NumPy itself takes 10,000
local ALIGNMENT = 64
local MOST = 2 ^ 53 -- elements

M.MAGIC = MAGIC

-- --- the text -----------------------------------------------------------------------------------

-- Each takes the text and a place, and returns a value and the place behind it, or nothing.
local parse = {}

function parse.descr(text, at)
   local quote, value, behind = text:match("^(['\"])([^'\"\\%c]*)['\"]()", at)
   if quote and text:sub(behind - 1, behind - 1) == quote then
      return value, behind
   end
end

function parse.fortran_order(text, at)
   local word, behind = text:match('^(%a+)()', at)
   if word == 'True' or word == 'False' then
      return word == 'True', behind
   end
end

function parse.shape(text, at)
   local sizes = {}
   at = text:match('^%(%s*()', at)
   while at do
      local digits, behind = text:match('^(%d+)L?%s*()', at) -- Python 2 wrote 3L
      if not digits then
         break
      elseif #digits > 20 or #sizes > 64 then
         return nil
      end
      sizes[#sizes + 1], at = tonumber(digits), behind
      local comma = text:match('^,%s*()', at)
      if not comma then
         if #sizes == 1 then -- (3) is a number, not a tuple
            return nil
         end
         break
      end
      at = comma
   end
   local behind = at and text:match('^%)()', at)
   if behind then
      return sizes, behind
   end
end

local wanted = {
   descr = "a type such as '<f4'", fortran_order = 'True or False', shape = 'sizes such as (3, 4)',
}

--- The entries of the text.
-- @return table with descr, fortran_order and shape; or nil and what is wrong
function M.parse(text)
   local found = {}
   local at = text:match '^%s*{%s*()'
   if not at then
      return nil, 'the header is no dictionary'
   end
   while true do
      local behind = text:match('^}%s*()', at)
      if behind then
         if behind <= #text then
            return nil, 'text follows the header'
         end
         break
      end
      local key, value
      key, behind = parse.descr(text, at)
      if not key or not wanted[key] then
         return nil, key and ("the header has a key '%s' that the format does not know")
            :format(key:sub(1, 40))
            or 'the header is no dictionary of descr, fortran_order and shape'
      elseif found[key] ~= nil then
         return nil, ('the header has the key %s twice'):format(key)
      end
      at = text:match('^%s*:%s*()', behind)
      if at then
         value, behind = parse[key](text, at)
      end
      if value == nil then
         if at and key == 'descr' and text:match('^%[', at) then
            return nil, 'elements are records of several fields; save one array for each field'
         end
         return nil, ('the header says nothing readable of %s, expected %s'):format(key,
            wanted[key])
      end
      found[key] = value
      at = text:match('^%s*,%s*()', behind) or text:match('^%s*()', behind)
      if at <= #text and text:sub(at, at) ~= '}' and not text:sub(behind, at):find ',' then
         return nil, 'the header is no dictionary of descr, fortran_order and shape'
      end
   end
   for _, key in ipairs { 'descr', 'fortran_order', 'shape' } do
      if found[key] == nil then
         return nil, 'the header says nothing of ' .. key
      end
   end
   return found
end

--- Number of elements of a shape; or nil and what is wrong.
function M.count(shape)
   if #shape > th.C.TH_MAX_DIMS then
      return nil, ('an array of %d dimensions; tensors have %d at most'):format(#shape,
         th.C.TH_MAX_DIMS)
   end
   local count, any = 1, true
   for _, size in ipairs(shape) do
      any = any and size > 0
   end
   for _, size in ipairs(shape) do
      count = count * size
      if any and count > MOST or size > MOST then
         return nil, ('the sizes %s are more than any file has'):format(table.concat(shape, 'x'))
      end
   end
   return any and count or 0
end

-- --- the file -----------------------------------------------------------------------------------

--- Read the head of an array.
-- @param source with `remaining` bytes, `text(n)` for the next ones, and `fail(message)`
-- @return the entries of the text, with `count`, the number of elements
function M.read(source)
   if source.remaining < #MAGIC + 4 then
      source:fail('not an .npy file: %.0f bytes are too few for one', source.remaining)
   end
   local start = source:text(#MAGIC + 2)
   if start:sub(1, #MAGIC) ~= MAGIC then
      source:fail('not an .npy file: it does not begin with \\x93NUMPY')
   end
   local major, minor = start:byte(#MAGIC + 1, #MAGIC + 2)
   if major < 1 or major > 3 or minor ~= 0 then
      source:fail('version %d.%d of the format; 1.0, 2.0 and 3.0 are known', major, minor)
   end
   local width = major == 1 and 2 or 4
   if source.remaining < width then
      source:fail('the data end inside the header')
   end
   local length = 0
   local digits = source:text(width)
   for i = width, 1, -1 do
      length = length * 256 + digits:byte(i)
   end
   if length > LONGEST then
      source:fail('a header of %d bytes; %d are the most', length, LONGEST)
   elseif length > source.remaining then
      source:fail('the data end inside the header')
   end
   local header, problem = M.parse(source:text(length))
   if header then
      header.count, problem = M.count(header.shape)
   end
   if problem then
      source:fail('%s', problem)
   end
   return header
end

--- The head of an array as bytes, such that elements begin at a multiple of 64.
function M.format(descr, fortran, shape)
   local sizes = table.concat(shape, ', ') .. (#shape == 1 and ',' or '')
   local text = ("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }"):format(descr,
      fortran and 'True' or 'False', sizes)
   local padding = -(#MAGIC + 4 + #text + 1) % ALIGNMENT
   local length = ffi.new('uint16_t[1]', #text + padding + 1)
   if ffi.abi 'be' then
      length[0] = math.floor(length[0] / 256) + length[0] % 256 * 256
   end
   return MAGIC .. '\1\0' .. ffi.string(length, 2) .. text .. (' '):rep(padding) .. '\n'
end

return M
