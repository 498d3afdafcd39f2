-- The table that `require 'threads'` returns, for the files that put classes into it.
return {}
