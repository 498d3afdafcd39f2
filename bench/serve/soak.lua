-- luacheck: globals wrk response done setup
-- wrk's script: sends the file $BODY as $KIND, and looks whether every answer is that of one of the
-- two models.
local ffi = require 'ffi'

wrk.method = 'POST'
local function read(path)
   local file = assert(io.open(path, 'rb'))
   local text = file:read '*a'
   file:close()
   return text
end
wrk.body = read(os.getenv 'BODY')
wrk.headers['Content-Type'] = os.getenv 'KIND'
local wanted = {}
for _, name in ipairs { 'mlp', 'lenet' } do
   wanted[#wanted + 1] = read(os.getenv 'ANSWERS' .. '/' .. name .. '.answer')
end

-- Whether two rows of floats agree to what the order of summing leaves open.
local function same(text, other)
   if #text ~= #other then
      return false
   end
   local a, b = ffi.cast('const float*', text), ffi.cast('const float*', other)
   for i = 0, #text / 4 - 1 do
      local apart = math.abs(a[i] - b[i])
      if apart > 1e-4 or apart ~= apart then
         return false
      end
   end
   return true
end

local threads = {}
function setup(thread)
   threads[#threads + 1] = thread
   thread:set('wrong', 0)
end

function response(status, _, body)
   if status ~= 200 or not (same(body, wanted[1]) or same(body, wanted[2])) then
      wrong = wrong + 1 -- luacheck: globals wrong
   end
end

function done(summary)
   local errors, bad = summary.errors, 0
   for _, thread in ipairs(threads) do
      bad = bad + thread:get 'wrong'
   end
   local kinds = {}
   for _, kind in ipairs { 'connect', 'read', 'write', 'status', 'timeout' } do
      kinds[#kinds + 1] = kind .. ' ' .. errors[kind]
   end
   print(('soak %d requests, %d wrong answers; lost: %s'):format(summary.requests, bad,
      table.concat(kinds, ', ')))
end
