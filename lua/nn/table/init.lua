-- A class follows the classes it is derived from.
require 'nn.table.CTable'
require 'nn.table.CAddTable'
require 'nn.table.CSubTable'
require 'nn.table.CMulTable'
require 'nn.table.CDivTable'
require 'nn.table.CMaxTable'
require 'nn.table.CMinTable'
require 'nn.table.JoinTable'
