--- tds: data structures outside of Lua's memory, which Lua's collector does not walk through and
-- which threads share (threads.Threads.serialization 'threads.sharedserialize').
--
--    local tds = require 'tds'
--    local names = tds.Hash()
--    for i, line in ipairs(lines) do names[line] = i end   -- millions of them
--    local list = tds.Vec(4, torch.rand(3), 'text')
--
-- Containers may hold containers; one that holds itself, by whatever way, is never given back.
-- Each look into a container gives a new handle of what is in it: handles of the same container are
-- equal (`h.a == h.a`), but different keys of a Lua table, where torch.pointer(h.a) is the same.
-- @module tds
require 'torch'
require('torch.errors').library()

local tds = {}

--- The C library, by LuaJIT's FFI.
tds.C = require 'tds.ffi'

tds.Hash = require 'tds.Hash'
tds.Vec = require 'tds.Vec'
tds.AtomicCounter = require 'tds.AtomicCounter'

--- The names of tds.Hash, tds.Vec and tds.AtomicCounter in older scripts.
-- @function hash
-- @function vec
-- @function atomic_counter
tds.hash, tds.vec, tds.atomic_counter = tds.Hash, tds.Vec, tds.AtomicCounter

return tds
