--- What to do about common mistakes: a sentence for a message.
-- @module trepl.failure.advice
local abroad = require 'trepl.failure.abroad'
local elsewhere = require 'trepl.failure.elsewhere'

local M = {}

local broadcasting = 'torch.broadcast(true) lets sizes stretch, as NumPy does'

-- Pattern of a message -> advice; `unless`: what it must not have. What tensors' operators and
-- indexes refuse says it by itself.
local sentences = {
   { '^c?%a+: inconsistent tensor size:',
      'y:expandAs(x) stretches y to the sizes of x; ' .. broadcasting },
   { 'dimension %-%d+ out of range', 'with torch.broadcast(true) -1 is the last' },
   { '^mm: invalid arguments: %a+ %a+$',
      'the product of x and y: torch.mm(x, y); x:mm(y, z) writes that of y and z into x' },
   { '^mv: invalid arguments: %a+ %a+$',
      'the product of x and y: torch.mv(x, y); x:mv(y, z) writes that of y and z into x' },
   { '^bmm: invalid arguments: %a+ %a+$',
      'the products of x and y: torch.bmm(x, y); x:bmm(y, z) writes those of y and z into x' },
   { '^mul: invalid arguments: %a+Tensor %a+Tensor',
      'element by element: torch.cmul(x, y), in place x:cmul(y); of matrices: x * y' },
   { '^div: invalid arguments: %a+Tensor %a+Tensor',
      'element by element: torch.cdiv(x, y), in place x:cdiv(y)' },
   { '^pow: invalid arguments: %a+Tensor %a+Tensor',
      'element by element: torch.cpow(x, y), in place x:cpow(y)' },
   { '^the class torch%.%a+Tensor cannot be indexed',
      'a tensor has elements and methods, no fields of its own: keep both in a table, '
         .. 't = { data = x, name = "x" }' },
   { '^torch%.save: expected a file name, got',
      "the file's name comes first: torch.save(name, net)" },
   { '^threads: thread %d+: .*%f[%w]nil%f[%W]', 'threads have none of the globals here: a job has '
      .. 'the locals outside it that it uses, and what addjob(job, callback, ...) is given; '
      .. 'Threads(n, function() ... end) runs that on each thread first' },
   { "'for' limit must be a number",
      '#x of a tensor is the list of its sizes: for i = 1, x:size(1), of a table for i = 1, #t' },
   { 'a storage is not callable', 'sizes are a list and no function: x:size(1) is the first' },
   { 'no such operation between .*string', 'tostring(x) is a text, which .. joins; '
      .. 'tonumber(text) is a number' },
   { 'the model has no parameters to train', "layers in a class's fields are not found by "
      .. 'themselves: its parent is nn.Container, and self:add(layer) takes each' },
   { 'attempt to concatenate', 'tostring(x) makes a text of any value', unless = 'a nil value' },
   { 'arithmetic on .*a string value', "texts are joined by ..: 'a' .. 'b'; tonumber(text) is a "
      .. 'number' },
   { '^must derive from a table type', "classes are torch's: local Net, parent = "
      .. "torch.class('Net', 'nn.Module')" },
   { '^stack: invalid arguments: %a+ %a+$', 'tensors are given in a table: torch.stack { x, y }' },
   { 'attempt to compare number with string', 'tonumber(text) is a number' },
   { 'attempt to compare string with number', 'tonumber(text) is a number' },
   { 'attempt to compare boolean with number', 'a < b < c is a < b and b < c' },
   { 'attempt to compare number with boolean', 'a < b < c is a < b and b < c' },
   { 'number expected, got cdata', 'a tensor is no number: x:item() is that of one element, as of '
      .. 'a loss; x[1] or x:sum() is one of more elements, of a Variable with :item() behind it; '
      .. 'tostring(x) is its text' },
   { '^loop or previous error loading module', 'an earlier require of it failed: that error tells '
      .. 'why' },
   { 'attempt to compare number with nil', 'one of the two is nil: print both before this line' },
   { 'attempt to compare %a+ with %a+',
      'x:size(1) and x[i] are numbers; lists and functions have no order' },
   { "no '__i?pairs' metamethod",
      'for i = 1, x:size(1) do local row = x[i] ... end goes through the rows' },
   { '^a torch%.%a+Tensor cannot be called',
      'elements are x[{ 1, 2 }]; for i = 1, x:size(1) do local row = x[i] ... end goes through '
         .. 'rows' },
   { 'arithmetic on .*a storage',
      'x:size() is the list of sizes: x:size(1) is a number, x:nElement() the product' },
   { '^fill: invalid arguments: %a+ %a+Tensor',
      'a number is wanted: y:item(), y[1] or y:sum() is one; x:copy(y) takes the elements of a '
         .. 'tensor' },
   { 'a dimension must be a number, got table', 'dimensions are plain arguments: x:permute(2, 1)' },
   { "require 'cutorch' first", "with and without CUDA: if pcall(require, 'cutorch') then "
      .. 'x = x:cuda() end; th --doctor says whether there is CUDA' },
   { 'invalid arguments: .*%f[%w]table', 'torch.Tensor(t) makes a tensor of a table of numbers, '
      .. 'torch.LongTensor(t) one of positions' },
   { 'can only assign a number or a tensor, got table',
      'torch.Tensor(t) makes a tensor of a table of numbers' },
   { 'no such operation between .*%f[%w]table',
      'torch.Tensor(t) makes a tensor of a table of numbers' },
   { 'the tensor of positions is a %a+, wanted a LongTensor', 'positions:long() converts it' },
   { "module '[%w_/.]+%.lua' not found",
      "require 'name' is without .lua; a file beside this one is require './name'" },
   { '^class .- has been already assigned a factory', 'a class is made once: choose another name, '
      .. 'or go on with function Name:method() ... end' },
}

