--- Walks all operations and lets each allocation of each fail once.
--
-- For the first allocation of a call, the second and so on until none is left: the call must report
-- that memory ran out, and leave every operand, result and generator as it was; the same call once
-- more must give what an undisturbed one gives.
local ffi = require 'ffi'
local torch = require 'torch'
local th = require 'torch.ffi'
local operands = require 'test.support.walks.operands'

ffi.cdef [[
int64_t TH_failAllocation(int64_t count);
bool TH_allocationFails(void);
void th_failing_new(bool (*fails)(void));
]]

local C = th.C
local M = {}

-- With test/support/failing_new.cpp preloaded `new` counts as well.
M.countsNew = pcall(function() ffi.C.th_failing_new(C.TH_allocationFails) end)

-- --- where and how tensors lie ------------------------------------------------------------------

local STATE_BYTES = 5048
local generator = ffi.gc(C.TH_Generator_new(), C.TH_Generator_free)

local function bytesOf(x) -- of a compact CPU tensor over all of its storage
   return ffi.string(ffi.cast('const char *', x.store.data), x:nElement() * x:elementSize())
end

local places = {
   cpu = {
      typename = function(name) return name end,
      state = function()
         local bytes = ffi.new('uint8_t[?]', STATE_BYTES)
         th.check(C.TH_Generator_getState(generator, bytes, STATE_BYTES))
         return ffi.string(bytes, STATE_BYTES)
      end,
      seed = function() C.TH_Generator_manualSeed(generator, 1) end,
      argument = function() return generator end,
   },
   cuda = {
      typename = function(name)
         return 'torch.Cuda' .. (name == 'torch.FloatTensor' and 'Tensor' or name:sub(7))
      end,
      state = function() return bytesOf(require('cutorch').getRNGState()) end,
      seed = function() require('cutorch').manualSeed(1) end,
      argument = function() return nil end,
   },
}

local made = {} -- text of sizes and values -> DoubleTensor: thousands of calls want the same

