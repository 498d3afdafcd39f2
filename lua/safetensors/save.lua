--- Writing safetensors files.
-- @module safetensors.save
local ffi = require 'ffi'
local th = require 'torch.ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local output = require 'torch.io.output'
local types = require 'torch.types'
local headers = require 'safetensors.header'
local kinds = require 'safetensors.types'

local M = {}

local OPERATION = 'safetensors.save'

local function fail(message, ...)
   errors.raise(OPERATION .. ': ' .. message:format(...))
end

-- Readers refuse what is no UTF-8.
local function isText(text)
   local rest = text:gsub('[\240-\244][\128-\191][\128-\191][\128-\191]', ' ')
      :gsub('[\224-\239][\128-\191][\128-\191]', ' '):gsub('[\194-\223][\128-\191]', ' ')
   return not rest:find '[\128-\255]'
end

local function checkMetadata(metadata)
   if metadata ~= nil and type(metadata) ~= 'table' then
      fail('the metadata are a table of texts, got a %s', class.type(metadata))
   end
   for key, value in pairs(metadata or {}) do
      if type(key) ~= 'string' or type(value) ~= 'string' then
         fail('the metadata are texts by name; %s is a %s, and the name a %s: use tostring',
            tostring(key), class.type(value), class.type(key))
      elseif key == headers.MARK then
         fail("the metadata cannot have '%s', which tells names of tensors from other texts", key)
      elseif not (isText(key) and isText(value)) then
         fail('the metadata %s are no UTF-8', headers.shown(key))
      end
   end
end

-- Put further names of tensors into the metadata, and a mark where texts of the user's look like
-- some. Others' files have no mark, and then every text that could be such a name is one.
local function addAliases(metadata, aliases, tensors)
   local ambiguous = false
   for name, text in pairs(metadata) do
      if aliases[name] and aliases[name] ~= text then
         fail("the metadata have a text '%s', where the option shared is to put that the tensor "
            .. "'%s' is '%s': rename one, or leave out shared", headers.shown(name),
            headers.shown(name), headers.shown(aliases[name]))
      end
      ambiguous = ambiguous or tensors[name] == nil and tensors[text] ~= nil
   end
   for name, first in pairs(aliases) do
      metadata[name] = first
   end
   if ambiguous then
      metadata[headers.MARK] = headers.mark(aliases)
   end
end

-- Names of tensors that are the same elements of the same memory have the same text.
local function identity(t)
   local parts = { tostring(t.store), tonumber(t.offset) }
   for d = 0, t.ndim - 1 do
      parts[#parts + 1] = tonumber(t.sizes[d]) .. ':' .. tonumber(t.strides[d])
   end
   return t.ndim > 0 and table.concat(parts, ' ') or nil
end

-- One tensor as an entry of the header, with the tensor whose memory is written.
local function entry(name, t, bool)
   if t.device_type ~= 0 then
      t = t:type('torch.' .. types.names[t.dtype] .. 'Tensor')
   end
   local dtype = kinds.name(t.dtype)
   if bool then
      if dtype ~= 'U8' then
         fail("the tensor '%s' is to be BOOL and is a %s; only a ByteTensor can be",
            headers.shown(name), class.type(t))
      elseif t:nElement() > 0 and t:max() > 1 then
         fail("the tensor '%s' is to be BOOL and has elements other than 0 and 1",
            headers.shown(name))
      end
      dtype = 'BOOL'
   end
   local shape = t:size():totable()
   return {
      name = name, dtype = dtype, shape = #shape > 0 and shape or { 0 }, tensor = t,
      bytes = t:nElement() * types.sizes[t.dtype],
   }
end

-- @return list of entries; further names of tensors, by which { name = 'name of the entry' }
local function collect(tensors, options)
   local bool, entries, names, first, aliases = {}, {}, {}, {}, {}
   for _, name in ipairs(options.bool or {}) do
      if tensors[name] == nil then
         fail("there is no tensor '%s' to be BOOL", tostring(name))
      end
      bool[name] = true
   end
   for name, t in pairs(tensors) do
      if type(name) ~= 'string' or name == '__metadata__' or not isText(name) then
         fail("%s is no name for a tensor; expected a string of UTF-8 other than '__metadata__'",
            type(name) == 'string' and "'" .. headers.shown(name) .. "'"
               or 'a ' .. class.type(name) .. ' (' .. tostring(name) .. ')')
      elseif not th.isTensor(t) then
         fail("expected a tensor as '%s', got a %s%s", headers.shown(name), class.type(t),
            class.isTypeOf(tensors, 'nn.Module')
               and "; of a net: require('torch.train').weights(net)" or '')
      end
      names[#names + 1] = name
   end
   table.sort(names)
   for _, name in ipairs(names) do
      local same = options.shared and identity(tensors[name])
      if same and first[same] then
         aliases[name] = first[same]
      else
         entries[#entries + 1] = entry(name, tensors[name], bool[name])
         if same then
            first[same] = name
         end
      end
   end
   table.sort(entries, function(a, b)
      local x, y = kinds.order[a.dtype], kinds.order[b.dtype]
      if x ~= y then
         return x < y
      end
      return a.name < b.name
   end)
   local at = 0
   for _, one in ipairs(entries) do
      one.data_offsets = { at, at + one.bytes }
      at = at + one.bytes
   end
   return entries, aliases
end

local function checkOptions(options)
   if options ~= nil and type(options) ~= 'table' then
      fail('expected a table of options, got a %s', class.type(options))
   end
   for key, value in pairs(options or {}) do
      if key ~= 'bool' and key ~= 'shared' then
         fail('unknown option %s; there are bool (list of names) and shared (true or false)',
            tostring(key))
      elseif key == 'bool' and type(value) ~= 'table' then
         fail('the option bool is a list of names, got a %s', class.type(value))
      end
   end
   return options or {}
end

--- What safetensors.save does.
function M.save(path, tensors, metadata, options)
   if type(tensors) ~= 'table' then
      fail("expected a table of tensors, got %s: safetensors.save(path, { weight = w })",
         tensors == nil and 'nil' or 'a ' .. class.type(tensors))
   end
   checkMetadata(metadata)
   options = checkOptions(options)
   local texts = {}
   for key, value in pairs(metadata or {}) do
      texts[key] = value
   end
   local entries, aliases = collect(tensors, options)
   addAliases(texts, aliases, tensors)
   local head = headers.format(entries, texts)
   output.write(OPERATION, path, function(stream)
      stream:write(ffi.cast('const uint8_t *', head), #head)
      for _, one in ipairs(entries) do
         if one.bytes > 0 then
            local t = one.tensor:contiguous()
            local from = ffi.cast('const uint8_t *', th.elements(t))
            stream:write(from + t.offset * types.sizes[t.dtype], one.bytes)
         end
      end
   end)
end

return M
