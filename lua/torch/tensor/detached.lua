--- Vectors of parameters that a network no longer has: `net:getParameters()` gave them, then the
-- network was converted, as by `net:float()`, and got tensors of its own. Who trains with them
-- moves nothing. nn says when that happens, optim tells the user, once. (Who goes on without those
-- vectors, by net:updateParameters, does nothing wrong.)
-- @module torch.tensor.detached
local M = {
   any = false, -- whether there has been one: until then nobody looks
}

local reasons = setmetatable({}, { __mode = 'k' }) -- vector -> what happened

--- Note that a vector and the module it came from have parted.
-- @param key the vector
-- @string reason the call that did it
function M.note(key, reason)
   M.any = true
   reasons[key] = reason
end

--- Tell the user, if a vector is one of those, and not again.
-- @param key the vector
-- @string who what is being done with it: 'optim.sgd'
function M.tell(key, who)
   local reason = reasons[key]
   if reason then
      reasons[key] = nil
      io.stderr:write(('%s: warning: the vectors that getParameters gave are no longer the '
         .. "network's since %s: call getParameters after it\n"):format(who, reason))
   end
end

return M
