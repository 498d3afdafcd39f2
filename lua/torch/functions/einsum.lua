--- Sums of products given by letters: what torch.einsum does, loaded when it is first called.
-- @module torch.functions.einsum
local th = require 'torch.ffi'
local shapes = require 'torch.functions.shapes'
local blas = require('torch.functions.blas').functions

local raise = th.raise
local isTensor, badArguments = th.isTensor, th.badArguments

-- --- the equation -------------------------------------------------------------------------------

local function refuse(equation, problem)
   raise(('einsum: %s in %q; an equation is like "ij,jk->ik"'):format(problem, equation))
end

-- Labels of one term: a letter each; the dimensions of '...' are '.1' (the last), '.2', and so on.
local function readTerm(equation, term, rank)
   local before, after = term:match '^(%a*)%.%.%.(%a*)$'
   if not before then
      before, after = term:match '^(%a*)$', nil
      if not before then
         refuse(equation, ('term "%s" is not made of letters'):format(term))
      end
   end
   local labels = {}
   for letter in before:gmatch '.' do
      labels[#labels + 1] = letter
   end
   if after then
      for i = rank - #before - #after, 1, -1 do
         labels[#labels + 1] = '.' .. i
      end
      for letter in after:gmatch '.' do
         labels[#labels + 1] = letter
      end
   end
   return labels
end

-- Without '->': the dimensions of '...', then the letters that occur once, in alphabetical order.
local function implicitOutput(terms)
   local count, letters, dots = {}, {}, 0
   for _, labels in ipairs(terms) do
      for _, label in ipairs(labels) do
         count[label] = (count[label] or 0) + 1
         if label:sub(1, 1) == '.' then
            dots = math.max(dots, tonumber(label:sub(2)))
         end
      end
   end
   for label, n in pairs(count) do
      if n == 1 and label:sub(1, 1) ~= '.' then
         letters[#letters + 1] = label
      end
   end
   table.sort(letters)
   local output = {}
   for i = dots, 1, -1 do
      output[#output + 1] = '.' .. i
   end
   for _, letter in ipairs(letters) do
      output[#output + 1] = letter
   end
   return output, dots
end

local function split(text)
   local terms = {}
   for term in (text .. ','):gmatch '([^,]*),' do
      terms[#terms + 1] = term
   end
   return terms
end

-- @return labels per operand, labels of the output
local function parse(equation, operands)
   local text = equation:gsub('%s', '')
   local left, right = text:match '^(.-)%->(.*)$'
   local texts = split(left or text)
   if #texts ~= #operands then
      refuse(equation, ('%d terms for %d tensors'):format(#texts, #operands))
   end
   local terms = {}
   for i, term in ipairs(texts) do
      terms[i] = readTerm(equation, term, operands[i].ndim)
      if #terms[i] ~= operands[i].ndim then
         raise(('einsum: term "%s" has %d indices, tensor %d is %s'):format(
            term, #terms[i], i, shapes.text(operands[i])))
      end
   end
   local output, dots = implicitOutput(terms)
   if right then
      local _, letters = right:gsub('%a', '')
      output = readTerm(equation, right, letters + dots)
   end
   return terms, output
end

-- Sizes by label. A size of 1 in the dimensions of '...' stands for any.
local function readSizes(equation, operands, terms, output)
   local sizes, owner = {}, {}
   for i, labels in ipairs(terms) do
      for d, label in ipairs(labels) do
         local size = tonumber(operands[i].sizes[d - 1])
         local known = sizes[label]
         local free = label:sub(1, 1) == '.'
         if known == nil or (free and known == 1) then
            sizes[label], owner[label] = size, i
         elseif size ~= known and not (free and size == 1) then
            raise(('einsum: index %s is %d in tensor %d (%s) and %d in tensor %d (%s)'):format(
               label, known, owner[label], shapes.text(operands[owner[label]]), size, i,
               shapes.text(operands[i])))
         end
      end
   end
   local seen = {}
   for _, label in ipairs(output) do
      if not sizes[label] then
         refuse(equation, ('index %s of the result is in no term'):format(label))
      elseif seen[label] then
         refuse(equation, ('index %s comes twice in the result'):format(label))
      end
      seen[label] = true
   end
   return sizes
end

-- --- one operand --------------------------------------------------------------------------------

-- The dimensions d and at < d as one, of their diagonal: of both together every n + 1st element.
local function diagonal(t, at, d)
   local order, sizes = {}, {}
   for k = 1, t:dim() do
      if k ~= d then
         order[#order + 1] = k
         sizes[#sizes + 1] = k == at and t:size(k) ^ 2 or t:size(k)
      end
   end
   table.insert(order, at + 1, d)
   local step = t:size(d) + 1
   t = t:permute(unpack(order)):contiguous():view(unpack(sizes)):unfold(at, 1, step)
   return t:select(t:dim(), 1)
end

-- A label that comes again means the diagonal.
local function diagonals(t, labels)
   local place, kept = {}, {}
   for _, label in ipairs(labels) do
      if place[label] then
         t = diagonal(t, place[label], #kept + 1)
      else
         kept[#kept + 1] = label
         place[label] = #kept
      end
   end
   return t, kept
end

-- Sum over the labels that nothing else needs.
local function sumAway(t, labels, needed)
   local kept = {}
   for d = #labels, 1, -1 do
      if needed[labels[d]] then
         table.insert(kept, 1, labels[d])
      elseif t.ndim == 1 then -- a sum over everything stays a tensor of one element
         t = t:sum(1)
      else
         t = t:sum(d):select(d, 1)
      end
   end
   return t, kept
end

-- --- two operands -------------------------------------------------------------------------------

local function concatenated(...)
   local all = {}
   for i = 1, select('#', ...) do
      for _, label in ipairs((select(i, ...))) do
         all[#all + 1] = label
      end
   end
   return all
end

-- The tensor with its dimensions in the order of the labels. Those it lacks get size 1; a tensor
-- without labels is one element.
local function arranged(t, labels, order)
   local at = {}
   for d, label in ipairs(labels) do
      at[label] = d
   end
   local n, places, missing = #labels, {}, {}
   for d, label in ipairs(order) do
      if at[label] then
         places[#places + 1] = at[label]
      else
         missing[#missing + 1] = d
      end
   end
   if n > 1 then
      t = t:permute(unpack(places))
   end
   for i, d in ipairs(missing) do
      if n > 0 or i > 1 then -- without labels, the one dimension is there already
         t = t:unsqueeze(d)
      end
   end
   return t
end

local function sizesOf(labels, sizes)
   local list = {}
   for d, label in ipairs(labels) do
      list[d] = sizes[label]
   end
   return list
end

local function product(sizes, labels)
   local count = 1
   for _, label in ipairs(labels) do
      count = count * sizes[label]
   end
   return count
end

-- Groups of labels merged into one dimension each. Dimensions of one label each need no copy.
local function merged(t, labels, sizes, groups)
   t = arranged(t, labels, concatenated(unpack(groups)))
   local single, counts, order = true, {}, concatenated(unpack(groups))
   for i, group in ipairs(groups) do
      single = single and #group == 1
      counts[i] = product(sizes, group)
   end
   if #order > 0 then -- '...' of size 1 grows here
      t = shapes.expand(t, sizesOf(order, sizes))
   end
   if single then
      return t
   end
   return t:contiguous():view(unpack(counts))
end

-- Product of two operands, summed over what only the two need.
local function contract(a, aLabels, b, bLabels, sizes, needed)
   local inA, inB = {}, {}
   for _, label in ipairs(aLabels) do
      inA[label] = true
   end
   for _, label in ipairs(bLabels) do
      inB[label] = true
   end
   local batch, contracted, freeA, freeB = {}, {}, {}, {}
   for _, label in ipairs(aLabels) do
      local group = not inB[label] and freeA or needed[label] and batch or contracted
      group[#group + 1] = label
   end
   for _, label in ipairs(bLabels) do
      if not inA[label] then
         freeB[#freeB + 1] = label
      end
   end
   local result = concatenated(batch, freeA, freeB)
   local shape = #result > 0 and sizesOf(result, sizes) or { 1 }
   if #contracted == 0 then -- element by element
      local x = shapes.expand(arranged(a, aLabels, result), shape)
      local y = shapes.expand(arranged(b, bLabels, result), shape)
      return th.like(a):cmul(x, y), result
   end
   local r
   if #batch == 0 then
      r = blas.mm(merged(a, aLabels, sizes, { freeA, contracted }),
         merged(b, bLabels, sizes, { contracted, freeB }))
   else
      r = blas.bmm(merged(a, aLabels, sizes, { batch, freeA, contracted }),
         merged(b, bLabels, sizes, { batch, contracted, freeB }))
   end
   return r:view(unpack(shape)), result
end

-- --- all ----------------------------------------------------------------------------------------

return function(equation, ...)
   local operands = type((...)) == 'table' and (...) or { ... }
   if type(equation) ~= 'string' or #operands == 0 then
      badArguments('einsum', 'string T...', 2, equation, operands[1])
   end
   for i = 1, #operands do
      if not isTensor(operands[i]) then
         badArguments('einsum', 'string T...', 2, equation, operands[i])
      end
   end
   local terms, output = parse(equation, operands)
   local sizes = readSizes(equation, operands, terms, output)
   -- How many of the result and the terms to come need a label.
   local uses = {}
   local function count(labels, step)
      local seen = {}
      for _, label in ipairs(labels) do
         if not seen[label] then
            seen[label] = true
            uses[label] = (uses[label] or 0) + step
         end
      end
   end
   local function stillNeeded()
      local needed = {}
      for label, n in pairs(uses) do
         needed[label] = n > 0
      end
      return needed
   end
   count(output, 1)
   for _, labels in ipairs(terms) do
      count(labels, 1)
   end

   local r, labels
   for i, operand in ipairs(operands) do
      count(terms[i], -1)
      local t, own = diagonals(operand, terms[i])
      local needed = stillNeeded()
      for _, label in ipairs(labels or {}) do
         needed[label] = true -- by the product so far
      end
      t, own = sumAway(t, own, needed)
      if not r then
         r, labels = t, own
      else
         r, labels = contract(r, labels, t, own, sizes, stillNeeded())
         r, labels = sumAway(r, labels, stillNeeded())
      end
   end
   if #output == 0 then -- what is recorded stays a tensor: a number of Lua's has no gradient
      return r:isVariable() and r:clone() or r:item()
   end
   r = shapes.expand(arranged(r, labels, output), sizesOf(output, sizes))
   return r:clone() -- compact, and never a view of an operand
end
