--- What Lua does without asking the object: `#loader` and `ipairs(loader)` see an empty table, and
-- `x[1] == 1` is false where x[1] is a Variable. No Lua runs on the way, so th looks at the text,
-- as for conditions.
-- @module trepl.scripts.unasked
local names = require 'trepl.scripts.names'

local M = {}

local LOOPS = {
   ['#'] = '#%s is 0 for any loader: %s:size() is the number of batches',
   ipairs = 'ipairs(%s) sees an empty table: for batch in %s() do ... end goes over the batches',
   pairs = 'pairs(%s) goes over fields of the object: for batch in %s() do ... end goes over the '
      .. 'batches',
}

-- Uses of a loader in a line: (what, name) of each.
local function each_loop(line, found)
   for name in line:gmatch '#%s*([%a_][%w_]*)%f[^%w_.:%[%(]' do
      found('#', name)
   end
   for what, name in line:gmatch '%f[%w_.:](i?pairs)%s*%(%s*([%a_][%w_]*)%s*%)' do
      found(what, name)
   end
end

local COMPARED = '%f[%w_.:]([%a_][%w_]*)(%b[][%w_%s,%[%]+*-]*)([=~]=)%s*(%-?%d[%w.]*)'

local function each_comparison(line, found)
   for name, index, sign, number in line:gmatch(COMPARED) do
      index = index:match '^%s*(.-)%s*$'
      if index:gsub('%b[]', '') == '' then
         found(name, name .. index, sign, number)
      end
   end
end

--- Where a line does so.
-- @string line of code
-- @param kind function: what a name stands for; see trepl.scripts.names
-- @param tell function(sentence)
function M.look(line, kind, tell)
   each_loop(line, function(what, name)
      if kind(name) == names.LOADER then
         tell(LOOPS[what]:format(name, name))
      end
   end)
   each_comparison(line, function(name, element, sign, value)
      if kind(name) == names.VARIABLE then
         tell(('%s %s %s is %s whatever it holds, as %s is a Variable: %s:item() is its number')
            :format(element, sign, value, tostring(sign == '~='), element, element))
      end
   end)
end

return M
