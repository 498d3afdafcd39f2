--- Programs by the operations that there are, one after the other: where there is no compiler, and
-- what compiled code is compared with.
-- @module torch.fuse.compose
local core = require 'torch.core'
local functions = require 'torch.fuse.functions'
local th = require 'torch.ffi'

local C, like, likeType = th.C, th.like, th.likeType

local M = {}

-- mask ~= 0 ? a : b
local function where(mask, a, b)
   local chosen, r = likeType(mask, C.TH_BYTE), like(b)
   core.ne_value(chosen, mask, 0)
   r:resizeAs(b):copy(b)
   return r:maskedCopy(chosen, a:maskedSelect(chosen))
end

local function filled(t, number)
   return like(t):resizeAs(t):fill(number)
end

-- Rows whose operation takes more than the operands, or that have none.
local special = {
   add = function(r, a, b)
      core.add_scaled(r, a, 1, b)
   end,
   sub = function(r, a, b)
      core.add_scaled(r, a, -1, b)
   end,
   where = function(r, mask, a, b)
      r:set(where(mask, a, b))
   end,
   Phi = function(r, a) -- gelu is a * Phi(a)
      local zero, quotient = like(a), like(a)
      core.eq_value(zero, a, 0)
      core.gelu(quotient, a)
      core.cdiv(quotient, quotient, a)
      r:set(where(zero, filled(a, 0.5), quotient))
   end,
}

-- The place at which each node is read last.
local function lastUses(graph, outputs)
   local last = {}
   for id, node in ipairs(graph.nodes) do
      for _, operand in ipairs(node) do
         last[operand.id] = id
      end
   end
   for _, output in ipairs(outputs) do
      last[output.id] = math.huge
   end
   return last
end

--- The results of a program.
-- @param program torch.fuse.Program
-- @param operands list of tensors of one floating type and of the same sizes
-- @return list of tensors, of which some may be operands
function M.run(program, operands)
   local graph, values = program.graph, {}
   local first = operands[1]
   local last, needed = lastUses(graph, program.outputs), graph:needed(program.outputs)
   for id, node in ipairs(graph.nodes) do
      if needed[id] and node.row then
         local row, r = functions.rows[node.row], like(first)
         local a, b, c = node[1], node[2], node[3]
         local run = special[node.row] or core[row.operation]
         run(r, values[a.id], b and values[b.id], c and values[c.id])
         values[id] = r
         for _, operand in ipairs(node) do
            if last[operand.id] == id then
               values[operand.id] = nil
            end
         end
      elseif needed[id] then
         values[id] = node.input and operands[node.input] or filled(first, node.number)
      end
   end
   local results = {}
   for i, output in ipairs(program.outputs) do
      results[i] = values[output.id]
   end
   return results
end

return M
