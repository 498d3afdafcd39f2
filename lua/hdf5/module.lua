--- The table that require 'hdf5' gives: its files fill it.
-- @module hdf5.module
return {}
