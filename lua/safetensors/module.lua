--- The table that require 'safetensors' gives: its files fill it.
-- @module safetensors.module
return {}
