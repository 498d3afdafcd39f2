--- Draws from weighted categories in constant time each, by the alias method.
-- Source: M. D. Vose, IEEE Transactions on Software Engineering 17 (1991), 972-975.
-- @module torch.functions.alias
local th = require 'torch.ffi'
local core = require 'torch.core'
local random = require 'torch.functions.random'

local C = th.C
local like, likeType, isTensor, badArguments = th.like, th.likeType, th.isTensor, th.badArguments
local isGenerator = random.isGenerator

local T, F = {}, {}

--- Prepare draws: torch.multinomialAliasSetup_(p[, alias][, q]) returns alias, q.
-- A hit of column i is category i with probability q[i], category alias[i] otherwise.
-- @param p vector of weights of a floating type; they are taken as parts of their sum
-- @param[opt] alias LongTensor, result
-- @param[opt] q tensor of p's type, result
function F.multinomialAliasSetup_(p, alias, q)
   if not isTensor(p) or (alias ~= nil and not isTensor(alias))
      or (q ~= nil and not isTensor(q)) then
      badArguments('multinomialAliasSetup', 'T [*LongTensor*] [*T*]', 3, p, alias, q)
   end
   alias, q = alias or likeType(p, C.TH_LONG), q or like(p)
   core.multinomial_alias_setup(alias, q, p)
   return alias, q
end
T.multinomialAliasSetup_ = F.multinomialAliasSetup_

local DRAW = '[*LongTensor*] [gen] LongTensor T'

--- Draw: torch.multinomialAlias_([res,] [gen,] alias, q). res keeps its shape; without one, which
-- has no shape to fill, the result is empty.
-- @usage torch.multinomialAlias_([idx,] [gen,] idx, t) -> idx
-- t:multinomialAlias_([gen,] idx, t) -> idx
function F.multinomialAlias_(...)
   local r, gen, alias, q = ...
   if isGenerator(r) then
      r, gen, alias, q = nil, ...
   elseif not isGenerator(gen) then
      if q == nil and isTensor(gen) and isTensor(alias) then
         gen, alias, q = nil, gen, alias
      else
         r, gen, alias, q = nil, nil, r, gen
      end
   end
   if not isTensor(alias) or not isTensor(q) or (r ~= nil and not isTensor(r)) then
      badArguments('multinomialAlias', DRAW, 4, ...)
   end
   r = r or like(alias)
   -- a device draws from its own generator unless one was given
   local generator = gen and gen.generator
   if not gen and r.device_type == C.TH_CPU then
      generator = random.functions._gen.generator
   end
   core.multinomial_alias(r, generator, alias, q)
   return r
end
T.multinomialAlias_ = F.multinomialAlias_

--- Prepare draws.
-- @param probabilities vector of weights
-- @param[opt] state an earlier result, whose memory is used again
-- @return state: { alias, q }
-- @example
-- local state = torch.multinomialAliasSetup(torch.Tensor { 0, 1, 0 })
-- torch.multinomialAlias(torch.LongTensor(3), state) --> { 2, 2, 2 }
function F.multinomialAliasSetup(probabilities, state)
   if state ~= nil and type(state) ~= 'table' then
      badArguments('multinomialAliasSetup', 'T [{LongTensor, T}]', 2, probabilities, state)
   end
   local old = state or {}
   local alias, q = F.multinomialAliasSetup_(probabilities, old[1], old[2])
   return { alias, q }
end

--- Fill a LongTensor with draws.
-- @param output LongTensor: keeps its shape
-- @param state what multinomialAliasSetup returned
-- @return output
-- @example
-- local state = torch.multinomialAliasSetup(torch.Tensor { 0, 1, 0 })
-- torch.multinomialAlias(torch.LongTensor(3), state) --> { 2, 2, 2 }
function F.multinomialAlias(output, state)
   if not isTensor(output) or type(state) ~= 'table' then
      badArguments('multinomialAlias', '*LongTensor* {LongTensor, T}', 2, output, state)
   end
   return F.multinomialAlias_(output, state[1], state[2])
end

return { methods = T, functions = F }
