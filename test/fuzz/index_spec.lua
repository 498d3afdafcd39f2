local replayed = require 'test.fuzz.replayed'

describe('index expressions', function()
   replayed(it, 'index')
end)
