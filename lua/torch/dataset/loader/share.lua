--- Which rows of a batch a process takes, where several make one step of it.
-- @module torch.dataset.loader.share

local M = {}

--- A process's rows of a batch of n. Where there are fewer rows than processes, some take one that
-- others have, too, and that does not count.
-- @int n
-- @int rank from 1
-- @int size how many processes there are
-- @return the first row, how many there are, how many count
function M.rows(n, rank, size)
   local first = math.floor(n * (rank - 1) / size)
   local count = math.floor(n * rank / size) - first
   if count == 0 then
      return math.min(first + 1, n), 1, 0
   end
   return first + 1, count, count
end

return M
