--- The table that require 'gnuplot' gives: its files fill it.
-- @module gnuplot.module
return {}
