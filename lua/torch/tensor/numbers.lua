--- Elements of memory as Lua numbers.
--
-- LuaJIT keeps the type of a value in the bits of negative NaNs, and takes a NaN that it finds in
-- memory for what its bits say: nil, a table, a function at any address. So a NaN that was not made
-- by LuaJIT (an uninitialised element, a file's) must be recognised by its bits, as integers.
-- Signalling NaNs count: conversion and arithmetic make them quiet and keep the low bits.
-- @module torch.tensor.numbers
local ffi = require 'ffi'

local M = {}

local integers = ffi.typeof 'const int32_t *'
local NAN = 0 / 0
local INF_DOUBLE, INF_FLOAT = -0x100000, -0x800000 -- bits of -inf; those above, to -1, are NaNs

--- Element i (from 0) of a pointer to doubles.
function M.double(p, i)
   local high = ffi.cast(integers, p)[2 * i + 1]
   if high < 0 and high > INF_DOUBLE then
      return NAN
   end
   return p[i]
end

--- Element i of a pointer to floats.
function M.float(p, i)
   local bits = ffi.cast(integers, p)[i]
   if bits < 0 and bits > INF_FLOAT then
      return NAN
   end
   return p[i]
end

--- Element i of a pointer to integers.
function M.integer(p, i)
   return tonumber(p[i])
end

return M
