--- Programs as C: the statements that compute one element, which the CPU's loop and CUDA's kernel
-- have in common. They are written in a type T; M(exp) is the function of T, so expf or exp.
-- @module torch.fuse.code
local functions = require 'torch.fuse.functions'

local rows = functions.rows

local M = {}

local function literal(value)
   if value ~= value then
      return 'NOT_A_NUMBER'
   elseif value == math.huge or value == -math.huge then
      return value > 0 and 'INFINITE' or '-INFINITE'
   end
   local digits = ('%.17g'):format(value)
   return '(T)' .. digits .. (digits:find '[.e]' and '' or '.0') -- the integer -0 is 0
end

local function isLogical(node)
   return node.row ~= nil and rows[node.row].logical or false
end

local function name(node)
   return node.number and literal(node.number) or node.input and 'x' .. node.input or 't' .. node.id
end

-- As a number; a comparison is 0 or 1.
local function number(node)
   return isLogical(node) and ('(t%d ? (T)1 : (T)0)'):format(node.id) or name(node)
end

local function condition(node)
   return isLogical(node) and 't' .. node.id or ('(%s != 0)'):format(name(node))
end

local function statement(node)
   local row = rows[node.row]
   local code = row.code:gsub('%$(%d)', function(i)
      i = tonumber(i)
      return i == 1 and row.condition and condition(node[i]) or number(node[i])
   end)
   return ('const %s t%d = %s;'):format(row.logical and 'Logical' or 'T', node.id, code)
end

--- The statements that make the results of one element; operands are x1, x2, ...
-- @param program torch.fuse.Program
-- @return list of statements; list of the results' expressions; the places of the operands that are
-- read, in a table; the functions of libm: name -> number of operands; cost of an element
function M.element(program)
   local graph, outputs = program:lowered()
   local needed = graph:needed(outputs)
   local statements, results, read, called, cost = {}, {}, {}, {}, 1
   for id, node in ipairs(graph.nodes) do
      if needed[id] and node.row then
         statements[#statements + 1] = statement(node)
         local f = rows[node.row].code:match 'M%((%w+)%)'
         if f then
            called[f] = rows[node.row].operands
         end
         cost = cost + (rows[node.row].costly and 4 or 0.25)
      elseif needed[id] and node.input then
         read[node.input] = true
      end
   end
   for i, output in ipairs(outputs) do
      results[i] = number(output)
   end
   return { statements = statements, results = results, read = read, called = called,
      cost = math.ceil(cost / 2) }
end

return M
