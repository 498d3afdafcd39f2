--- A name that its owner does not have, but another has: a method of tensors asked of torch, a
-- module of a package that was not required, a layer's weight asked of the net.
-- @module trepl.failure.owners
local class = require 'torch.class'
local registry = require 'torch.class.registry'
local members = require 'trepl.members'
local source = require 'trepl.failure.source'

local M = {}

local function method_of_tensors(name)
   local methods = class.getmetatable 'torch.DoubleTensor'
   return type(rawget(methods, name)) == 'function' and not name:find '^__'
end

-- A module that gives something: others put it into their package. Its text tells, for to run it
-- may change things: the package's own `init` would make the package anew.
local function module_of(package_name, name)
   local path = package_name .. '.' .. name
   local file = name ~= 'init' and package.searchpath(path, package.path)
   return file and source.whole(nil, file):find '\nreturn ' and path or nil
end

-- Whether a package has such a name but for capital letters: nn.linear.
local function member_like(package_name, name)
   for key in pairs(package.loaded[package_name]) do
      if type(key) == 'string' and key:lower() == name:lower() then
         return true
      end
   end
   return false
end

-- By which name `require` knows a table.
local function package_name(value)
   for name, loaded in pairs(package.loaded) do
      if loaded == value and type(name) == 'string' and name ~= '_G' then
         return name
      end
   end
end

--- What packages have by another name than one would think: by names that mean something elsewhere.
M.others = {
   image = { resize = 'image.scale(x, width, height)', open = 'image.load(path)',
      read = 'image.load(path)', write = 'image.save(path, x)', show = 'image.display(x)' },
   npy = { read = 'npy.load(path)', write = 'npy.save(path, x)' },
   onnx = { load = 'onnx.import(path)', save = 'onnx.export(path, net, options)' },
   torch = { sub = 'torch.csub(x, y)', size = 'x:size()', nn = "nn, after require 'nn'",
      optim = "optim, after require 'optim'",
      utils = "require('torch.dataset').Loader(options)",
      cuda = "cutorch, after require 'cutorch', which is an error where there is no GPU" },
   optim = { step = 'optim.sgd(opfunc, x, config)' },
   nn = { load = 'torch.load(path)', save = 'torch.save(path, net)' },
   gnuplot = { show = 'gnuplot.plot(x, y), which shows it at once' },
   os = { path = 'paths.concat(folder, name), paths.filep(name), paths.basename(name)',
      listdir = 'paths.dir(folder)', makedirs = 'paths.mkdir(folder)',
      mkdir = 'paths.mkdir(folder)',
      getcwd = 'paths.cwd()', environ = 'os.getenv(name)', system = 'os.execute(command)' },
   math = { inf = 'math.huge', nan = '0 / 0', round = 'math.floor(x + 0.5)', e = 'math.exp(1)',
      isnan = 'x ~= x', prod = 'torch.prod(x), of a tensor', sum = 'x:sum(), of a tensor' },
   table = { append = 'table.insert(list, x)', push = 'table.insert(list, x)',
      pop = 'table.remove(list)', join = 'table.concat(list, separator)', unpack = 'unpack(list)',
      length = '#list' },
   string = { join = 'table.concat(list, separator)', trim = "s:match '^%s*(.-)%s*$'" },
   io = { input_line = 'io.read()', readline = 'io.read()', print = 'print(x), io.write(x)' },
}

-- Methods that texts, tables and tensors have in Python.
local OF_TEXTS = {
   strip = "s:match '^%s*(.-)%s*$'", trim = "s:match '^%s*(.-)%s*$'",
   join = 'table.concat(list, separator)', replace = "s:gsub('old', 'new')",
   startswith = "s:find '^start'", endswith = "s:find 'ending$'", upper = 's:upper()',
   splitlines = "s:split '\\n'", length = '#s', isdigit = "s:find '^%d+$'",
   contains = 's:find(t, 1, true)', append = 's .. t', encode = 's: a text is bytes',
   decode = 's: a text is bytes',
}
local OF_TABLES = {
   append = 't[#t + 1] = x, or table.insert(t, x)', push = 'table.insert(t, x)',
   extend = 'for _, x in ipairs(other) do table.insert(t, x) end', insert = 'table.insert(t, i, x)',
   pop = 'table.remove(t)', remove = 'table.remove(t, i)', keys = 'for key in pairs(t) do ... end',
   items = 'for key, value in pairs(t) do ... end', values = 'for _, value in pairs(t) do ... end',
   length = '#t', concat = 'table.concat(t, separator)', join = 'table.concat(t, separator)',
   sort = 'table.sort(t)', get = 't[key] or default', update = 'for key, value in pairs(other) do '
      .. 't[key] = value end',
}
local OF_TENSORS = { append = 'torch.cat({ x, y }, 1)', extend = 'torch.cat({ x, y }, 1)',
   len = 'x:size(1), x:nElement()', length = 'x:size(1), x:nElement()', print = 'print(x)' }
local OF_LAYERS = { save = 'torch.save(path, net)', load = 'torch.load(path)', copy = 'net:clone()',
   summary = 'print(net)', predict = 'net:forward(x)', layers = 'net.modules, net:get(i)' }

-- Such a method with the name of what it is asked of in its place.
local function of_kind(methods, name, owner, letter)
   local text = methods[name]
   if text and owner and owner:find '^[%a_][%w_]*$' then
      text = text:gsub('%f[%w_]' .. letter .. '%f[^%w_]', owner)
   end
   return text and 'here it is ' .. text
