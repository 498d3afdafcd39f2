-- random_loops.lua SEED [PROGRAMS]: random programs that loop over tables, compiled against
-- interpreted; prints "right", or what differs. Loads no library itself: `th` runs it with
-- torch.traversal, `luajit` without. Of 60 seeds with it none is wrong, on Debian 12's luajit and
-- on luajit2. Without it, Debian's has 2 of 3 wrong; with a compiled `next` of Lua, 1 of 10.
-- LuaJIT's own table.foreach fails in many of them, on both. Some seeds take 10 seconds.
local seed, programs = tonumber(arg[1]) or 1, tonumber(arg[2]) or 6
local random = math.random
math.randomseed(seed)

local function pick(...)
   return (select(random(select('#', ...)), ...))
end

local PRELUDE = [[
local type, max, min = type, math.max, math.min
local trail, a, b, c = 0, 0, 0, 0
local function note(x)
   trail = (trail * 31 + x) % 1000003
end
local function num(x)
   local kind = type(x)
   if kind == 'number' then
      return x
   elseif kind == 'string' then
      return #x
   end
   return kind == 'nil' and -1 or kind == 'table' and 11 or x and 1 or 5
end
local function walk(t)
   for k, v in pairs(t) do
      if type(v) == 'table' then
         walk(v)
      else
         note(num(k) + num(v))
      end
   end
end
]]

local EPILOGUE = [[
return function(p, q, r, times)
   for _ = 1, times do
      f%d(p, q, r)
      note(a + 3 * b + 5 * c)
      a, b, c = a %% 65521, b %% 65521, c %% 65521
   end
   return trail
end
]]

-- What a program holds: names in scope that are numbers, and the number of names made so far.
local numbers, made

local function fresh()
   made = made + 1
   return 'k' .. made, 'v' .. made, 'i' .. made, 'w' .. made
end

-- Code by a template: $name is a value of the table.
local function fill(template, values)
   return (template:gsub('%$(%w+)', values))
end

