-- A class follows the classes it is derived from.
require 'nn.recurrent.Recurrence'
require 'nn.recurrent.RNN'
require 'nn.recurrent.LSTM'
require 'nn.recurrent.GRU'
