--- What the readers of other programs' files promise, whatever the bytes: a result that can be
-- used, or an error of the documented form; memory in proportion to the file; nothing of it is run.
local torch = require 'torch'
local storages = require 'torch.Storage'
local types = require 'torch.types'
local sandbox = require 'test.fuzz.sandbox'

local M = {}

-- Bytes of Lua's own per byte of the file, and for the call as such.
local PER_BYTE, FIXED = 512, 2 ^ 21

local function store(text)
   local file = assert(io.open(sandbox.path, 'wb'))
   file:write(text)
   file:close()
end

-- What a reader may say about damaged bytes never stems from Lua itself.
local function checkMessage(message, operation)
   assert(type(message) == 'string', 'an error that is no text')
   local reason = message:match('^[^\n]-test/fuzz/%w+%.lua:%d+: ' .. operation
      .. ": '[^']*': (.*)$")
   assert(reason, 'an error of another form: ' .. message)
   assert(#reason < 600 and not reason:match '[%z\1-\8\11-\31\128-\255]',
      'not to be printed: ' .. message)
   local own = reason:gsub("'.*'", '') -- the rest may be the file's
   for _, pattern in ipairs {
      '%.lua:%d+:', 'attempt to ', 'bad argument', 'cannot convert', 'table index is',
      'stack overflow', 'not enough memory', 'out of memory', 'does not fit into any memory',
   } do
      assert(not own:match(pattern), 'a mistake of the reader itself: ' .. message)
   end
end

--- Give bytes to a reader.
-- @string operation what its errors begin with
-- @string text the file
-- @number perByte bytes of elements that one byte of the file may become
-- @func read read(path)
-- @return what it returned, or nothing after an error of the documented form
function M.read(operation, text, perByte, read)
   store(text)
   local stored, allocate = 0, storages.allocate
   storages.allocate = function(number, n)
      stored = stored + n * types.sizes[number % 16]
      assert(stored <= perByte * #text + 65536, 'more memory than the file can fill')
      return allocate(number, n)
   end
   collectgarbage 'stop'
   local before = collectgarbage 'count'
   local ok, result = pcall(read, sandbox.path)
   local taken = (collectgarbage 'count' - before) * 1024
   collectgarbage 'restart'
   storages.allocate = allocate
   assert(taken <= PER_BYTE * #text + FIXED, ('%d bytes of Lua for %d of a file'):format(taken,
      #text))
   if ok then
      return result
   end
   checkMessage(result, operation)
end

--- Read all elements of a table of tensors, which must not fail.
function M.touch(tensors)
   for _, t in pairs(tensors) do
      assert(torch.isTensor(t), 'a result that is no tensor')
      if t:nElement() > 0 then
         t:double():sum()
      end
   end
end

--- Whether two tensors have the same bits; NaNs are as good as other elements.
function M.same(a, b)
   if a:type() ~= b:type() or a:nElement() ~= b:nElement()
      or a:nElement() > 0 and not a:isSameSizeAs(b) then
      return false
   end
   return torch.serialize(a:clone()) == torch.serialize(b:clone())
end

--- Remove what was written.
function M.tidy()
   os.remove(sandbox.path)
end

M.path = sandbox.path

return M
