-- Eigenvalues and eigenvectors of any matrix, against PyTorch 2.15 (torch.linalg.eig, float64;
-- e.real[order] * w and |V[:, order]|^4 summed up, order = argsort(e.real)).
local torch = require 'torch'
local raises = require 'test.support.raises'

local A = { { 4, 1, 0.5 }, { 0.3, 2, -0.7 }, { 0.1, 0.6, -1 } }
local BY_VALUES = {
   { 0.35744844994954644, 0.29617105042989617, 0.056344525986363136 },
   { 1.2210528760919435, -2.027664642161219, -0.6176559130003016 },
   { -0.41972549404505066, 0.8375065858298291, 1.1702161922116725 },
}
local BY_VECTORS = {
   { 0.1838708424790486, -0.31539951217236356, -0.1723328804920634 },
   { -0.20982724901968486, -0.04696924378109675, 0.29376116767852267 },
   { 0.10459506037479914, -0.19793173765027447, -0.13690159869795143 },
}

local function near(x, wanted)
   assert.is_true((x - torch.DoubleTensor(wanted)):abs():max() < 1e-12)
end

describe('the gradient of eig', function()
   local a, e, v, order

   before_each(function()
      a = torch.DoubleTensor(A):requiresGrad()
      e, v = torch.eig(a, 'V')
      order = select(2, torch.sort(e:detach():select(2, 1)))
   end)

   it('by eigenvalues is that of PyTorch', function()
      e:index(1, order):select(2, 1):dot(torch.DoubleTensor { 1, -2, 0.5 }):backward()
      near(a.grad, BY_VALUES)
   end)

   it('by eigenvectors is that of PyTorch', function()
      torch.pow(v:index(2, order), 4):sum():backward()
      near(a.grad, BY_VECTORS)
   end)

   it('is refused where eigenvalues are complex, or vectors were not asked for', function()
      local turn = torch.DoubleTensor { { 0, 1 }, { -1, 0 } }:requiresGrad()
      local values = torch.eig(turn, 'V')
      raises('eig has no derivative where eigenvalues are complex; symeig has one',
         function() values:sum():backward() end)
      local alone = torch.eig(a)
      raises("ask for them: torch.eig(a, 'V')", function() alone:sum():backward() end)
   end)
end)
