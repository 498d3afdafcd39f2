local replayed = require 'test.fuzz.replayed'

describe('the reader of .t7 bytes', function()
   replayed(it, 't7')
end)
