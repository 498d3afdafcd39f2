-- What docstrings tell of parameters and results, in LuaLS' types.
local M = {}

local kinds = {
   int = 'integer', integer = 'integer', size = 'integer', bool = 'boolean', boolean = 'boolean', number = 'number',
   string = 'string', tab = 'table', table = 'table', func = 'function', ['function'] = 'function',
   sizes = 'torch.Storage', Tensor = 'torch.Tensor', tensor = 'torch.Tensor',
   LongTensor = 'torch.LongTensor', LongStorage = 'torch.LongStorage', storage = 'torch.Storage',
   module = 'nn.Module', Module = 'nn.Module', criterion = 'nn.Criterion',
   opfunc = 'function', bytes = 'integer',
}

-- What a name stands for in the forms of a call.
local byName = {
   dim = 'integer', dim1 = 'integer', dim2 = 'integer', n = 'integer', m = 'integer',
   offset = 'integer', first = 'integer', length = 'integer', value = 'number', p = 'number',
   min = 'number', max = 'number', name = 'string', filename = 'string', biased = 'boolean',
   idx = 'torch.LongTensor', mask = 'torch.ByteTensor', gen = 'torch.Generator', k = 'integer',
   f = 'function', res = 'torch.Tensor', self = 'torch.Tensor', bool = 'boolean',
}
for name in ('t t1 t2 t3 x y z r a b c A B C Q R U V s e v result other'):gmatch '%S+' do
   byName[name] = byName[name] or 'torch.Tensor'
end

local reserved = {
   ['end'] = true, ['repeat'] = true, ['function'] = true, ['in'] = true, ['until'] = true,
}
local function identifier(name)
   return name:match '^[%a_][%w_]*$' and (reserved[name] and name .. '_' or name)
end

--- The type of a parameter by its text: '... (number, default 0)', 'table: ...', 'Tensor, ...'.
function M.type(p)
   local text = p.text
   local kind = text:match '%((%a+)%)$' or text:match '%((%a+), [^()]*%)$'
      or text:match '^(%a+)%f[^%a]'
   return kinds[kind or ''] or 'any'
end

--- Parameters of a docstring: list of { name, type, optional, text }.
function M.params(entry)
   local list, optional = {}, false
   for i, p in ipairs(entry.params) do
      local name = p.name == '...' and '...' or identifier(p.name) or 'argument' .. i
      optional = optional or p.optional
      list[i] = { name = name, type = M.type(p), optional = optional,
         text = p.text:gsub('%s+', ' ') }
   end
   return list
end

--- The type of what a docstring says is returned.
function M.returns(entry)
   local list = {}
   for i, text in ipairs(entry.returns) do
      local kind = text:match '^(%a+)%f[^%a]'
      list[i] = kind == 'self' and kind or kinds[kind or ''] or byName[kind or ''] or 'any'
   end
   return list
end

-- 'a, [b,] c [, d]' -> list of lists of { name, optional }: an option in the middle makes two.
local function arguments(text)
   local variants = { { } }
   text = text:gsub('%s*=%s*[^,%]%)]+', '')            -- defaults
   while text:match '%S' do
      local group, rest = text:match '^%s*(%b[])%s*,?(.*)$'
      local word = nil
      if not group then
         word, rest = text:match '^%s*,?%s*([^,%[]+)%s*,?(.*)$'
         if not word then
            return {}
         end
      end
      local inner = group and group:sub(2, -2):gsub('[%[%]]', '') or word
      local atEnd = group and not rest:match '%f[%w_]%a'  -- nothing obligatory behind it
      local grown = {}
      for _, variant in ipairs(variants) do
         local longer = { unpack(variant) }
         for name in inner:gmatch '[^,]+' do
            name = name:match '^%s*(.-)%s*$'
            local word_ = name:match '^%.%.%.$' or identifier(name:match '^[%a_][%w_]*' or '')
            if not word_ then
               return {}
            end
            longer[#longer + 1] = { name = word_, optional = atEnd and true or false }
         end
         grown[#grown + 1] = longer
         if group and not atEnd then
            grown[#grown + 1] = variant
         end
      end
      variants, text = grown, rest
   end
   return variants
end

local function resultTypes(text)
   if not text then
      return ''
   end
   local list = {}
   for word in text:gsub('%b()', ''):gmatch '[^,|]+' do
      local name = word:match '^%s*([%a_][%w_]*)'
      if name and name ~= 'in' and name ~= 'nil' then
         list[#list + 1] = kinds[name] or byName[name] or 'any'
      end
   end
   return #list > 0 and ': ' .. table.concat(list, ', ') or ''
end

--- Forms of a call as types of functions.
-- @param usage list of strings: 'torch.sum([res,] t, dim) -> res', 't:sum() -> number'
-- @param bare string: the function's name
-- @param owner string: what a method's object is, nil for functions
-- @return list of strings: 'fun(res: torch.Tensor, t: torch.Tensor, dim: integer): torch.Tensor'
function M.forms(usage, bare, owner)
   local list, seen = {}, {}
   for _, line in ipairs(usage) do
      local call, rest = line:match((owner and ':' or '[.]') .. bare .. '%s*(%b())(.*)$')
      local result = call and rest:match '^%s*%->%s*(.*)$'
      for _, variant in ipairs(call and arguments(call:sub(2, -2)) or {}) do
         local words = { owner and 'self: ' .. owner or nil }
         local names = { self = true }
         for _, word in ipairs(variant) do
            local kind = word.name == '...' and 'any' or byName[word.name] or 'any'
            local name = word.name
            while names[name] and name ~= '...' do
               name = name .. '_'
            end
            names[name] = true
            words[#words + 1] = name .. (word.optional and name ~= '...' and '?: ' or ': ') .. kind
         end
         local text = ('fun(%s)%s'):format(table.concat(words, ', '), resultTypes(result))
         if not seen[text] then
            seen[text] = true
            list[#list + 1] = text
         end
      end
   end
   return list
end

return M
