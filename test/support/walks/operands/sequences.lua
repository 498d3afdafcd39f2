--- Arguments for the operations of attention, of recurrent layers and of normalised rows.

local LONG = 'torch.LongTensor'
local N, T, F, H = 11, 3, 4, 5 -- sequences enough that the CPU takes an LSTM's by groups

local makers = {}

local function merged(...)
   local all = {}
   for _, t in ipairs { ... } do
      for key, value in pairs(t) do
         all[key] = value
      end
   end
   return all
end

local function lengths(c)
   return c.tensor({ N }, LONG, { 3, 2, 1, 3, 3, 0, 2, 3, 1, 2, 3 })
end

-- --- attention ----------------------------------------------------------------------------------

local QUERIES = 130 -- more than one block of them

local function attention(c)
   return { q = c.tensor { N, QUERIES, F }, k = c.tensor { N, 7, F }, v = c.tensor { N, 7, H },
      mask = c.tensor { N, QUERIES, 7 }, noise = c.tensor { N, QUERIES, 7 }, causal = true,
      scale = 0.5 }
end
function makers.attention(c) return merged(attention(c), { r = c.result() }) end
function makers.attention_backward(c)
   return merged(attention(c), { gq = c.result(), gk = c.result(), gv = c.result(),
      g = c.tensor { N, QUERIES, H } })
end

-- --- cells --------------------------------------------------------------------------------------

local function state(c) return c.tensor { N, H } end
local function gates(c, count) return c.tensor { N, count * H } end

function makers.lstm_cell(c)
   return { h = c.result(), c = c.result(), gates = gates(c, 4), c0 = state(c),
      lengths = lengths(c), step = 1 }
end
function makers.lstm_cell_backward(c)
   return { r = c.result(), gc = state(c), gh = state(c), carried = state(c), gates = gates(c, 4),
      c = state(c), c0 = state(c), lengths = lengths(c), step = 1 }
end
function makers.gru_cell(c)
   return { h = c.result(), gates = gates(c, 3), hidden = gates(c, 3), h0 = state(c),
      lengths = lengths(c), step = 1 }
end
function makers.gru_cell_backward(c)
   return { r = c.result(), ghidden = c.result(), gh0 = c.result(), gh = state(c),
      carried = state(c), gates = gates(c, 3), hidden = gates(c, 3), h0 = state(c),
      lengths = lengths(c), step = 1 }
end
function makers.rnn_cell(c)
   return { h = c.result(), gates = gates(c, 1), lengths = lengths(c), step = 1, relu = false }
end
function makers.rnn_cell_backward(c)
   return { r = c.result(), gh = state(c), carried = state(c), h = state(c), lengths = lengths(c),
      step = 1, relu = false }
end

-- --- whole sequences ----------------------------------------------------------------------------

-- What goes in, for `count` gates.
local function sequence(c, count)
   return { x = c.tensor { T, N, F }, h0 = state(c), weight = c.tensor { count * H, F },
      recurrent = c.tensor { count * H, H }, lengths = lengths(c), reverse = true, relu = true }
end
local function biases(c, count)
   return { bias = c.tensor { count * H }, recurrent_bias = c.tensor { count * H } }
end
-- What only gradients have.
local function gradients(c, count)
   return { gx = c.result(), gh0 = c.result(), scale = 2,
      grad_weight = c.tensor { count * H, F }, grad_recurrent = c.tensor { count * H, H },
      grad_bias = c.tensor { count * H }, grad_recurrent_bias = c.tensor { count * H },
      gy = c.tensor { T, N, H }, y = c.tensor { T, N, H } }
end
function makers.lstm(c)
   return merged(sequence(c, 4), biases(c, 4), { y = c.result(), c = c.result(),
      gates = c.result(), c0 = state(c) })
end
function makers.lstm_backward(c)
   return merged(sequence(c, 4), gradients(c, 4), { gc0 = c.result(), gc = state(c),
      c0 = state(c), c = c.tensor { T, N, H }, gates = c.tensor { T, N, 4 * H } })
end
function makers.gru(c)
   return merged(sequence(c, 3), biases(c, 3), { y = c.result(), gates = c.result(),
      hidden = c.result() })
end
function makers.gru_backward(c)
   return merged(sequence(c, 3), gradients(c, 3), { gates = c.tensor { T, N, 3 * H },
      hidden = c.tensor { T, N, 3 * H } })
end
function makers.rnn(c) return merged(sequence(c, 1), biases(c, 1), { y = c.result() }) end
function makers.rnn_backward(c) return merged(sequence(c, 1), gradients(c, 1)) end

-- --- rows ---------------------------------------------------------------------------------------

-- Statistics are of the type that is computed in.
local function computed(c)
   return c.floating == 'torch.HalfTensor' and 'torch.FloatTensor' or nil
end
local rows = { centred = true, length = 6, groups = 1, inner = 1, eps = 1e-5, scale = 2 }
function makers.row_norm(c)
   return merged(rows, { r = c.result(), save_mean = c.result(computed(c)),
      save_std = c.result(computed(c)),
      x = c.tensor { 4, 6 }, weight = c.tensor { 6 }, bias = c.tensor { 6 } })
end
function makers.row_norm_backward(c)
   return merged(rows, { r = c.result(), grad_weight = c.tensor { 6 }, grad_bias = c.tensor { 6 },
      g = c.tensor { 4, 6 }, x = c.tensor { 4, 6 }, weight = c.tensor { 6 },
      save_mean = c.tensor({ 4 }, computed(c)), save_std = c.tensor({ 4 }, computed(c)) })
end

return makers
