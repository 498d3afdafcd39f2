--- Expressions as trees.
--
-- A tree is { number = 2.5 }, { name = 'a' } or { call = 'tanh', tree, ... }; an operator is a call
-- of the function that does the same. Every tree knows its place in the text (`at`).
-- @module torch.fuse.parse
local text = require 'torch.fuse.text'

local M = {}

-- symbol -> how strongly it binds (as in Lua), the function it stands for
local BINARY = {
   ['or'] = { 1, 'or' }, ['and'] = { 2, 'and' },
   ['<'] = { 3, 'lt' }, ['<='] = { 3, 'le' }, ['>'] = { 3, 'gt' }, ['>='] = { 3, 'ge' },
   ['=='] = { 3, 'eq' }, ['~='] = { 3, 'ne' }, ['!='] = { 3, 'ne' },
   ['+'] = { 4, 'add' }, ['-'] = { 4, 'sub' },
   ['*'] = { 5, 'mul' }, ['/'] = { 5, 'div' }, ['%'] = { 5, 'remainder' },
   ['^'] = { 7, 'pow' },
}
local UNARY, POWER = 6, 7 -- -x^2 is -(x^2)
local DEEPEST = 150 -- nested expressions; Lua's own limit is some 200
local LONGEST = 1000 -- operators and calls from the whole to a name; who walks a tree is recursive

-- What the second of two symbols is meant for: x ** 2.
local TWICE = {
   ['*'] = ': a power is a ^ b', ['/'] = ': floor(a / b) rounds down', ['+'] = ': y = y + 1',
}

local Parser = {}
Parser.__index = Parser

function Parser:refuse(token, message)
   text.refuse(self.source, token.at, message)
end

function Parser:peek()
   return self.tokens[self.next]
end

function Parser:take()
   local token = self.tokens[self.next]
   self.next = self.next + 1
   return token
end

local function shown(token)
   if token.text == '' then
      return 'the end'
   end
   return token.text == '\n' and "the line's end" or ("'%s'"):format(token.text)
end

function Parser:expect(symbol, why, name)
   local token = self:take()
   if token.text ~= symbol then
      local updates = name and token.kind == 'symbol' and self:peek().text == '='
      self:refuse(token, ("expected '%s' %s, got %s%s"):format(symbol, why, shown(token),
         updates and (': %s = %s %s ...'):format(name, name, token.text) or ''))
   end
   return token
end

-- A call that is complete: a + b + c + ... is as deep as it is long.
function Parser:joined(tree)
   local depth = 0
   for _, operand in ipairs(tree) do
      depth = math.max(depth, operand.depth or 0)
   end
   tree.depth = depth + 1
   if tree.depth > LONGEST then
      self:refuse(tree, ('the expression has more than %d operators in a row; take temporary names')
         :format(LONGEST))
   end
   return tree
end

function Parser:arguments(name)
   local list = {}
   if self:peek().text == ')' then
      self:take()
      return list
   end
   while true do
      list[#list + 1] = self:expression(1)
      local token = self:take()
      if token.text == ')' then
         return list
      elseif token.text ~= ',' then
         self:refuse(token, ("expected ',' or ')' among the arguments of %s, got %s"):format(name,
            shown(token)))
      end
   end
end

function Parser:operand()
   local token = self:take()
   if token.kind == 'number' then
      return { number = tonumber(token.text), at = token.at }
   elseif token.kind == 'name' then
      if self:peek().text ~= '(' then
         return { name = token.text, at = token.at }
      end
      self:take()
      local call = self:arguments(token.text)
      call.call, call.at = token.text, token.at
      return self:joined(call)
   elseif token.text == '(' then
      local inner = self:expression(1)
      self:expect(')', 'to close the parenthesis')
      return inner
   elseif token.text == '-' or token.text == 'not' then
      local operand = self:expression(UNARY)
      return self:joined { call = token.text == '-' and 'neg' or 'not', at = token.at, operand }
   end
   local before = self.tokens[self.next - 2]
   local twice = before and before.text == token.text and before.at == token.at - 1
   self:refuse(token, ('expected a name, a number or (, got %s%s'):format(shown(token),
      twice and TWICE[token.text] or ''))
end

--- An expression whose operators bind at least so strongly.
function Parser:expression(least)
   self.depth = self.depth + 1
   if self.depth > DEEPEST then
      self:refuse(self:peek(), ('the expression is nested deeper than %d; take temporary names')
         :format(DEEPEST))
   end
   local left = self:operand()
   while true do
      local token = self:peek()
      local operator = token.kind == 'symbol' and BINARY[token.text]
      if not operator or operator[1] < least then
         break
      end
      self:take()
      -- a^b^c is a^(b^c), and 2^-x needs no parentheses
      local right = self:expression(operator[1] == POWER and UNARY or operator[1] + 1)
      left = self:joined { call = operator[2], at = token.at, left, right }
   end
   self.depth = self.depth - 1
   return left
end

local function parser(source)
   return setmetatable({ source = source, tokens = text.tokens(source), next = 1, depth = 0 },
      Parser)
end

--- The statements of a text: lists of { name, value (a tree), at }.
-- @raise "torch.fuse: expected a name, a number or (, got ')' (line 1, column 9)", with the line
function M.statements(source)
   local self = parser(source)
   local list = {}
   while self.next <= #self.tokens do
      local token = self:take()
      if token.kind == 'name' then
         self:expect('=', ("behind '%s': statements are NAME = EXPRESSION"):format(token.text),
            token.text)
         list[#list + 1] = { name = token.text, at = token.at, value = self:expression(1) }
         local stop = self:peek()
         if stop.kind ~= 'end' then
            self:refuse(stop, ('expected an operator or the end of the statement, got %s%s'):format(
               shown(stop), stop.text == 'if' and text.instead('?', 1) or ''))
         end
      elseif token.kind ~= 'end' then
         self:refuse(token, ('expected NAME = EXPRESSION, got %s'):format(shown(token)))
      end
   end
   if #list == 0 then
      self:refuse({ at = 1 }, 'there is no statement')
   end
   return list
end

--- The tree of a single expression: for formulas of this library.
function M.expression(source)
   return parser(source):expression(1)
end

return M
