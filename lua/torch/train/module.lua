--- The table that require 'torch.train' gives: its files fill it.
-- @module torch.train.module
return {}
