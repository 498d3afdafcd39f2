--- Nets as graphs: modules are called on nodes, and `nn.gModule` makes one module of the graph.
--
-- A call of a module without arguments makes an input node, `module(node)` or `module { a, b }` a
-- node that is fed by others; `a - module` is the same as `module(a)`, `-module` as `module()`. A
-- node with several consumers gets the sum of their gradients.
--
-- `require 'nngraph'` returns the package and sets the globals `nngraph`, `graph` and `nn`.
-- @module nngraph
-- @example
-- local x = nn.Identity()()
-- local hidden = nn.Tanh()(nn.Linear(4, 3)(x))
-- local net = nn.gModule({ x }, { nn.Linear(3, 2)(hidden), hidden })
-- local y = net:forward(torch.randn(5, 4))
-- #y[1], #y[2] --> { 5, 2 }, { 5, 3 }

require 'torch'
require 'nn'
require 'graph'
require('torch.errors').library()

local nngraph = {}
-- The class files say `require 'nngraph'` too: give them the namespace while it is being filled.
package.loaded.nngraph = nngraph
rawset(_G, 'nngraph', nngraph)

require 'nngraph.Node'
require 'nngraph.JustElement'
require 'nngraph.JustTable'
require 'nngraph.ModuleFromCriterion'
require 'nngraph.calls'
require 'nngraph.gModule'

nngraph.nest = require 'nngraph.nest'
nngraph.simple_print = require 'nngraph.simple_print'
nngraph.setDebug = require('nngraph.debug').setDebug
for name, f in pairs(require 'nngraph.inspect') do
   nngraph[name] = f
end

return nngraph
