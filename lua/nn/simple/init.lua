-- A class follows the classes it is derived from.
require 'nn.simple.Identity'
require 'nn.simple.Dropout'
require 'nn.simple.Mul'
require 'nn.simple.Add'
require 'nn.simple.CMul'
require 'nn.simple.MulConstant'
require 'nn.simple.AddConstant'
