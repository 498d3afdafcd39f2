--- Plain objects as messages: what most jobs and results are, in a third of the time that the form
-- of .t7 takes. It has no numbers for objects that come again, no functions, and no classes with
-- ways of their own to be written; with any of these there is no plain message.
--
--    message := number of the parcel (double), PLAIN, value; all of it in words of 8 bytes
--    value   := NIL | FALSE | TRUE | NUMBER double | STRING text | TABLE fields
--             | OBJECT text fields | TENSOR place type offset n sizes[n] strides[n]
--    text    := size, bytes
--    fields  := count, as many times value value
--
-- Numbers are integers where nothing else is said; the place is the storage's in the parcel, -1 for
-- a tensor without one.
-- @module threads.plain.form
return {
   PLAIN = -1, -- a message in the form of .t7 has an object's type here, from 0 on
   HEADER = 2, -- words
   NIL = 0, FALSE = 1, TRUE = 2, NUMBER = 3, STRING = 4, TABLE = 5, OBJECT = 6, TENSOR = 7,
}
