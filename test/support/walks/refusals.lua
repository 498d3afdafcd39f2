--- Walks all operations with arguments that make no sense: what is missing, and numbers as large
-- and as small as they can be. Whatever a call answers, it must answer; and what it refuses it
-- leaves alone.
local ffi = require 'ffi'
local failures = require 'test.support.walks.failures'
local operands = require 'test.support.walks.operands'

local M = {}

-- Sizes between these ask for memory that a machine may have.
local WIDE = { -2LL ^ 63, -2LL ^ 62, -1LL, 0LL, 2LL ^ 62, 2LL ^ 63 - 1 }
local INTS = { -2 ^ 31, -1, 0, 2 ^ 31 - 1 }
local LIST = 8 -- longer than any list of sizes

-- Reads as many tensors as it is told.
local COUNTS = { cat = { count = true } }

-- A list of `first` and so many of `others`.
local function list(first, others)
   local values = ffi.new('int64_t[?]', LIST)
   for i = 0, LIST - 1 do
      values[i] = i == 0 and first or others
   end
   return values
end

-- What a parameter is tried with: pairs of a title and a value, nil being NULL.
local function tries(call, p, value)
   local all = {}
   local function add(title, v)
      all[#all + 1] = { title = title, value = v }
   end
   if COUNTS[call.name] and COUNTS[call.name][p.name] then
      return all
   elseif p.type:match 'TH_Tensor%*$' or p.type == 'TH_InOut' then
      add 'missing'
   elseif p.type == 'const int64_t*' then
      add 'missing'
      for _, n in ipairs(WIDE) do
         add('first ' .. tostring(n), list(n, value and value[0] or 1))
         add('all ' .. tostring(n), list(n, n))
      end
   elseif p.type == 'int64_t' or p.type == 'int' then
      for _, n in ipairs(p.type == 'int' and INTS or WIDE) do
         add(tostring(n), n)
      end
   end
   return all
end

--- Walk one operation.
-- @param call a row of `torch.gen.calls`
-- @param where 'cpu' or 'cuda'
-- @return calls, faults (a list of texts)
function M.walk(call, where)
   local place = failures.places[where]
   local count, faults = 0, {}
   for _, make in ipairs(operands.of(call)) do
      local function fresh()
         return make(failures.context(place, 'torch.FloatTensor', 'compact', 'empty'))
      end
      local plain = fresh()
      for _, p in ipairs(operands.parameters(call)) do
         for _, try in ipairs(tries(call, p, plain[p.name])) do
            local arguments = fresh()
            arguments[p.name] = try.value
            place.seed()
            local prepared = failures.prepare(call, arguments, place, p.name)
            local before = failures.snapshot(prepared, place)
            count = count + 1
            if os.getenv 'TH_TRACE' then -- what was the last before a crash
               io.stderr:write(call.name, ' ', p.name, ' ', try.title, '\n')
            end
            if prepared.run() ~= 0 then
               local changed = failures.difference(before, failures.snapshot(prepared, place))
               if changed then
                  faults[#faults + 1] = ('%s with %s %s: %s (%s)'):format(call.name, p.name,
                     try.title, changed, ffi.string(require('torch.ffi').C.TH_lastError()))
               end
            end
         end
      end
   end
   collectgarbage()
   return count, faults
end

return M
