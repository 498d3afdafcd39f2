// Cases of the operations of sequences (attention, recurrent layers) and of normalised rows; see
// operations.h.
#pragma once

#include <string>
#include <vector>

#include "TH/support/operation_case.h"

namespace th::test {

inline void add_sequences(std::vector<Case>& cases, int dtype) {
  const auto add = [&](const char* name, std::vector<Argument> arguments, Call call) {
    cases.push_back({name, std::move(arguments), std::move(call)});
  };
  const Argument r = result(dtype);
  const auto numbers = [dtype](Sizes sizes) { return operand(dtype, std::move(sizes)); };
  const auto kept = [dtype](Sizes sizes) { return written(dtype, std::move(sizes)); };
  // Sequences enough that the CPU takes an LSTM's by groups.
  constexpr int64_t N = 11, T = 3, F = 4, H = 4;
  const Argument state = numbers({N, H});
  const Argument lengths = operand(TH_LONG, {N}, Holds::Places, T);

  const Argument queries = numbers({N, T, F});
  const Argument mask = numbers({N, T, T});
  add("attention", {r, queries, queries, queries, mask, mask},
      TH_CASE_CALL(TH_attention(t[0], t[1], t[2], t[3], t[4], t[5], true, 0.5)));
  add("attention_backward", {r, r, r, queries, queries, queries, queries, mask, mask},
      TH_CASE_CALL(
          TH_attention_backward(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], true, 0.5)));

  add("lstm_cell", {r, r, kept({N, 4 * H}), state, lengths},
      TH_CASE_CALL(TH_lstm_cell(t[0], t[1], t[2], t[3], t[4], 1)));
  add("lstm_cell_backward",
      {r, kept({N, H}), state, state, numbers({N, 4 * H}), state, state, lengths},
      TH_CASE_CALL(TH_lstm_cell_backward(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], 1)));
  add("gru_cell", {r, kept({N, 3 * H}), numbers({N, 3 * H}), state, lengths},
      TH_CASE_CALL(TH_gru_cell(t[0], t[1], t[2], t[3], t[4], 1)));
  add("gru_cell_backward",
      {r, r, r, state, state, numbers({N, 3 * H}), numbers({N, 3 * H}), state, lengths},
      TH_CASE_CALL(TH_gru_cell_backward(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], 1)));
  add("rnn_cell", {r, state, lengths}, TH_CASE_CALL(TH_rnn_cell(t[0], t[1], t[2], 1, false)));
  add("rnn_cell_backward", {r, state, state, state, lengths},
      TH_CASE_CALL(TH_rnn_cell_backward(t[0], t[1], t[2], t[3], t[4], 1, true)));

  const Argument x = numbers({T, N, F});
  const Argument y = numbers({T, N, H});
  const auto weight = [&](int64_t gates) { return numbers({gates * H, F}); };
  const auto bias = [&](int64_t gates) { return numbers({gates * H}); };
  const auto activations = [&](int64_t gates) { return numbers({T, N, gates * H}); };
  const auto grown = [&](int64_t gates) { return kept({gates * H, F}); };
  const auto grown_bias = [&](int64_t gates) { return kept({gates * H}); };
  add("lstm", {r, r, r, x, state, state, weight(4), weight(4), bias(4), bias(4), lengths},
      TH_CASE_CALL(
          TH_lstm(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9], t[10], true)));
  add("lstm_backward",
      {r, r, r, grown(4), grown(4), grown_bias(4), grown_bias(4), y, state, x, state, state,
       weight(4), weight(4), y, y, activations(4), lengths},
      TH_CASE_CALL(TH_lstm_backward(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9],
                                    t[10], t[11], t[12], t[13], t[14], t[15], t[16], t[17], false,
                                    2)));
  add("gru", {r, r, r, x, state, weight(3), weight(3), bias(3), bias(3), lengths},
      TH_CASE_CALL(TH_gru(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9], false)));
  add("gru_backward",
      {r, r, grown(3), grown(3), grown_bias(3), grown_bias(3), y, x, state, weight(3), weight(3), y,
       activations(3), activations(3), lengths},
      TH_CASE_CALL(TH_gru_backward(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9],
                                   t[10], t[11], t[12], t[13], t[14], true, 2)));
  add("rnn", {r, x, state, weight(1), weight(1), bias(1), bias(1), lengths},
      TH_CASE_CALL(TH_rnn(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], false, true)));
  add("rnn_backward",
      {r, r, grown(1), grown(1), grown_bias(1), grown_bias(1), y, x, state, weight(1), weight(1), y,
       lengths},
      TH_CASE_CALL(TH_rnn_backward(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9],
                                   t[10], t[11], t[12], true, false, 2)));

  const int computed = compute_dtype(dtype);
  add("row_norm",
      {r, result(computed), result(computed), numbers({3, 4}), numbers({4}), numbers({4})},
      TH_CASE_CALL(TH_row_norm(t[0], t[1], t[2], t[3], t[4], t[5], true, 4, 1, 1, 1e-3)));
  add("row_norm_backward",
      {r, kept({4}), kept({4}), numbers({3, 4}), numbers({3, 4}), numbers({4}),
       operand(computed, {3}), operand(computed, {3}, Holds::Positive)},
      TH_CASE_CALL(
          TH_row_norm_backward(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], true, 4, 1, 1, 2)));
}

}  // namespace th::test
