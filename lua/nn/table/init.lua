-- A class follows the classes it is derived from.
require 'nn.table.CAddTable'
require 'nn.table.JoinTable'
