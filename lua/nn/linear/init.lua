-- A class follows the classes it is derived from.
require 'nn.linear.Linear'
