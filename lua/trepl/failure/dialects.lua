--- What Python, C, JavaScript and shells write that does not compile here, and what to write
-- instead.
-- @module trepl.failure.dialects
local NAMED = 'arguments go by their places, as in x:sum(2); options by name are a table: '
   .. '{ learningRate = 0.1 }'
local CONTINUE = 'goto continue, and ::continue:: before the end of the loop'
local DEFINITION = 'function name(arguments) ... end'
local IF, WHILE, FOR = 'if a == b then ... end', 'while a < b do ... end', 'for i = 1, n do ... end'
local EACH = 'for i, v in ipairs(list) do ... end'
local CASES = 'if x == 1 then ... elseif x == 2 then ... else ... end'
local PROTECTED = 'local ok, message = pcall(f, arguments)'
local LIST = 'a table is { 1, 2, 3 }, a tensor torch.Tensor { 1, 2, 3 }'
local NAMES = "a table with names is { name = value, ['any text'] = value }"
local LONG = 'a text of several lines is [[ ... ]], a comment --[[ ... ]]'
local CHOICE = 'condition and a or b'
local BITS = 'of masks torch.cmul(a, b) is and, torch.cmax(a, b) or, a:eq(0) not; of whole numbers '
   .. 'bit.band(a, b), bit.bor(a, b), bit.bnot(a), bit.lshift(a, n)'
local SLICES = 'rows first to last are x[{ { first, last } }], column 2 is x[{ {}, 2 }]'
local METHODS = "methods of a text want it in brackets: ('%d'):format(n), ('a b'):split(' ')"
local SHELL = '$ command runs it in the shell'
local COMMA = 'no comma stands behind the last argument'
local UNTYPED = 'variables have no types: local x = 1'
local VALUES = 'several values go without brackets: a, b = 1, 2; a table of them is { 1, 2 }'

