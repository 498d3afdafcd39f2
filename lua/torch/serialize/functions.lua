--- Functions in .t7 files: bytecode and upvalues.
--
-- Loading makes a function but never calls it. Bytecode is checked first
-- (torch.serialize.bytecode), so that damaged or hostile bytes cannot harm the process while it
-- loads. They can when the function is called: LuaJIT does not verify instructions. So call only
-- functions from files you trust; the option loadFunctions = false of torch.load turns every
-- function into a placeholder.
--
-- Between threads of one process (the package threads, file.named_) nothing is checked, and what an
-- upvalue has of a library, a module or a function of its, goes by name.
--
-- A placeholder stands for a function that was not loaded (on request, or because another Lua wrote
-- it). Calling it raises an error that says why; saving it writes the original bytes.
-- @module torch.serialize.functions
local errors = require 'torch.errors'
local bytecode = require 'torch.serialize.bytecode'

local M = {}

local ON_REQUEST = 'the file was read with loadFunctions = false'

local isPlaceholder = setmetatable({}, { __mode = 'k' })

-- Bytecode of loaded functions. They are written back from here: string.dump is not safe either
-- with instructions that nobody verified.
local codeOf = setmetatable({}, { __mode = 'k' })

local function placeholder(record)
   local f = function()
      record.call(record)
   end
   isPlaceholder[f] = true
   return f
end

local function callPlaceholder(record)
   errors.raise(('this function could not be loaded from %s: %s'):format(
      record.label, record.reason))
end

-- Lists of upvalues, which are no tables of the user's: tables made by dump.
local upvalueLists = setmetatable({}, { __mode = 'k' })

--- Whether a table is what dump returns as the upvalues of a function.
function M.isUpvalueList(t)
   return upvalueLists[t] == true
end

local function recordOf(f)
   if isPlaceholder[f] then
      local _, record = debug.getupvalue(f, 1)
      return record
   end
   return nil
end

local function warn(file, reason)
   if not file.warned_ then
      file.warned_ = true
      io.stderr:write(('torch: warning: a function in %s is kept, but cannot be called here: %s\n')
         :format(file.label_, reason))
   end
end

-- Values of upvalues alone, as older files have them, in the present form.
local function named(values)
   local list = {}
   for i, value in pairs(values) do
      list[i] = { value = value }
   end
   return list
end

local function setUpvalues(f, list, file)
   local count = debug.getinfo(f, 'u').nups
   local shared = file.sharedUpvalues_ or {}
   file.sharedUpvalues_ = shared
   for i = 1, count do
      local upvalue = list[i]
      if upvalue ~= nil and type(upvalue) ~= 'table' then
         error(('a %s where an upvalue of a function should be'):format(type(upvalue)), 0)
      end
      local id = upvalue and upvalue.id
      if type(id) ~= 'number' or id ~= id then
         id = nil
      end
      if id and shared[id] then
         debug.upvaluejoin(f, i, shared[id].f, shared[id].i)
      elseif upvalue then
         if id then
            shared[id] = { f = f, i = i }
         end
         if upvalue.name == '_ENV' then -- Lua 5.2's environment is not stored
            debug.setupvalue(f, i, _G)
         elseif upvalue.module and file.named_ then
            debug.setupvalue(f, i, file.named_.find(upvalue.module, upvalue.key))
         else
            debug.setupvalue(f, i, upvalue.value)
         end
      end
   end
end

--- Make a function of its bytecode, without upvalues yet.
-- @param code string
-- @param isCurrent boolean: the upvalues will come with names (object type 8)
-- @param file the torch.File it comes from
-- @return the function, and a function that gives it its upvalues
function M.load(code, isCurrent, file)
   local f, reason
   if file.loadFunctions_ == false then
      reason = ON_REQUEST
   else
      local trusted = file.named_ ~= nil
      local sound
      if not trusted then
         sound, reason = bytecode.check(code)
      end
      if trusted or sound then
         f, reason = load(code, nil, 'b')
      end
      if f and not trusted then
         codeOf[f] = code
      end
      if not f then
         warn(file, reason)
      end
   end
   local record
   if not f then
      record = { call = callPlaceholder, code = code, reason = reason, label = file.label_ }
      f = placeholder(record)
   end
   return f, function(upvalues)
      if type(upvalues) ~= 'table' then
         error(('a %s where the upvalues of a function should be'):format(type(upvalues)), 0)
      end
      if not isCurrent then
         upvalues = named(upvalues)
      end
      if record then
         record.upvalues = upvalues
      else
         setUpvalues(f, upvalues, file)
      end
   end
end

--- Whether a function can be stored: it is written in Lua.
function M.isWritable(f)
   return isPlaceholder[f] or codeOf[f] ~= nil or (pcall(string.dump, f))
end

-- The same number for the same variable wherever it is an upvalue, within one file.
local function variableNumber(file, f, i)
   if not debug.upvalueid then
      return nil
   end
   local numbers = file.upvalueNumbers_
   if not numbers then
      numbers = { count = 0 }
      file.upvalueNumbers_ = numbers
   end
   local variable = debug.upvalueid(f, i)
   if not numbers[variable] then
      numbers.count = numbers.count + 1
      numbers[variable] = numbers.count
   end
   return numbers[variable]
end

--- What is stored of a function.
-- @return string bytecode, table of its upvalues
function M.dump(f, file)
   local record = recordOf(f)
   if record then
      return record.code, record.upvalues
   end
   local upvalues = {}
   upvalueLists[upvalues] = true
   for i = 1, debug.getinfo(f, 'u').nups do
      local name, value = debug.getupvalue(f, i)
      local module, key
      if name == '_ENV' then
         value = nil
      elseif file.named_ then
         module, key = file.named_.name(value, file)
         if module then
            value = nil
         end
      end
      upvalues[i] = {
         name = name, id = variableNumber(file, f, i), value = value, module = module, key = key,
      }
   end
   return codeOf[f] or string.dump(f), upvalues
end

return M
