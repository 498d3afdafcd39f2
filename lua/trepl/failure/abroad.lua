--- Globals of Python's and of its libraries, and what does the same here.
-- @module trepl.failure.abroad
local M = {}

local PICTURES = "pictures are image's: image.load(path), image.scale(x, width, height)"
local NETS = "nets are nn's: nn.Sequential():add(nn.Linear(4, 2))"
local LEAVE = 'os.exit(); the prompt is left by exit, or Ctrl-D'
local TABLES = "CSV: require('torch.dataset').readCsv(path)"

--- Modules and constants.
M.values = {
   np = 'NumPy: torch.* has most of it, npy its files',
   numpy = 'NumPy: torch.* has most of it, npy its files',
   plt = "pictures of numbers are gnuplot's: gnuplot.plot(x, y)",
   matplotlib = "pictures of numbers are gnuplot's: gnuplot.plot(x, y)",
   F = 'functions are layers here, as nn.ReLU():forward(x), or of torch, as torch.relu(x)',
   torchvision = PICTURES, cv2 = PICTURES, Image = PICTURES, PIL = PICTURES,
   tf = NETS, keras = NETS, pd = TABLES, pandas = TABLES,
   json = "require 'cjson', and cjson.decode(text)",
   pickle = 'torch.save(path, value), torch.load(path)',
   random = 'torch.uniform(), torch.random(1, 6), torch.randperm(n)',
   time = 'sys.clock() is in seconds, os.date() a text',
   argparse = 'torch.CmdLine',
   tqdm = 'xlua.progress(i, n)',
   True = 'true', False = 'false', None = 'nil', null = 'nil', undefined = 'nil', NULL = 'nil',
   ls = '$ ls', pwd = '$ pwd', clear = '$ clear',
   this = 'self, in a method that is defined with a colon: function Name:method() ... end',
   self = 'the object, in methods that are defined with a colon: function Name:method() ... end',
}

--- Functions.
M.functions = {
   range = 'for i = 1, n do ... end counts; torch.range(1, n) is a tensor',
   len = '#list; of tensors x:size(1)',
   list = 'x:totable(), of a tensor; { 1, 2 } is a list',
   dict = '{ name = value }', tuple = '{ 1, 2 }',
   str = 'tostring(x)', repr = 'tostring(x)',
   int = 'math.floor(x)', round = 'math.floor(x + 0.5), of tensors torch.round(x)',
   float = 'tonumber(text)',
   abs = 'math.abs(x), of tensors torch.abs(x)',
   max = 'math.max(a, b), of tensors x:max()',
   min = 'math.min(a, b), of tensors x:min()',
   sum = 'x:sum(), of a tensor',
   pow = 'a ^ b, of tensors torch.pow(x, n)',
   any = 'mask:any()', all = 'mask:all()',
   sorted = 'table.sort(list), in place; of tensors torch.sort(x)',
   reversed = 'for i = #list, 1, -1 do ... end',
   zip = 'for i = 1, #a do local x, y = a[i], b[i] ... end',
   enumerate = 'for i, v in ipairs(list) do ... end',
   open = "io.open(path, 'r')", input = 'io.read()', exit = LEAVE, quit = LEAVE,
   printf = "io.write(('%d'):format(n))", sprintf = "('%d'):format(n)",
   isinstance = "torch.isTypeOf(x, 'nn.Linear')",
   issubclass = "torch.isTypeOf(x, 'nn.Linear')",
   hasattr = 't.name ~= nil', getattr = 't[name]', setattr = 't[name] = value',
   super = "local Name, parent = torch.class('Name', 'nn.Module'), and parent.__init(self)",
   deepcopy = 'x:clone()', callable = "type(f) == 'function'",
   join = 'table.concat(list, separator)', split = 'text:split(separator)',
}

--- Both in one.
M.all = {}
for _, texts in ipairs { M.values, M.functions } do
   for name, text in pairs(texts) do
      M.all[name] = text
   end
end

return M