end

-- Fields of the struct that a tensor is: the core's own numbers and pointers, which a script sees
-- because LuaJIT looks there before it asks a class.
local INSIDES = {
   dtype = 'x:type(), which gives the name', device_type = 'x:type()',
   device = 'x:type(), which gives the name; of a CUDA tensor x:getDevice() is the number',
   sizes = 'x:size()', strides = 'x:stride()', offset = 'x:storageOffset()', store = 'x:storage()',
   gradient = 'x:isVariable()', flags = 'x:isVariable()', is_view = 'x:storage()',
}

--- What to say of a field that is the core's, or the method data, of what is known for a tensor.
-- @param name string
-- @param owner string: the expression before it
-- @return sentence, or nil
function M.field(name, owner)
   local about = INSIDES[name] and ("x.%s is the core's own; ask %s"):format(name, INSIDES[name])
      or name == 'data' and 'x.data is a method, and its value a function: x:detach() is the '
         .. 'tensor without its record, x:data() the pointer'
   return about and about:gsub('%f[%w]x([.:])', function(mark)
      return owner .. mark
   end) or nil
end

--- What to say of a tensor's field that is the core's.
-- @param name string
-- @param owner string: the expression before it
-- @param value of the expression
-- @return sentence, or nil
function M.inside(name, owner, value)
   return class.isTensor(value) and M.field(name, owner) or nil
end

-- What a package puts into another one: owner and name -> package.
local MAKERS = { ['nn.gModule'] = 'nngraph', ['nn.DataParallelTable'] = 'cunn' }

local function of_package(package_of, name)
   local maker = MAKERS[package_of .. '.' .. name]
   if maker then
      return ("require '%s' makes it"):format(maker)
   end
   local other = M.others[package_of] and M.others[package_of][name]
   if other then
      return 'here it is ' .. other
   elseif package_of == 'torch' and method_of_tensors(name) then
      return ('it is a method of tensors: x:%s(...)'):format(name)
   elseif package_of == 'torch' and name:find '^Cuda%a*Tensor$' then
      return "require 'cutorch' makes it"
   end
   local module = not member_like(package_of, name) and module_of(package_of, name)
   return module and ("%s is a module of its own: local %s = require '%s'"):format(module, name,
      module)
end

local LEARNT = { weight = true, bias = true, gradWeight = true, gradBias = true }

-- What iterators of other libraries have.
local STEPS = { next = true, iter = true, __iter__ = true, __next__ = true, batches = true }

local function of_object(typename, name, owner, value)
   local layer = name == 'grad' and owner and owner:match '^(.*)%.weight$'
   if layer then
      return ("a layer's is %s.gradWeight"):format(layer)
   elseif typename:find '^torch%.%a+Tensor$' and name == 'grad' then
      return 'it is nil until backward has come to x:requiresGrad()'
   elseif typename:find '^torch%.%a+Tensor$' and OF_TENSORS[name] then
      return of_kind(OF_TENSORS, name, owner, 'x')
   elseif typename:find '^torch%.%a+Tensor$' then
      local torch = package.loaded.torch
      return type(rawget(torch, name)) == 'function'
         and ('it is a function: torch.%s(...)'):format(name)
   elseif typename == 'dataset.Loader' and STEPS[name] then
      return ('batches come in a loop: for batch in %s() do ... end'):format(owner or 'loader')
   elseif OF_LAYERS[name] and class.isTypeOf(value, 'nn.Module') then
      return of_kind(OF_LAYERS, name, owner, 'net')
   elseif LEARNT[name] and class.isTypeOf(value, 'nn.Container') then
      return ('its layers have one: %s:get(1).%s; %s:getParameters() gives all as one'):format(
         owner or 'net', name, owner or 'net')
   end
end

-- A list where one of its entries, or a tensor, was meant. What is only read, as opt.max, is the
-- script's own name for something that is not there.
local function of_table(name, owner, value, called)
   local first = rawget(value, 1)
   if first ~= nil and members.get(first, name) ~= nil and class.typename(first) then
      return ('%s is a table of %d, the first a %s: %s[1]:%s(...)'):format(owner, #value,
         class.typename(first), owner, name)
   elseif called and OF_TABLES[name] then
      return of_kind(OF_TABLES, name, owner, 't')
   elseif called and (type(first) == 'number' or type(first) == 'table')
      and method_of_tensors(name) then
      return ('%s is a table and no tensor: torch.Tensor(%s) makes one of numbers'):format(owner,
         owner)
   end
end

--- Whether a value is a table of a script's own, no package and nothing of a class.
function M.is_plain(value)
   return type(value) == 'table' and not class.typename(value) and not registry.names[value]
      and not registry.constructors[value] and not package_name(value)
end

--- What the name may mean.
-- @string name that does not exist
-- @param owner string: the expression before it
-- @param value of the expression
-- @bool[opt] called whether it is called
-- @return sentence, or nil
function M.about(name, owner, value, called)
   local typename = class.typename(value)
   if typename then
      return of_object(typename, name, owner, value) or nil
   elseif type(value) == 'string' then
      return of_kind(OF_TEXTS, name, owner, 's')
   elseif type(value) ~= 'table' then
      return nil
   end
   local package_of = package_name(value)
   if package_of then
      return of_package(package_of, name) or nil
   end
   return owner and of_table(name, owner, value, called) or nil
end

return M
