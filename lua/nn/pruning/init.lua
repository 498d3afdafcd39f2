require 'nn.pruning.Pruner'
require 'nn.pruning.removeChannels'
