-- The table that `require 'distributed'` returns, for the files that put functions into it.
return {}
