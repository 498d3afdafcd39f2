--- Random texts of torch.fuse, in words that are Lua's as well: `evaluate` runs them as Lua does.
local M = {}

local UNARY = { 'tanh', 'exp', 'sin', 'sigmoid', 'abs', 'relu', 'softplus', 'atan' }
local NAMES = { 'a', 'b', 'c' }

local function expression(depth, made)
   local draw = math.random(10)
   if depth == 0 or draw == 1 then
      if math.random(4) == 1 then
         return ('%.3g'):format(math.random() * 4 - 2):gsub('^%-.*', '(%0)')
      end
      local names = #made > 0 and math.random(2) == 1 and made or NAMES
      return names[math.random(#names)]
   elseif draw <= 3 then
      return ('%s(%s)'):format(UNARY[math.random(#UNARY)], expression(depth - 1, made))
   elseif draw == 4 then
      return ('-%s'):format(expression(0, made))
   elseif draw == 5 then
      local comparisons = { '<', '<=', '>', '>=' }
      return ('where(%s %s %s, %s, %s)'):format(expression(depth - 1, made),
         comparisons[math.random(4)], expression(depth - 1, made), expression(depth - 1, made),
         expression(depth - 1, made))
   elseif draw == 6 then
      return ('%s / (1 + abs(%s))'):format(expression(depth - 1, made), expression(depth - 1, made))
   elseif draw == 7 then
      return ('(%s) ^ 2'):format(expression(depth - 1, made))
   end
   local operators = { '+', '-', '*' }
   local left, right = expression(depth - 1, made), expression(depth - 1, made)
   local text = ('%s %s %s'):format(left, operators[math.random(3)], right)
   return math.random(2) == 1 and '(' .. text .. ')' or text
end

--- A text with so many statements, whose results are all kept; the names of the results.
function M.text(count, depth)
   local lines, made = {}, {}
   for i = 1, count do
      local line = ('r%d = tanh(%s)'):format(i, expression(depth, made)) -- bounded
      lines[i], made[i] = line, 'r' .. i
   end
   return table.concat(lines, '\n'), made
end

local functions = {
   tanh = math.tanh, exp = math.exp, sin = math.sin, abs = math.abs, atan = math.atan,
   sigmoid = function(x) return 1 / (1 + math.exp(-x)) end,
   relu = function(x) return math.max(x, 0) end,
   softplus = function(x) return math.log(1 + math.exp(x)) end,
   where = function(condition, x, y)
      if condition then
         return x
      end
      return y
   end,
}

--- What a text's results are for numbers, by Lua.
function M.evaluate(text, names, a, b, c)
   local environment = setmetatable({ a = a, b = b, c = c }, { __index = functions })
   setfenv(assert(loadstring(text)), environment)()
   local results = {}
   for i, name in ipairs(names) do
      results[i] = environment[name]
   end
   return results
end

return M
