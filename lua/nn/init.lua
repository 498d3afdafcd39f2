--- nn: layers, containers and criterions.
--
-- `require 'nn'` returns the namespace and sets the global `nn`, as scripts expect. Each class is
-- one file named as the class, in the folder of its chapter; a new layer is a file and a line
-- in that folder's init.lua.
-- @module nn

require 'torch'
require('torch.errors').library()


local nn = {}
-- The class files say `require 'nn'` too: give them the namespace while it is being filled.
package.loaded.nn = nn
rawset(_G, 'nn', nn)

local function load_base()
   nn.utils = require 'nn.utils'
   nn.seam = require 'nn.base.seam'
   require('torch.types').withVariables(require('nn.base.own_forward').install)

   require 'nn.Module'
   require 'nn.Criterion'

   local declare = require 'nn.base.declare'
   nn.declare = declare.declare

   require 'nn.Weighted'
   require 'nn.Pointwise'
   require 'nn.Classwise'
end

local function load_chapters()
   for _, chapter in ipairs {
      'containers',
      'table',
      'simple',
      'shape',
      'reduce',
      'linear',
      'transfer',
      'convolution',
      'pooling',
      'resampling',
      'normalization',
      'recurrent',
      'attention',
      'blocks',
      'criterion',
      'quantization',
      'pruning',
   } do
      require('nn.' .. chapter)
   end
end

local function load_others()
   require('nn.containers.runs').define()

   local class = require 'torch.class'
   -- What an operation refuses inside a layer is told with the layer's name.
   require('torch.errors').name(function(object)
      if class.isTypeOf(object, 'nn.Module') or class.isTypeOf(object, 'nn.Criterion') then
         return class.typename(object)
      end
   end)

   local additions = require 'nn.additions'
   for _, name in ipairs(additions.classes) do
      class.yields('nn.' .. name)
   end
   for _, name in ipairs(additions.parts) do
      class.yields('nn.' .. name)
      class.conceal('nn.' .. name)
   end

   require('nn.thnn').install()
   nn.THNN = require 'nn.THNN'

   require 'nn.StochasticGradient'
   nn.tables = require 'nn.tables'
   nn.hessian = require 'nn.hessian'
   nn.Jacobian = require 'nn.Jacobian'
   nn.SparseJacobian = require 'nn.SparseJacobian'
end

-- Little goes again of what is loaded here: the collector would look through all of it meanwhile.
-- And what runs once is not worth compiling: a loop that the compiler gives up here would stay
-- interpreted for good.
local step, compiles = collectgarbage('setstepmul', 1), jit.status()
local loaded, problem = pcall(load_base)
if loaded then
   jit.off()
   loaded, problem = pcall(load_chapters)
   if compiles then
      jit.on()
   end
end
if loaded then
   loaded, problem = pcall(load_others)
end
collectgarbage('setstepmul', step)
if not loaded then
   error(problem, 0)
end

local session = package.loaded['torch.profiler.session']
if session and session.nn_loaded then
   session.nn_loaded()
end
return nn
