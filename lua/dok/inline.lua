--- The part of dok that scripts required by itself.
-- @module dok.inline
return require 'dok'
