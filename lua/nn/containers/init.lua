-- A class follows the classes it is derived from.
require 'nn.containers.Container'
require 'nn.containers.Sequential'
require 'nn.containers.Branches'
require 'nn.containers.ConcatTable'
require 'nn.containers.ParallelTable'
require 'nn.containers.Concat'