-- What languages write that scripts here do not, the first that fits: pattern of a line, advice;
-- `without`: a word that lines do not have which are meant, `near`: what the compiler must have
-- stumbled over, where such lines may be right; `flat`: without what is in braces.
local M = {
   -- Python's statements, and others'
   { '^%s*@[%a_][%w_.]*%s*%(?[^=]*$',
      'a decorator is a function that is called: f = decorator(f)' },
   { '^%s*def%s', DEFINITION }, { '^%s*async%s+def%s', DEFINITION },
   { '^%s*import%s+torch%s*;?%s*$',
      "torch is there in th already; other packages: local nn = require 'nn'" },
   { '^%s*import%s+torch%.nn', "local nn = require 'nn'" },
   { '^%s*import%s+torch%.optim', "local optim = require 'optim'" },
   { '^%s*import%s+[%w_.]+', "local name = require 'name'" },
   { '^%s*from%s+[%w_.]+%s+import', "local name = require('package').name" },
   { '^%s*class%s+[%w_]+%s*%(.*Module', "local Net, parent = torch.class('Net', 'nn.Module'); its "
      .. 'methods are function Net:updateOutput(input) ... end' },
   { '^%s*class%s+[%w_]+', "local Name, parent = torch.class('Name')" },
   { '^%s*try%s*[:{]', PROTECTED }, { '^%s*except.*:%s*$', PROTECTED },
   { '^%s*finally%s*[:{]', PROTECTED }, { '^%s*}?%s*catch%s*[%({]', PROTECTED },
   { '^%s*raise%s+[%w_]', "error('what is wrong')" },
   { '^%s*throw%s', "error('what is wrong')" },
   { '^%s*del%s+[%a_]', 'x = nil' },
   { '^%s*global%s+[%a_]', 'a name without local is global: nothing declares it' },
   { '^%s*nonlocal%s+[%a_]',
      'a local of the function around this one is there: nothing declares it' },
   { '^%s*yield%s+[%w_]', 'coroutine.yield(x)' }, { '=%s*yield%s+[%w_]', 'coroutine.yield(x)' },
   { '__name__', 'a script runs from its first line on: what main() does is called there' },
   { '^%s*with%s+torch%.no_grad', 'torch.noGrad(function() ... end)' },
   { '^%s*with%s+torch%.enable_grad', 'torch.setGradEnabled(true)' },
   { '^%s*with%s+open%s*%(', 'local file = io.open(path) ... file:close()' },
   { '^%s*with%s.*:%s*$', 'what with does at its end is a call here, as file:close()' },
   { '^%s*with%s.*:%s+%S', 'what with does at its end is a call here, as file:close()' },
   { '^%s*assert%s+[%w_]', 'assert(condition, message)' },
   { '^%s*continue%s*;?%s*$', CONTINUE }, { 'then%s+continue%f[^%w_]', CONTINUE },
   { '^%s*pass%s*$', 'nothing: a body may be empty' },
   { '^%s*switch%s+[%w_]+%s*$', CASES }, { '^%s*switch%s*%b()%s*{%s*$', CASES },
   { '^%s*match%s+[%w_.]+%s*:', CASES },
   { '^%s*case%s.*:', CASES },
   { '^%s*else%s+if%f[%W]', "'elseif' is one word; 'else if' begins an if with its own end" },
   { '^%s*elif%f[%W]', "'elseif' instead of elif" },
   { '^%s*}?%s*else%s*[:{]', 'if a == b then ... else ... end' },
   { '^%s*#', 'comments begin with --', near = '#' }, { '^%s*//', 'comments begin with --' },
   { '^%s*/%*', LONG }, { '"""', LONG }, { "'''", LONG },
   { '%s#', 'comments begin with --', near = '#' },

   -- blocks with a colon or braces
   { '^%s*for%s+[%w_, ]+%s+in%s+range%s*%(', FOR .. ' counts; ' .. EACH .. ' goes through a list' },
   { '^%s*for%s*%(', FOR },
   { '^%s*for%s[^:]*=[^:]*:%s*$', FOR },
   { '^%s*for%s.-%sin%s.*:%s*$', EACH }, { '^%s*for%s.-%sin%s.*:%s+%S', EACH },
   { '!=', "'not equal' is ~= here" }, { '[%w_%)%]]%s*<>', "'not equal' is ~= here" },
   { '^%s*if%s.*%sin%s',
      "a set is a table with its values for keys, and 'in' is set[x]", without = 'then' },
   { '[%w_%)%]]%s+is%s+not%s', 'x ~= nil, nil instead of None' },
   { '[%w_%)%]]%s+is%s+[%w_]', 'x == nil, nil instead of None' },
   { '^%s*if%s.*:%s*$', IF }, { '^%s*if%s.*:%s+%S', IF }, { '^%s*if%s*%b()%s*{', IF },
   { '^%s*while%s.*:%s*$', WHILE }, { '^%s*while%s.*:%s+%S', WHILE },
   { '^%s*while%s*%b()%s*{', WHILE },
   { '%f[%w_]function[^()]*%b()%s*{', DEFINITION },
   { '%f[%w_]function[^()]*%([^()]*=[^=]', 'a default is given within the function: y = y or 3',
      near = '=' },
   { '%f[%w_]function[^()]*%([^()]*:', UNTYPED, near = ':' },
   { '%f[%w_]function[^()]*%b()%s*%->', UNTYPED },
   { '=>', 'function(x) return x + 1 end' },
   { '%f[%w]lambda[%w_,%s]*:%s', 'function(x) return x + 1 end' },
   { '^%s*if%s+[%w_.:%[%]()]+%s*=%s*[^=]', "'=' assigns; '==' compares" },

   -- operators
   { '[%w_%])]%s*[+%-*/%%^|&]=', 'x = x + 1: there is no += here' },
   { '%+%+', 'i = i + 1: there is no ++ here' },
   { '&&', "'and' instead of &&" }, { '||', "'or' instead of ||" },
   { '[%w_%)%]]%s*@%s*[%w_(]', 'the product of matrices is A * B, or torch.mm(A, B)' },
   { '[%w_%)%]]%s*//', 'math.floor(a / b) rounds a quotient down, of tensors torch.cdiv(x, y)'
      .. ':floor(); comments begin with --' },
   { '[(,]%s*%*%*%s*[%a_{]', 'options are a table: f { name = value }, or f(options)' },
   { '[(,=]%s*%*%s*[%a_{(]', 'unpack(list) gives the values of a list; function f(...) takes any '
      .. 'number of values' },
   { '%*%*', 'a number to a power is x ^ 2, of tensors torch.pow(x, 2)' },
   { '<<', BITS }, { '>>', BITS }, { '[%w_%)%]]%s*[&|]%s*[%w_(~]', BITS },
   { '[=(,]%s*~[%w_(]', BITS },
   { '[%w_%]]%s*:=', 'x = 1' },
   { '[=(,]%s*!%s*[%w_(]', "'not x' instead of !x" }, { '%f[%w]if%s+!', "'not x' instead of !x" },
   { '%s%?%s.*:', CHOICE }, { '%S%s+if%s.*%selse%s', CHOICE, without = 'then' },
   { '=.*%sif%s.*%selse%s', CHOICE },

   -- indexes and tables
   { '%[[^%[%]]*::', 'every second row is x:index(1, torch.range(1, x:size(1), 2):long())' },
   { '[%[{]%s*%-?%d*%s*:%s*%-?%d*%s*[%],}]', SLICES },
   { '[%w_%)%]]%[[^%[%]()"\']-:[^%[%]()"\']*%]', SLICES },
   { '%[%s*%.%.%.', 'of the last dimension, the first is x:select(x:dim(), 1)' },
   { '%[.*%sfor%s.*%sin%s', 'local list = {}; for i = 1, n do list[i] = i ^ 2 end' },
   { '=%s*%[[^%[=]', LIST }, { '%(%s*%[[^%[=]', LIST }, { ',%s*%[[^%[%]=]*,', LIST },
   { '^%s*return%s*%[[^%[=]', LIST },
   { '%f[%w_][%a_][%w_]*%.%d', 'an element is x[1]' },
   { '[%w_%])]%s*%[[^%[%]{}()]+,[^%[%]{}()]*%]', 'an element is x[{ 1, 2 }] or x[1][2]' },
   { '{%s*["\'%d]+%s*:', NAMES }, { '[{,]%s*[%a_][%w_]*%s*:%s', NAMES },
   { '^%s*["\']+%s*:%s', NAMES },
   { '[%w_]%s*%(%s*%([%w_%s%-]+,[%w_%s,%-]*%)', 'sizes are plain arguments: torch.randn(3, 4)' },
   { '=%s*%([%w_%s."\'%-]*,', VALUES }, { '=%s*%(%s*%)', VALUES },
   { '^%s*return%s*%([%w_%s."\'%-]*,', VALUES },
   { '[(,]%s*end%s*=', 'io.write(x) writes without a new line' },
   { '%(%s*[%a_][%w_]*%s*=[^=]', NAMED, near = '=', flat = true }, -- zeros(dtype=float)
   { '%([^={}]*,%s*[%a_][%w_]*%s*=[^=]', NAMED, near = '=', flat = true }, -- Linear(2, bias=False)

   -- the rest
   { ',%s*%)', COMMA, near = ')' },
   { '^%s*[%a_][%w_.]*%s*$', 'a value alone is no statement: print(x) shows it', near = '<eof>' },
   { '[:.]repeat%s*%(', 'x:repeatTensor(times...)' },
   { '^%s*[%a_][%w_.]*:[%a_][%w_]*%s*=%s*function', 'function Net:forward(x) ... end, or '
      .. 'Net.forward = function(self, x) ... end' },
   { '^%s*[%a_][%w_]*%s*:%s+[%a_][%w_.]*%s*=', UNTYPED },
   { '["\']%s*%.%s*%a+%s*%(', METHODS, near = '.' },
   { '["\']%s*:%s*%a+%s*%(', METHODS, near = ':' },
   { '^%s*["\']+%s*[.:]%s*%a+%s*%(', METHODS },
   { '^%s*print%s+[%w_]', "print(x): parentheses may be left out of print 'text' alone" },
   { '^%s*print%s*["\']+%s*[,%%]',
      "print(x, y): parentheses may be left out of print 'text' alone" },
   { '^%s*:[%a_][%w_]*%s*[%({\'"]', 'it goes on with the line before, which is over: '
      .. 'end that one by Alt-Enter, or paste both at once', near = ':' },
   { '%f[%w]None%f[%W]', 'nil instead of None' },
   { '%f[%w]True%f[%W]', 'true instead of True' },
   { '%f[%w]False%f[%W]', 'false instead of False' },
   { '^%s*[%w_.:]+%s*%?+%s*$', '? name shows what the sources say of it' },
   { '^%s*!', SHELL }, { '^%s*%%', 'each statement shows its time; ' .. SHELL },
}

-- Words before a variable that is made.
for word in ('let var const auto int float double bool char string'):gmatch '%a+' do
   M[#M + 1] = { ('^%%s*%s%%s+[%%a_][%%w_]*%%s*[=,;]'):format(word), 'local x = 1' }
end

-- Programs that one may think to be in a shell for.
for word in ([[apt bash cat cd chmod cmake conda cp curl docker echo export git grep head less ls
   luajit luarocks make man mkdir mv nano pip pip3 python python3 rm source sudo tail th torchrun vi
   vim wget which]]):gmatch '%S+' do
   M[#M + 1] = { ('^%%s*%s%%s+[%%w_./~%%-]'):format(word), SHELL }
end

return M
