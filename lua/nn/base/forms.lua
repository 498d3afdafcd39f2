--- Nests of tensors taken apart: where the tensors are, and which.
-- @module nn.base.forms
local torch = require 'torch'
local th = require 'torch.ffi'

local is_tensor = th.isTensor

local M = {}

--- The tensors of a nest behind those of a list.
local function flatten(x, list)
   if is_tensor(x) then
      list[#list + 1] = x
   elseif torch.type(x) == 'table' then
      for i = 1, #x do
         flatten(x[i], list)
      end
   end
   return list
end

local TENSOR = {}

--- Where the tensors are in a nest, without holding any.
local function form_of(x)
   if is_tensor(x) then
      return TENSOR
   elseif torch.type(x) == 'table' then
      local form = {}
      for i = 1, #x do
         form[i] = form_of(x[i])
      end
      return form
   end
   return x
end

--- A nest of such a form with the tensors of a list.
local function rebuild(form, list, at)
   at = at or { 0 }
   if form == TENSOR then
      at[1] = at[1] + 1
      return list[at[1]]
   elseif torch.type(form) == 'table' then
      local copy = {}
      for i = 1, #form do
         copy[i] = rebuild(form[i], list, at)
      end
      return copy
   end
   return form
end

M.flatten, M.form_of, M.rebuild = flatten, form_of, rebuild

return M
