--- Tensors, their types and operations, files and helpers: the package torch.
--
-- `t:f` is a method of every type of tensor; what is called torch.f is one as well, as a rule.
-- Requiring torch also defines the globals `torch`, `paths` and `include`.
-- @module torch
require 'torch.traversal' -- before anything that loops
local errors = require 'torch.errors'
errors.library()

local torch = {}
rawset(_G, 'torch', torch)

local class = require 'torch.class'
class.install(torch)

local th = require 'torch.ffi'
local types = require 'torch.types'
local packages = require 'torch.packages'
require 'paths'

require 'torch.Storage'
--- The class of Torch7's C allocators, which scripts cannot make: cutorch.CudaHostAllocator is one.
-- @type torch.Allocator
class.newmetatable 'torch.Allocator'
local Tensors = require 'torch.Tensor'

local modules = {}
for _, name in ipairs {
   'functions.view', 'functions.fill', 'functions.pointwise', 'functions.reduce', 'functions.pick',
   'functions.blas', 'functions.linalg', 'functions.geometry', 'functions.signal',
   'functions.random', 'functions.alias', 'functions.convert', 'functions.elements', 'tensor.print',
   'functions.compose', 'functions.broadcast', 'calls', 'functions.elsewhere', 'variables',
   'fuse',
} do
   modules[#modules + 1] = require('torch.' .. name)
end

--- The rows of lib/TH/ops that became methods: name, family, dtypes, formula, parameters (name and
-- role of each: 'in', 'out', 'inout', 'number', ...). Every other operation: torch.signatures.
torch.ops = require('torch.operations').rows

for _, module in ipairs(modules) do
   for name, f in pairs(module.functions) do
      torch[name] = f
   end
end

--- Put every method into a class of tensors.
function Tensors.equip(methods)
   for _, module in ipairs(modules) do
      for name, f in pairs(module.methods) do
         methods[name] = f
      end
   end
   methods.isTensor = torch.isTensor
   methods.torch = torch
end

local serializeTensor = require 'torch.serialize.tensor'
for dtype in pairs(types.names) do
   Tensors.equip(types.tensors[dtype])
   types.storages[dtype].__tostring__ = require('torch.tensor.print').storageText
   serializeTensor.install(types.tensors[dtype], types.storages[dtype])
end

require('torch.serialize').install(torch)
torch.Timer, torch.TestSuite = require 'torch.Timer', require 'torch.tester.TestSuite'
class.defer('torch.CmdLine', 'torch.CmdLine')
class.defer('torch.Tester', 'torch.tester.Tester')
class.defer('torch.Fused', 'torch.fuse.Fused')
torch.profiler = require 'torch.profiler'

torch.setdefaulttensortype 'torch.DoubleTensor'

-- --- the process --------------------------------------------------------------------------------

--- Threads that operations may use.
-- @usage torch.setnumthreads(n)
function torch.setnumthreads(n)
   n = th.numeric(n) or n
   if type(n) ~= 'number' then
      errors.raise(('setnumthreads: expected a number, got %s'):format(class.type(n)))
   end
   th.check(th.C.TH_setNumThreads(n))
end

--- How many threads operations may use.
-- @usage torch.getnumthreads() -> n
function torch.getnumthreads()
   return th.C.TH_getNumThreads()
end

--- How many processor cores the machine has.
-- @usage torch.getnumcores() -> n
function torch.getnumcores()
   return th.C.TH_getNumCores()
end

--- Whether convolutions of floats on the CPU may take Winograd's way, which is the case at first:
-- 3 x 3 kernels of step 1 with many planes take half the time, with errors some five times as large
-- (up to 4e-6 of the largest result). Those of bfloat16 go that way where the processor is fast at
-- them (AMD's avx512_bf16), some 1% of the results' standard deviation off instead of 0.2%. A NaN
-- or an infinity also reaches results up to three places away that do not see it: decline it to
-- find where one came from.
-- @usage torch.setwinograd(false)
function torch.setwinograd(on)
   if type(on) ~= 'boolean' then
      errors.raise(('setwinograd: expected true or false, got %s'):format(class.type(on)))
   end
   th.C.TH_setWinograd(on)
end

--- Whether convolutions of floats on the CPU may take Winograd's way (`torch.setwinograd`).
-- @usage torch.getwinograd() -> boolean
function torch.getwinograd()
   return th.C.TH_getWinograd()
end

--- Whether tensor memory makes Lua's collector run; on by default.
-- @usage torch.setheaptracking(bool)
function torch.setheaptracking(on)
   torch._heaptracking = on and true or false
   th.setHeapTracking(on)
end
torch.setheaptracking(true)

-- Torch7 needed these calls after a script changed threads or error handlers; nothing here does.

--- Nothing: Torch7 needed it after a script had changed threads.
-- @usage torch.updatethreadlocals()
function torch.updatethreadlocals() end

--- Nothing: Torch7 needed it after a script had changed error handlers.
-- @usage torch.updateerrorhandlers()
function torch.updateerrorhandlers() end

--- Seconds since the epoch; seconds since such a time.
-- @usage torch.tic() -> seconds
function torch.tic()
   return require('torch.clock').now()
end

--- Seconds since a time that torch.tic gave.
-- @usage torch.toc(t0) -> seconds
function torch.toc(start)
   start = th.numeric(start) or start
   if type(start) ~= 'number' then
      require('torch.errors').raise(
         ('toc: the start is %s, expected a number: t0 = torch.tic() ... torch.toc(t0)'):format(
            start == nil and 'nil' or 'a ' .. torch.type(start)))
   end
   return require('torch.clock').now() - start
end

--- Print what this build and this machine are like, and what is wrong with them, each problem with
-- its remedy: what to put into a bug report. `th --doctor` does the same.
-- @usage torch.doctor() -> report (sections, problems, notes)
function torch.doctor()
   local report = require('torch.doctor').examine()
   io.stdout:write(tostring(report), '\n')
   return report
end

--- Print what the sources say about a function, a class, an object's class or a package.
-- At the prompt of `th` it is the global `help` as well.
-- @param x function, class, object, package table, or one of their names as a string
-- @usage help(torch.add)
-- help 'add'
-- help(nn.Linear)
function torch.help(x)
   print(require('torch.help').asked(x)) -- loaded when somebody asks
end

-- --- packages -----------------------------------------------------------------------------------

torch.include, torch.packageLuaPath = packages.include, packages.packageLuaPath
rawset(_G, 'include', packages.includeHere)

rawset(_G, 'getmetatable', require('torch.class.registry').metatable)
rawset(_G, 'type', require 'torch.tensor.kind')

-- What Lua 5.1 lacks and scripts for Torch7 expect, whose LuaJIT was built with some of Lua 5.2's.
rawset(string, 'gfind', string.gmatch)
rawset(table, 'unpack', unpack)
rawset(table, 'pack', function(...)
   return { n = select('#', ...), ... }
end)

return torch
