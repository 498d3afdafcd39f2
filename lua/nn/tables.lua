--- nn.tables: which input planes each output plane of a convolution sees, as rows { input, output }
-- for nn.SpatialConvolutionMap and its kin.
-- @module nn.tables

local torch = require 'torch'
local raise = require('torch.errors').raise
local cut = require('torch.arguments').cut

local tables = {}

--- Every output sees every input.
-- @int nin number of inputs
-- @int nout number of outputs
-- @treturn Tensor nin*nout x 2, ordered by outputs
-- @example nn.tables.full(2, 2) --> { { 1, 1 }, { 2, 1 }, { 1, 2 }, { 2, 2 } }
function tables.full(nin, nout)
   nin, nout = cut(nin), cut(nout)
   local map = torch.Tensor(nout, nin, 2)
   map:select(3, 1):copy(torch.range(1, nin):view(1, nin):expand(nout, nin))
   map:select(3, 2):copy(torch.range(1, nout):view(nout, 1):expand(nout, nin))
   return map:view(nin * nout, 2)
end

--- Output i sees input i.
-- @int nfeat number of planes
-- @treturn Tensor nfeat x 2
-- @example nn.tables.oneToOne(3) --> { { 1, 1 }, { 2, 2 }, { 3, 3 } }
function tables.oneToOne(nfeat)
   return torch.range(1, nfeat):view(nfeat, 1):expand(nfeat, 2):clone()
end

--- Every output sees `nto` different inputs, drawn at random: in the order of a permutation, of
-- another one when less than `nto` of it are left.
-- @int nin number of inputs
-- @int nout number of outputs
-- @int nto inputs of an output
-- @treturn Tensor nto*nout x 2, ordered by outputs
-- @raise "nn.tables.random: an output cannot see 4 of 3 inputs"
function tables.random(nin, nout, nto)
   if nto < 1 or nto > nin then
      raise(('nn.tables.random: an output cannot see %s of %s inputs'):format(nto, nin))
   end
   local map, order, used = torch.Tensor(nout, nto, 2), torch.randperm(nin), 0
   for i = 1, nout do
      map[i]:select(2, 1):copy(order:narrow(1, used + 1, nto))
      map[i]:select(2, 2):fill(i)
      used = used + nto
      if used + nto > nin then
         order, used = torch.randperm(nin), 0
      end
   end
   return map:view(nout * nto, 2)
end

return tables