local function filled(sizes, typename, values)
   local key = table.concat(sizes, 'x') .. ' ' .. table.concat(values or {}, ' ')
   local x = made[key]
   if x == nil then
      x = torch.DoubleTensor(torch.LongStorage(sizes))
      local flat = x:view(-1)
      if values then
         local n = flat:size(1)
         for i = 1, n do
            flat[i] = values[(i - 1) % #values + 1]
         end
      else
         flat:copy(torch.range(0, flat:size(1) - 1):fmod(7):add(1))
      end
      made[key] = x
   end
   return x:clone():type(typename)
end

local function spread(x) -- every second element of a larger tensor
   if x:dim() == 0 then
      return x
   end
   local sizes = x:size():totable()
   sizes[#sizes + 1] = 2
   return x.new():resize(torch.LongStorage(sizes)):fill(9):select(#sizes, 2):copy(x)
end

--- What results that are only written were before: name -> function(new, sizes).
local RESULTS = {
   empty = function(new) return new() end,
   ['of other sizes'] = function(new) return new(3):fill(7) end,
   ['of these sizes'] = function(new, sizes) return new(sizes):fill(7) end,
   strided = function(new, sizes) return spread(new(sizes):fill(7)) end,
}
local LAYOUTS = {
   compact = function(x) return x end,
   strided = spread,
}

-- A context for operands.lua. sizes: of the results, by order of being asked for.
local function context(place, typename, layout, result, sizes)
   local asked = 0
   local c = { floating = typename }
   function c.tensor(size, name, values)
      return LAYOUTS[layout](filled(size, place.typename(name or typename), values))
   end
   function c.result(name)
      asked = asked + 1
      local new = torch.factory(place.typename(name or typename))
      local function typed(...)
         return select('#', ...) == 0 and new() or new():resize(...)
      end
      local kind = sizes == nil and 'empty' or result
      return RESULTS[kind](typed, sizes and sizes[asked])
   end
   return c
end

-- --- calls --------------------------------------------------------------------------------------

local function isResult(p)
   return p.type == 'TH_Tensor*' or p.type == 'TH_InOut'
end

-- The C function's arguments in order, and all tensors among them.
-- missing: the name of an argument that may be NULL.
local function prepare(call, arguments, place, missing)
   local list, tensors, numbers = {}, {}, {}
   local count = 0
   for i, p in ipairs(operands.parameters(call)) do
      local value = arguments[p.name]
      if p.type == 'TH_Generator*' then
         value = place.argument()
      elseif p.type == 'double*' or p.type == 'bool*' then
         value = ffi.new(p.type:gsub('%*', '[1]'), 1)
         numbers[#numbers + 1] = value
      elseif p.type == 'const TH_Tensor* const*' then
         for _, t in ipairs(value or {}) do
            tensors[#tensors + 1] = t
         end
         value = value and ffi.new('const TH_Tensor*[?]', #value, value)
      elseif p.type:match 'TH_Tensor' or p.type == 'TH_InOut' then
         assert(value ~= nil or p.name == missing,
            ('%s: no argument %s'):format(call.name, p.name))
         tensors[#tensors + 1] = value
      else
         assert(value ~= nil or p.name == missing,
            ('%s: no argument %s'):format(call.name, p.name))
      end
      list[i] = value
      count = i
   end
   return {
      tensors = tensors, numbers = numbers, keep = arguments,
      run = function()
         return C['TH_' .. call.name](unpack(list, 1, count))
      end,
   }
end

local CPU_OF = {}
for _, name in ipairs { 'Byte', 'Char', 'Short', 'Int', 'Long', 'Half', 'BFloat16', 'Float',
   'Double' } do
   local kind = (name == 'Float' and '' or name) .. 'Tensor'
   CPU_OF['torch.Cuda' .. kind] = 'torch.' .. name .. 'Tensor'
end

-- All elements of a tensor's storage as a CPU tensor; nil where there are none.
local function whole(t)
   local storage = t:storage()
   if storage == nil or #storage == 0 then
      return nil
   end
   local all = t.new(storage, 1, torch.LongStorage { #storage }, torch.LongStorage { 1 })
   return all:type(CPU_OF[torch.typename(t)] or torch.typename(t)):clone()
end

-- Everything that a script can see of a call's arguments.
local function snapshot(prepared, place)
   local parts = {}
   for i, t in ipairs(prepared.tensors) do
      local all = whole(t)
      local text = { t.dtype, tonumber(t.offset), t.ndim }
      for d = 0, t.ndim - 1 do
         text[#text + 1] = tonumber(t.sizes[d]) .. '/' .. tonumber(t.strides[d])
      end
      text[#text + 1] = all and all:nElement() or 0
      text[#text + 1] = all and tostring(ffi.cast('void *', t.store)) or 'none'
      parts[i] = { geometry = table.concat(text, ' '), bytes = all and bytesOf(all) or '' }
   end
   for _, number in ipairs(prepared.numbers) do
      parts[#parts + 1] = { geometry = 'number', bytes = ffi.string(number, ffi.sizeof(number)) }
   end
   parts.generator = place.state()
   return parts
end

local function difference(a, b)
   for i = 1, #a do
      if a[i].geometry ~= b[i].geometry then
         return ('tensor %d was %s, is %s'):format(i, a[i].geometry, b[i].geometry)
      elseif a[i].bytes ~= b[i].bytes then
         return ('elements of tensor %d changed'):format(i)
      end
   end
   return a.generator ~= b.generator and 'the generator advanced' or nil
end

-- Elements of all tensors and the numbers, in double.
local function values(prepared, place)
   local list = { generator = place.state() }
   for i, t in ipairs(prepared.tensors) do
      list[i] = { sizes = t:dim() > 0 and t:size():totable() or {},
         x = t:dim() > 0 and t:type(CPU_OF[torch.typename(t)] or torch.typename(t)):double()
            :contiguous():view(-1) or torch.DoubleTensor() }
   end
   for _, number in ipairs(prepared.numbers) do
      list[#list + 1] = { sizes = {}, x = torch.DoubleTensor { tonumber(number[0]) or
         (number[0] and 1 or 0) } }
   end
   return list
end

local function same(a, b, tolerance)
   if a.generator ~= b.generator then
      return 'the generator is elsewhere than after an undisturbed call'
   end
   for i = 1, #a do
      if table.concat(a[i].sizes, 'x') ~= table.concat(b[i].sizes, 'x') then
         return ('tensor %d is %s, undisturbed %s'):format(i, table.concat(b[i].sizes, 'x'),
            table.concat(a[i].sizes, 'x'))
      end
      local x, y = a[i].x, b[i].x
      for k = 1, x:nElement() do
         local u, v = x[k], y[k]
         local close = math.abs(u - v) <= tolerance * math.max(1, math.abs(u))
         if u ~= v and not close and not (u ~= u and v ~= v) then
            return ('element %d of tensor %d is %.17g, undisturbed %.17g'):format(k, i, v, u)
         end
      end
   end
end

-- --- the walk -----------------------------------------------------------------------------------

local TYPES = { 'torch.DoubleTensor', 'torch.FloatTensor', 'torch.HalfTensor', 'torch.LongTensor' }
local TOLERANCE = { ['torch.DoubleTensor'] = 1e-12, ['torch.FloatTensor'] = 1e-5,
   ['torch.HalfTensor'] = 2e-3, ['torch.LongTensor'] = 0 }
local MOST = 200 -- allocations of one call: more means that the walk never ends

-- A result in place of an operand of the same type, or nil.
local function aliased(call, arguments)
   local list = operands.parameters(call)
   for _, r in ipairs(list) do
      for _, x in ipairs(list) do
         if isResult(r) and x.type == 'const TH_Tensor*'
            and torch.typename(arguments[r.name]) == torch.typename(arguments[x.name]) then
            arguments[r.name] = arguments[x.name]
            return arguments
         end
      end
   end
   return nil
end

-- Ways to make the arguments, each a title and a function. sizes: of the results.
local function scenes(call, make, place, typename, sizes)
   local list = {}
   local function add(title, f, aliased_)
      list[#list + 1] = { title = title, make = f, aliased = aliased_ }
   end
   for layout in pairs(LAYOUTS) do
      for result in pairs(RESULTS) do
         if layout == 'compact' or result == 'empty' or result == 'strided' then
            add(('%s operands, results %s'):format(layout, result), function()
               return make(context(place, typename, layout, result, sizes))
            end)
         end
      end
      add(layout .. ' operands, a result that is an operand', function()
         return aliased(call, make(context(place, typename, layout, 'empty', sizes)))
      end, true)
   end
   return list
end

-- The sizes of the results of a call that starts with empty ones; nil: not for this type.
local function sizesOfResults(call, make, place, typename)
   local results = {}
   local c = context(place, typename, 'compact', 'empty')
   local result = c.result
   function c.result(name)
      local t = result(name)
      results[#results + 1] = t
      return t
   end
   local prepared = prepare(call, make(c), place)
   place.seed()
   if prepared.run() ~= 0 then
      return nil, ffi.string(C.TH_lastError())
   end
   local sizes = {}
   for i, t in ipairs(results) do
      sizes[i] = t:dim() > 0 and t:size() or torch.LongStorage()
   end
   return sizes
end

-- One scene: all of its allocations fail in turn. Returns how many did.
local function disturb(call, scene, place, typename, report)
   local function fresh()
      local arguments = scene.make()
      place.seed()
      return arguments and prepare(call, arguments, place)
   end
   local undisturbed = fresh()
   if undisturbed == nil then
      return 0 -- there is no result of an operand's type
   elseif undisturbed.run() ~= 0 then
      local message = ffi.string(C.TH_lastError())
      if not (scene.aliased and M.refusesAliased(message)) then
         report(('%s of %s, %s, is refused: %s'):format(call.name, typename, scene.title, message))
      end
      return 0
   end
   local expected = values(undisturbed, place)
   for n = 1, MOST do
      local prepared = fresh()
      local before = snapshot(prepared, place)
      C.TH_failAllocation(n)
      local status = prepared.run()
      if C.TH_failAllocation(0) > 0 then
         return n - 1
      end
      local function complain(text)
         report(('%s of %s, %s, allocation %d: %s'):format(call.name, typename, scene.title, n,
            text))
      end
      if status == C.TH_OUT_OF_MEMORY then
         local text = ffi.string(C.TH_lastError())
         local changed = difference(before, snapshot(prepared, place))
         if changed then
            complain(changed)
         end
         if not text:match '^%w+: out of memory' then
            complain('the message is ' .. text)
         end
         if not changed and prepared.run() ~= 0 then
            complain('the second call failed: ' .. ffi.string(C.TH_lastError()))
         end
      elseif status ~= 0 then
         complain('another error: ' .. ffi.string(C.TH_lastError()))
      end
      local wrong = same(expected, values(prepared, place), TOLERANCE[typename])
      if wrong then
         complain(wrong)
      end
   end
   error(call.name .. ': no end of allocations')
end

-- Why a result must not be an operand. Anything else is a scene that should have run.
local REFUSALS = {
   'position %d+ of %d+ is %d+, out of range', -- the positions are the result
   -- gradWeight has the sizes of an input or of a gradOutput
   '^convBackwardWeight: input is %w+, but a weight of',
   '^convBackwardWeight: gradOutput is %w+, expected',
}
function M.refusesAliased(message)
   for _, form in ipairs(REFUSALS) do
      if message:find(form) then
         return true
      end
   end
   return false
end

--- Walk one operation.
-- @param call a row of `torch.gen.calls`
-- @param where 'cpu' or 'cuda'
-- @param[opt] only a type's name
-- @return failed allocations, faults (a list of texts), why the backend has no such operation
function M.walk(call, where, only)
   local place = places[where]
   local struck, faults, types, reason = 0, {}, 0, nil
   for _, make in ipairs(operands.of(call)) do
      for _, typename in ipairs(TYPES) do
         local sizes, message = sizesOfResults(call, make, place, typename)
         if sizes == nil then
            reason = message
            if not message:find 'Tensor is not supported; wanted one of'
               and not message:find 'there is no CUDA.- function' then
               faults[#faults + 1] = ('%s of %s does not run: %s'):format(call.name, typename,
                  message)
            end
         elseif only == nil or only == typename then
            types = types + 1
            local function report(text)
               faults[#faults + 1] = text
            end
            for _, scene in ipairs(scenes(call, make, place, typename, sizes)) do
               struck = struck + disturb(call, scene, place, typename, report)
            end
         end
      end
   end
   return struck, faults, types == 0 and reason or nil
end

M.places, M.context, M.prepare = places, context, prepare
M.snapshot, M.difference = snapshot, difference

return M
