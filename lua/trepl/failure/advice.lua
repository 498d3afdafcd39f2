--- What to do about common mistakes: a sentence for a message.
-- @module trepl.failure.advice
local elsewhere = require 'trepl.failure.elsewhere'

local M = {}

local broadcasting = 'torch.broadcast(true) lets sizes stretch, as NumPy does'

-- Pattern of a message -> advice. What tensors' operators and indexes refuse says it by itself.
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
   { "'for' limit must be a number",
      '#x of a tensor is the list of its sizes: for i = 1, x:size(1)' },
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

--- @param message string, without the position in front
-- @return sentence, or nil
function M.for_message(message)
   local first_line = message:match '^[^\n]*'
   for _, row in ipairs(sentences) do
      if first_line:find(row[1]) then
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

--- Globals of Python's, and what does the same here.
local abroad = {
   np = 'NumPy: torch.* has most of it, npy its files',
   numpy = 'NumPy: torch.* has most of it, npy its files',
   plt = "pictures of numbers are gnuplot's: gnuplot.plot(x, y)",
   F = 'functions are layers here, as nn.ReLU():forward(x), or of torch, as torch.relu(x)',
   torchvision = "pictures are image's: image.load(path), image.scale(x, width, height)",
   cv2 = "pictures are image's: image.load(path), image.scale(x, width, height)",
   Image = "pictures are image's: image.load(path), image.scale(x, width, height)",
   tf = "nets are nn's: nn.Sequential():add(nn.Linear(4, 2))",
   keras = "nets are nn's: nn.Sequential():add(nn.Linear(4, 2))",
   range = 'for i = 1, n do ... end counts; torch.range(1, n) is a tensor',
   len = '#list; of tensors x:size(1)',
   list = 'x:totable(), of a tensor; { 1, 2 } is a list',
   str = 'tostring(x)',
   int = 'math.floor(x)',
   float = 'tonumber(text)',
   abs = 'math.abs(x), of tensors torch.abs(x)',
   max = 'math.max(a, b), of tensors x:max()',
   min = 'math.min(a, b), of tensors x:min()',
   sum = 'x:sum(), of a tensor',
   zip = 'for i = 1, #a do local x, y = a[i], b[i] ... end',
   enumerate = 'for i, v in ipairs(list) do ... end',
   open = "io.open(path, 'r')",
   isinstance = "torch.isTypeOf(x, 'nn.Linear')",
}
M.abroad = abroad

-- Packages that are no part of ours, by the globals that stand for them.
local foreign = { tnt = 'torchnet', moses = 'moses', argcheck = 'argcheck', dp = 'dp',
   rnn = 'rnn', dpnn = 'dpnn', autograd = 'autograd', hdf5 = 'hdf5', image = 'image',
   threads = 'threads', tds = 'tds', gnuplot = 'gnuplot', cjson = 'cjson' }

-- Penlight's modules that its `require 'pl'` makes globals.
local penlight = {}
for name in ([[lapp stringx tablex path dir text pretty utils file data func seq List Map Set
   OrderedMap MultiMap Date class app template sip lexer]]):gmatch '%S+' do
   penlight[name] = true
end

--- About a module or a shared library that is not installed.
function M.for_missing(message)
   local module = message:match "module '([%w_.]+)' not found"
   local inner = module and module:match '^torch%.([%w_]+)'
   for _, name in ipairs(module and require('torch.doctor.packages').ours or {}) do
      if inner == name then
         return ("%s is a package of its own: require '%s'"):format(name, name)
      elseif module == name or module:sub(1, #name + 1) == name .. '.' and name ~= 'torch' then
         return ('%s is not installed; its rock, %s'):format(name,
            require('torch.doctor.packages').source { name })
      end
   end
   return require('torch.doctor.debian').remedy(message)
      or abroad[module] and 'here: ' .. abroad[module]
end

--- About a global that is nil.
function M.for_global(name)
   if package.searchpath(name, package.path) or package.searchpath(name, package.cpath) then
      return ("%s is a package: begin with %s = require '%s'"):format(name, name, name)
   elseif abroad[name] then
      return 'here: ' .. abroad[name]
   elseif penlight[name] and not package.searchpath('pl.' .. name, package.path) then
      return ("%s is Penlight's, which is not installed (Debian: apt install lua-penlight)"):format(
         name)
   elseif foreign[name] then
      return ("%s is a package that is not installed; with it, begin with local %s = require '%s'")
         :format(foreign[name], name, foreign[name])
   end
end

return M
