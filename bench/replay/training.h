// Sequences of allocations as training programs make them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "replay/trace.h"

namespace replay {

/// Writes a trace; frees may lag behind, as a garbage collector makes them.
class TraceWriter {
 public:
  explicit TraceWriter(size_t garbage_until_collection = 0)
      : threshold_(garbage_until_collection) {}

  int64_t allocate(size_t bytes) {
    steps_.push_back({Step::Kind::kAllocate, next_id_, bytes, 0});
    sizes_.push_back(bytes);
    return next_id_++;
  }
  /// At once: what layers release themselves.
  void free(int64_t id) { steps_.push_back({Step::Kind::kFree, id, 0, 0}); }
  /// A step of the program ends.
  void mark() { steps_.push_back({Step::Kind::kMark, -1, 0, 0}); }
  /// When the collector comes by: what a script dropped.
  void drop(int64_t id) {
    garbage_.push_back(id);
    garbage_bytes_ += sizes_[size_t(id)];
    if (garbage_bytes_ > threshold_) {
      for (const int64_t dead : garbage_) {
        free(dead);
      }
      garbage_.clear();
      garbage_bytes_ = 0;
    }
  }
  std::vector<Step> steps() && { return std::move(steps_); }

 private:
  size_t threshold_, garbage_bytes_ = 0;
  int64_t next_id_ = 0;
  std::vector<size_t> sizes_;
  std::vector<int64_t> garbage_;
  std::vector<Step> steps_;
};

/// One layer as the allocator sees it, in bytes.
struct LayerSizes {
  size_t weight, output, workspace;
};

/// A training step like PyTorch's or Torch7's: outputs live until their backward, gradients of
/// weights and momentum appear in the first step and stay, workspaces and gradients of activations
/// come and go.
class Trainer {
 public:
  explicit Trainer(TraceWriter& trace) : trace_(trace) {}

  void add_weights(const std::vector<LayerSizes>& layers) {
    for (const LayerSizes& layer : layers) {
      if (layer.weight != 0) {
        trace_.allocate(layer.weight);
      }
    }
  }
  void step(const std::vector<LayerSizes>& layers) {
    std::vector<int64_t> outputs;
    for (const LayerSizes& layer : layers) {
      const int64_t workspace = layer.workspace != 0 ? trace_.allocate(layer.workspace) : -1;
      outputs.push_back(trace_.allocate(layer.output));
      release(workspace);
    }
    int64_t gradient = trace_.allocate(layers.back().output);
    for (size_t i = layers.size(); i-- > 0;) {
      const int64_t workspace =
          layers[i].workspace != 0 ? trace_.allocate(layers[i].workspace) : -1;
      const int64_t below = trace_.allocate(i > 0 ? layers[i - 1].output : layers[i].output);
      if (!has_gradients_ && layers[i].weight != 0) {
        trace_.allocate(layers[i].weight);
      }
      release(workspace);
      trace_.drop(gradient);
      trace_.drop(outputs[i]);
      gradient = below;
    }
    trace_.drop(gradient);
    for (const LayerSizes& layer : layers) {
      if (layer.weight == 0) {
        continue;
      }
      if (!has_gradients_) {
        trace_.allocate(layer.weight);  // momentum
      }
      trace_.drop(trace_.allocate(layer.weight));  // decayed gradient
    }
    has_gradients_ = true;
    trace_.mark();
  }

 private:
  void release(int64_t id) {
    if (id >= 0) {
      trace_.free(id);
    }
  }

