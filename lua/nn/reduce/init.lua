-- A class follows the classes it is derived from.
require 'nn.reduce.Extremum'
require 'nn.reduce.Max'
require 'nn.reduce.Min'
require 'nn.reduce.Sum'
require 'nn.reduce.Mean'
require 'nn.reduce.Normalize'
