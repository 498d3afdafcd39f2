--- nn: layers, containers and criterions.
--
-- `require 'nn'` returns the namespace and sets the global `nn`, as scripts expect. Each class is
-- one file named as the class, in the folder of its chapter; a new layer is a file and a line
-- in that folder's init.lua.
-- @module nn

require 'torch'
require('torch.errors').library()

-- Little goes again of what is loaded here: the collector would look through all of it meanwhile.
local step = collectgarbage('setstepmul', 1)

local nn = {}
-- The class files say `require 'nn'` too: give them the namespace while it is being filled.
package.loaded.nn = nn
rawset(_G, 'nn', nn)

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

-- What runs once is not worth compiling, and a loop that the compiler gives up here would stay
-- interpreted for good.
local compiles = jit.status()
jit.off()
local loaded, problem = pcall(function()
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
   } do
      require('nn.' .. chapter)
   end
end)
if compiles then
   jit.on()
end
if not loaded then
   collectgarbage('setstepmul', step)
   error(problem, 0)
end

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

collectgarbage('setstepmul', step)
return nn
