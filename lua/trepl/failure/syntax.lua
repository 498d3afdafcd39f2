--- What other languages write, in lines that do not compile.
-- @module trepl.failure.syntax
local M = {}

local NAMED = 'arguments go by their places, as in x:sum(2); options by name are a table: '
   .. '{ learningRate = 0.1 }'
local CONTINUE = 'goto continue, and ::continue:: before the end of the loop'

-- What languages write that scripts here do not: pattern of a line, advice.
local rows = {
   { '!=', "'not equal' is ~= here" },
   { '[%w_%])]%s*[+%-*/]=', 'x = x + 1: there is no += here' },
   { '%+%+', 'i = i + 1: there is no ++ here' },
   { '&&', "'and' instead of &&" },
   { '||', "'or' instead of ||" },
   { '^%s*else%s+if%f[%W]', "'elseif' is one word; 'else if' begins an if with its own end" },
   { '^%s*elif%f[%W]', "'elseif' instead of elif" },
   { '^%s*def%s', 'function name(arguments) ... end' },
   { '^%s*import%s+[%w_.]+', "require 'name'" },
   { '^%s*#', 'comments begin with --' },
   { '^%s*//', 'comments begin with --' },
   { '^%s*from%s+[%w_.]+%s+import', "local name = require('package').name" },
   { '^%s*class%s+[%w_]+', "local Name, parent = torch.class('Name')" },
   { '^%s*try%s*[:{]', 'local ok, message = pcall(f, arguments)' },
   { '^%s*for%s*%(', 'for i = 1, n do ... end' },
   { '^%s*for%s+[%w_, ]+%s+in%s+range%s*%(', 'for i = 1, n do ... end counts; '
      .. 'for i, v in ipairs(list) do ... end goes through a list' },
   { '^%s*for%s+[%w_, ]+%s+in%s+.*:%s*$', 'for i, v in ipairs(list) do ... end' },
   { '^%s*if%s+.*:%s*$', 'if a == b then ... end' },
   { '^%s*while%s+.*:%s*$', 'while a < b do ... end' },
   { '^%s*if%s+[%w_.:%[%]()]+%s*=%s*[^=]', "'=' assigns; '==' compares" },
   { '%*%*', 'a number to a power is x ^ 2, of tensors torch.pow(x, 2)' },
   { '^%s*with%s+torch%.no_grad', 'torch.noGrad(function() ... end)' },
   { '^%s*assert%s+[%w_]', 'assert(condition, message)' },
   { '^%s*continue%s*;?%s*$', CONTINUE }, { 'then%s+continue%f[^%w_]', CONTINUE },
   { '^%s*pass%s*$', 'nothing: a body may be empty' },
   { '[:.]repeat%s*%(', 'x:repeatTensor(times...)' },
   { '^%s*let%s', 'local x = 1' },
   { '^%s*var%s', 'local x = 1' },
   { '[%[{]%s*%-?%d*%s*:%s*%-?%d*%s*[%],}]',
      'rows first to last are x[{ { first, last } }], column 2 is x[{ {}, 2 }]' },
   { '=%s*%[[^%[=]', 'a table is { 1, 2, 3 }, a tensor torch.Tensor { 1, 2, 3 }' },
   { '%(%s*%[[^%[=]', 'a table is { 1, 2, 3 }, a tensor torch.Tensor { 1, 2, 3 }' },
   { '[%w_%])]%s*%[[^%[%]{}]+,[^%[%]{}]*%]', 'an element is x[{ 1, 2 }] or x[1][2]' },
   { '^%s*print%s+[%w_]', "print(x): parentheses may be left out of print 'text' alone" },
   { '%(%s*%(', 'sizes are plain arguments: torch.randn(3, 4)' },
   { '^%s*:[%a_][%w_]*%s*[%({\'"]', 'it goes on with the line before, which is over: '
      .. 'end that one by Alt-Enter, or paste both at once' },
   { '%f[%w]None%f[%W]', 'nil instead of None' },
   { '%f[%w]lambda%f[%W]', 'function(x) return x + 1 end' },
   { '{%s*["\'%d]+%s*:', "a table with names is { name = value, ['any text'] = value }" },
   { '=.*%sif%s.*%selse%s', 'condition and a or b' },
   { '%s%?%s.*:', 'condition and a or b' },
   { '^%s*[%w_.:]+%s*%?+%s*$', '? name shows what the sources say of it' },
   { '^%s*!', '$ command runs it in the shell' },
   { '^%s*%%', 'each statement shows its time; $ command runs one in the shell' },
   { '%(%s*[%a_][%w_]*%s*=[^=]', NAMED }, -- zeros(dtype=float)
   { '%([^=]*,%s*[%a_][%w_]*%s*=[^=]', NAMED }, -- Linear(2, 3, bias=False)
}

--- What to write instead, in a line that does not compile.
-- @string line
-- @return sentence, or nil
function M.about(line)
   local code = line:gsub('"[^"]*"', '""'):gsub("'[^']*'", "''")
   for _, row in ipairs(rows) do
      if code:find(row[1]) then
         return row[2]
      end
   end
end

return M
