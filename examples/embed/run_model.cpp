// Runs a saved model on rows of numbers, on several threads, each with a Lua state of its own.
//
//   run_model model.t7 COLUMNS [THREADS] < rows > outputs
//
// Standard input has rows of COLUMNS floats; standard output gets the model's outputs, in order. A
// batch that the model refuses ends the program with Lua's message, status 1.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "TH_account.h"
#include "model.h"

namespace {

constexpr size_t kBatch = 64;  // rows that one call gets

/// All of a file's floats.
std::vector<float> read_all(std::FILE* file) {
  std::vector<float> values;
  float piece[4096];
  for (size_t n; (n = std::fread(piece, sizeof(float), std::size(piece), file)) > 0;) {
    values.insert(values.end(), piece, piece + n);
  }
  return values;
}

/// The outputs of some rows, batch after batch.
std::vector<float> outputs_of(Model& model, std::span<const float> rows, size_t columns) {
  std::vector<float> outputs;
  while (!rows.empty()) {
    const std::span<const float> batch = rows.first(std::min(rows.size(), kBatch * columns));
    const std::vector<float> y = model.forward(batch, static_cast<int64_t>(columns));
    outputs.insert(outputs.end(), y.begin(), y.end());
    rows = rows.subspan(batch.size());
  }
  return outputs;
}

std::vector<float> on_threads(const std::string& path, const std::vector<float>& x, size_t columns,
                              size_t threads) {
  const size_t rows = x.size() / columns;
  std::vector<std::vector<float>> parts(threads);
  std::vector<std::exception_ptr> failures(threads);
  std::vector<std::thread> workers;
  for (size_t i = 0; i < threads; ++i) {
    workers.emplace_back([&, i] {
      try {
        Model model(path);
        const size_t first = rows * i / threads * columns;
        const size_t last = rows * (i + 1) / threads * columns;
        parts[i] = outputs_of(model, std::span(x).subspan(first, last - first), columns);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    });
  }
  for (std::thread& worker : workers) {
    worker.join();
  }
  std::vector<float> outputs;
  for (size_t i = 0; i < threads; ++i) {
    if (failures[i]) {
      std::rethrow_exception(failures[i]);
    }
    outputs.insert(outputs.end(), parts[i].begin(), parts[i].end());
  }
  return outputs;
}

}  // namespace

int main(int argc, char** argv) {
  const long columns = argc > 2 ? std::atol(argv[2]) : 0;
  const long threads = argc > 3 ? std::atol(argv[3]) : 1;
  if (argc > 4 || columns < 1 || threads < 1 || threads > 256) {
    std::fputs("usage: run_model model.t7 COLUMNS [THREADS] < rows > outputs\n", stderr);
    return 2;
  }
  const std::vector<float> x = read_all(stdin);
  if (x.empty() || x.size() % static_cast<size_t>(columns) != 0) {
    std::fprintf(stderr, "run_model: %zu numbers are no rows of %ld\n", x.size(), columns);
    return 1;
  }
  try {
    const std::vector<float> y =
        on_threads(argv[1], x, static_cast<size_t>(columns), static_cast<size_t>(threads));
    if (std::fwrite(y.data(), sizeof(float), y.size(), stdout) != y.size()) {
      std::fputs("run_model: standard output cannot be written\n", stderr);
      return 1;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "run_model: %s\n", error.what());
    return 1;
  }
  // Closing a state gives back all that its tensors held.
  if (*TH_liveBytes(TH_CPU) != 0) {
    std::fprintf(stderr, "run_model: %lld bytes are still held\n",
                 static_cast<long long>(*TH_liveBytes(TH_CPU)));
    return 1;
  }
  return 0;
}