local function number(depth)
   local kind = depth > 2 and 1 or random(7)
   if kind <= 3 then
      return numbers[random(#numbers)]
   elseif kind == 4 then
      return tostring(random(-3, 9))
   end
   local x, y = number(depth + 1), number(depth + 1)
   if kind == 5 then
      return ('(%s %s %s) %% 65521'):format(x, pick('+', '-', '*'), y)
   elseif kind == 6 then
      return ('%s(%s, %s)'):format(pick('max', 'min'), x, y)
   end
   local order = pick('<', '<=', '>', '>=', '==', '~=')
   return ('(%s %s %s and %s or %s)'):format(x, order, y, number(depth + 1), number(depth + 1))
end

local block

local function body(depth, key, value)
   numbers[#numbers + 1], numbers[#numbers + 2] = key, value
   local code = block(depth + 1, random(3))
   numbers[#numbers], numbers[#numbers - 1] = nil, nil
   return code
end

local STATEMENTS = {
   function(x)
      return fill('$x = $value', x)
   end,
   function(x)
      return fill('if $value $order $other then $x = $other end', x)
   end,
   function(x)
      return fill('note($value)', x)
   end,
   function(x) -- two steps by hand
      return fill([[
         do
            local $k, $v = next($t)
            if $k ~= nil then
               local $i, $w = next($t, $k)
               $x = num($w) - num($v) + (num($i) > num($k) and 1 or 2)
            end
         end]], x)
   end,
   function(x) -- all steps by hand
      return fill([[
         do
            local $k, $v = next($t)
            while $k ~= nil do
               $x = ($x + num($v) * 3 + num($k)) % 65521
               $k, $v = next($t, $k)
            end
         end]], x)
   end,
   function(x)
      return fill('walk($t)', x)
   end,
   function(x, depth)
      x.body = body(depth, x.i, x.w)
      return fill([[
         table.foreach($t, function($k, $v)
            local $i, $w = num($k), num($v)
            $body
         end)]], x)
   end,
}

local LOOP = [[
   for $k, $v in $iteration do
      local $i, $w = $bindings
      $store
      $break
      $body
   end]]

local function loop(x, depth)
   x.iteration = fill(pick('pairs($t)', 'next, $t'), x)
   x.bindings = fill(pick('num($k), num($v)', "num($k), type($v) == 'number' and $v or 0",
      "type($k) == 'number' and $k or 2, num($v)"), x)
   local stored = pick('nil', '0', '$w + 1', '$w % 7')
   x.store = random(4) == 1 and fill('$t[$k] = ' .. stored, x) or ''
   x['break'] = random(8) == 1 and fill('if $w == 2 then break end', x) or ''
   x.body = body(depth, x.i, x.w)
   return fill(LOOP, x)
end

local function statement(depth)
   local k, v, i, w = fresh()
   local x = { k = k, v = v, i = i, w = w, t = pick('p', 'q', 'r'), x = pick('a', 'b', 'c'),
      value = number(0), other = number(0), order = pick('<', '>', '<=', '==') }
   if depth < 3 and random(2) == 1 then
      return loop(x, depth)
   end
   return STATEMENTS[random(depth < 3 and #STATEMENTS or 3)](x, depth)
end

function block(depth, count)
   local code = {}
   for i = 1, count do
      code[i] = statement(depth)
   end
   return table.concat(code, '\n')
end

local function program()
   numbers, made = { 'a', 'b', 'c' }, 0
   local code, count = { PRELUDE }, random(3)
   for f = 1, count do
      code[#code + 1] = ('local function f%d(p, q, r)'):format(f)
      if f > 1 and random(2) == 1 then
         code[#code + 1] = ('for _ in pairs(%s) do f%d(p, r, q) end'):format(pick('p', 'q'),
            random(f - 1))
      end
      if random(2) == 1 then
         code[#code + 1] = 'local a, b, c = 1, 2, 3'
      end
      code[#code + 1] = block(0, random(3))
      code[#code + 1] = 'note((a + 3 * b + 5 * c) % 65521)\nend'
   end
   code[#code + 1] = EPILOGUE:format(count)
   return table.concat(code, '\n')
end

-- Tables are made anew for every call, always in the same order.
local function recipe(depth)
   local kind, entries = random(4), {}
   for i = 1, pick(0, 1, 1, 2, 2, 3, 3, 4, 6, 20) do
      local key = i
      if kind == 2 or kind == 3 and random(2) == 1 then
         key = 'k' .. i
      elseif kind == 4 then
         key = pick(i, 'k' .. i, i + 0.5, i * 1000, i % 2 == 0)
      end
      local value = pick(i, random(9), random(9) + 0.5, 'x', true, false)
      if depth > 0 and random(5) == 1 then
         value = recipe(depth - 1)
      end
      entries[i] = { key, value }
   end
   return entries
end

local function cook(entries)
   local t = {}
   for i = 1, #entries do
      local key, value = entries[i][1], entries[i][2]
      t[key] = type(value) == 'table' and cook(value) or value
   end
   return t
end
jit.off(cook)

local function run(f, recipes, call)
   return f(cook(recipes[call[1]]), cook(recipes[call[2]]), cook(recipes[call[3]]), call.times)
end

local PATIENCE = 0.3 -- seconds for one program: some nest deep

-- The first call of a program that differs.
local function difference(source, recipes, calls)
   local interpreted, compiled = assert(loadstring(source)), assert(loadstring(source))
   jit.off(interpreted, true)
   local reference, f = interpreted(), compiled()
   local wanted, start = {}, os.clock()
   for i, call in ipairs(calls) do
      if os.clock() - start > PATIENCE then
         break
      end
      local ok, result = pcall(run, reference, recipes, call)
      if not ok then
         return ('call %d, interpreted: %s'):format(i, result)
      end
      wanted[i] = result
   end
   for i, result in ipairs(wanted) do
      local ok, got = pcall(run, f, recipes, calls[i])
      if not ok or got ~= result then
         return ('call %d: %s, not %s'):format(i, got, result)
      end
   end
end

local wrong
for p = 1, programs do
   local source, recipes, calls = program(), {}, {}
   for i = 1, 6 do
      recipes[i] = recipe(2)
   end
   for i = 1, 250 do
      local span = i < 120 and 3 or 6 -- other tables later: other ways through the code
      calls[i] = { random(span), random(span), random(span), times = pick(1, 1, 2, 30) }
   end
   local found = difference(source, recipes, calls)
   if found then
      wrong = true
      print(('seed %d, program %d, %s'):format(seed, p, found))
      if os.getenv 'SHOW' then
         print(source)
      end
   end
end
print(wrong and 'wrong' or 'right')