--- Patterns of messages, and advice.
M.sentences = sentences

local function product(sizes)
   local count = 1
   for size in sizes:gmatch '%-?%d+' do
      count = count * (size == '-1' and 1 or tonumber(size))
   end
   return count
end

-- Of sizes such as 2x3 and -1x5, which have different numbers of elements.
local function counts(from, to)
   local all, wanted = product(from), product(to)
   return to:find('-1', 1, true) and ('%d elements are no multiple of %d'):format(all, wanted)
      or ('there are %d elements, and %s would have %d'):format(all, to, wanted)
end

--- @param message string, without the position in front
-- @return sentence, or nil
function M.for_message(message)
   local first_line = message:match '^[^\n]*'
   local from, to = first_line:match 'Wrong size for view%. Input size: (%S+)%. Output size: (%S+)'
   if from then
      return counts(from, to)
   end
   for _, row in ipairs(sentences) do
      if first_line:find(row[1]) and not (row.unless and first_line:find(row.unless)) then
         return row[2]
      end
   end
end

--- Names elsewhere, and ours.
M.elsewhere = elsewhere

--- What is called `name` elsewhere.
-- @param has optional: function(name) that says whether the owner has a field
function M.for_name(name, has)
   if elsewhere[name] or not has then
      return elsewhere[name]
   end
   local stem = name:match '^(.*%w)_$' -- PyTorch's mark of what works in place
   if stem and has(stem) then
      return ('x:%s(...), which works in place'):format(stem)
   end
end

--- About a module or a shared library that is not installed.
function M.for_missing(message)
   local module = message:match "module '([%w_.]+)' not found"
   local inner = module and module:match '^torch%.([%w_]+)'
   for _, name in ipairs(module and require('torch.doctor.packages').ours or {}) do
      if inner == name then
         return ("%s is a package of its own: require '%s'"):format(name, name)
      elseif name ~= 'torch' and module:sub(1, #name + 1) == name .. '.'
         and package.searchpath(name, package.path) then
         return ("there is no such module in %s; what it has comes with require '%s'"):format(name,
            name)
      elseif module == name or module:sub(1, #name + 1) == name .. '.' and name ~= 'torch' then
         return ('%s is not installed; its rock, %s'):format(name,
            require('torch.doctor.packages').source { name })
      end
   end
   return require('torch.doctor.debian').remedy(message)
      or abroad.all[module] and 'here: ' .. abroad.all[module]
end

return M