  TraceWriter& trace_;
  bool has_gradients_ = false;
};

/// ResNet-50's convolutions at a batch of 32 images, float, with im2col-like workspaces.
inline std::vector<LayerSizes> resnet(size_t batch, size_t image) {
  std::vector<LayerSizes> layers;
  const auto convolution = [&](size_t in, size_t out, size_t kernel, size_t side) {
    const size_t output = batch * out * side * side * 4;
    layers.push_back({in * out * kernel * kernel * 4, output, kernel > 1 ? output / 3 : 0});
    layers.push_back({out * 8, output, 0});  // batch normalisation
  };
  size_t side = image / 2, in = 64;
  convolution(3, 64, 7, side);
  side /= 2;
  const int depths[] = {3, 4, 6, 3};
  for (int stage = 0; stage < 4; ++stage) {
    const size_t width = size_t(64) << stage;
    for (int block = 0; block < depths[stage]; ++block) {
      convolution(in, width, 1, side);
      convolution(width, width, 3, side);
      convolution(width, 4 * width, 1, side);
      in = 4 * width;
    }
    side = (side + 1) / 2;
  }
  layers.push_back({2048 * 1000 * 4, batch * 1000 * 4, 0});
  return layers;
}

/// A transformer of 12 layers, width 768, for sequences of `length`.
inline std::vector<LayerSizes> transformer(size_t batch, size_t length) {
  std::vector<LayerSizes> layers{{30000 * 768 * 4, batch * length * 768 * 4, 0}};
  const size_t tokens = batch * length, width = 768, heads = 12;
  for (int i = 0; i < 12; ++i) {
    layers.push_back({3 * width * width * 4, tokens * 3 * width * 4, 0});
    layers.push_back({width * 4, batch * heads * length * length * 4, 0});
    layers.push_back({width * width * 4, tokens * width * 4, tokens * width * 4});
    layers.push_back({4 * width * width * 4, tokens * 4 * width * 4, 0});
    layers.push_back({4 * width * width * 4, tokens * width * 4, 0});
  }
  layers.push_back({30000 * 4, tokens * 30000 * 2, 0});
  return layers;
}

/// A language model: two LSTM layers over sentences of `length` words, then a softmax over the
/// vocabulary for all words at once. Each time step of a layer is a layer of the Trainer: gates,
/// cell and output live until its backward.
inline std::vector<LayerSizes> lstm(size_t batch, size_t length) {
  constexpr size_t kWidth = 650;
  constexpr size_t kWords = 10000;
  std::vector<LayerSizes> layers{{kWords * kWidth * 4, batch * length * kWidth * 4, 0}};
  for (int layer = 0; layer < 2; ++layer) {
    for (size_t t = 0; t < length; ++t) {
      // Weights belong to the first time step; the others add to the same gradients.
      const size_t weights = t == 0 ? 4 * kWidth * 2 * kWidth * 4 : 0;
      layers.push_back({weights, batch * 4 * kWidth * 4, batch * 4 * kWidth * 4});
      layers.push_back({0, batch * kWidth * 4, 0});
      layers.push_back({0, batch * kWidth * 4, 0});
    }
  }
  layers.push_back({kWords * kWidth * 4, batch * length * kWords * 4, 0});
  return layers;
}

inline std::vector<Trace> training_traces(unsigned seed = 2026) {
  std::vector<Trace> traces;
  std::mt19937 random(seed);
  const auto any_of = [&](size_t first, size_t last) {
    return std::uniform_int_distribution<size_t>(first, last)(random);
  };
  const auto make = [&](const char* name, bool fixed, size_t garbage, int steps, auto layers_of) {
    TraceWriter writer(garbage);
    Trainer trainer(writer);
    trainer.add_weights(layers_of(true));
    for (int i = 0; i < steps; ++i) {
      trainer.step(layers_of(false));
    }
    traces.push_back({name, fixed, std::move(writer).steps()});
  };
  constexpr size_t MiB = size_t(1) << 20;
  make("resnet, fixed", true, 0, 6, [](bool) { return resnet(32, 224); });
  make("transformer, fixed", true, 0, 6, [](bool) { return transformer(8, 257); });
  make("mlp, fixed", true, 0, 20, [](bool) {
    return std::vector<LayerSizes>(5, {1000 * 1000 * 4, 128 * 1000 * 4, 0});
  });
  make("resnet, fixed, collected", true, 512 * MiB, 6, [](bool) { return resnet(32, 224); });
  make("resnet, image sizes vary", false, 0, 30,
       [&](bool) { return resnet(16, 32 * any_of(4, 10)); });
  make("transformer, lengths vary", false, 0, 40,
       [&](bool) { return transformer(8, any_of(32, 512)); });
  make("transformer, lengths vary, collected", false, 256 * MiB, 40,
       [&](bool) { return transformer(8, any_of(32, 512)); });
  make("transformer, batches and lengths vary", false, 0, 40,
       [&](bool) { return transformer(any_of(1, 16), any_of(32, 384)); });
  make("lstm, lengths vary", false, 0, 60,
       [&](bool first) { return lstm(32, first ? 100 : any_of(5, 100)); });
  make("lstm, lengths vary, collected", false, 256 * MiB, 60,
       [&](bool first) { return lstm(32, first ? 100 : any_of(5, 100)); });
  size_t steps = 0;
  make("resnet, batch shrinks and grows", false, 0, 60, [&](bool) {
    const size_t phase = steps++ % 30;  // 48, 45, ... 3, ... 48
    return resnet(3 + 3 * (phase < 15 ? 15 - phase : phase - 15), 224);
  });
  return traces;
}

}  // namespace replay
