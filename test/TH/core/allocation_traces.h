// Sequences of allocations as training programs make them, and a model of the allocator they are
// measured against.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace th::testing_support {

/// bytes > 0: allocate block `id`; bytes == 0: free it.
struct TraceStep {
  int64_t id;
  size_t bytes;
};

/// Writes a trace; frees may lag behind, as a garbage collector makes them.
class TraceWriter {
 public:
  explicit TraceWriter(size_t garbage_until_collection = 0)
      : threshold_(garbage_until_collection) {}

  int64_t allocate(size_t bytes) {
    steps_.push_back({next_id_, bytes});
    sizes_.push_back(bytes);
    return next_id_++;
  }
  /// At once: what layers release themselves.
  void free(int64_t id) { steps_.push_back({id, 0}); }
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
  std::vector<TraceStep> steps() && { return std::move(steps_); }

 private:
  size_t threshold_, garbage_bytes_ = 0;
  int64_t next_id_ = 0;
  std::vector<size_t> sizes_;
  std::vector<int64_t> garbage_;
  std::vector<TraceStep> steps_;
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
      trace_.allocate(layer.weight);
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
      if (!has_gradients_) {
        trace_.allocate(layers[i].weight);
      }
      release(workspace);
      trace_.drop(gradient);
      trace_.drop(outputs[i]);
      gradient = below;
    }
    trace_.drop(gradient);
    for (const LayerSizes& layer : layers) {
      if (!has_gradients_) {
        trace_.allocate(layer.weight);  // momentum
      }
      trace_.drop(trace_.allocate(layer.weight));  // decayed gradient
    }
    has_gradients_ = true;
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

struct Trace {
  std::string name;
  bool fixed_shapes;
  std::vector<TraceStep> steps;
};

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
  make("resnet, image sizes vary", false, 0, 30, [&](bool) {
    return resnet(16, 32 * any_of(4, 10));
  });
  make("transformer, lengths vary", false, 0, 40, [&](bool) {
    return transformer(8, any_of(32, 512));
  });
  make("transformer, lengths vary, collected", false, 256 * MiB, 40, [&](bool) {
    return transformer(8, any_of(32, 512));
  });
  make("transformer, batches and lengths vary", false, 0, 40, [&](bool) {
    return transformer(any_of(1, 16), any_of(32, 384));
  });
  return traces;
}

/// PyTorch's caching allocator with expandable segments, as its documentation describes it: sizes
/// rounded to 512 bytes; up to 1 MiB from a small heap that grows by 2 MiB, else from a large one
/// that grows by 20 MiB; best fit, the lowest address among equals; every block is split.
class ExpandableSegmentsModel {
 public:
  void allocate(int64_t id, size_t bytes) {
    bytes = (bytes + 511) / 512 * 512;
    Heap& heap = bytes <= (size_t(1) << 20) ? small_ : large_;
    // The end of the mapped part may grow, so it counts as the largest block.
    auto best = heap.by_size.lower_bound({bytes, 0});
    if (best != heap.by_size.end() && best->second + best->first == heap.end) {
      auto other = std::next(best);
      if (other != heap.by_size.end()) {
        best = other;
      }
    }
    if (best == heap.by_size.end()) {
      size_t begin = heap.end;
      if (!heap.free.empty()) {
        const auto last = std::prev(heap.free.end());
        if (last->first + last->second == heap.end) {
          begin = last->first;
          remove(heap, begin);
        }
      }
      const size_t missing = begin + bytes > heap.end ? begin + bytes - heap.end : 0;
      const size_t grown = (missing + heap.step - 1) / heap.step * heap.step;
      heap.end += grown;
      reserved += grown;
      insert(heap, begin, heap.end - begin);
      best = heap.by_size.find({heap.end - begin, begin});
    }
    const auto [size, begin] = *best;
    remove(heap, begin);
    if (size > bytes) {
      insert(heap, begin + bytes, size - bytes);
    }
    live_[id] = {&heap, begin, bytes};
  }
  void free(int64_t id) {
    auto [heap, begin, bytes] = live_.at(id);
    live_.erase(id);
    const auto next = heap->free.find(begin + bytes);
    if (next != heap->free.end()) {
      bytes += next->second;
      remove(*heap, next->first);
    }
    auto previous = heap->free.lower_bound(begin);
    if (previous != heap->free.begin()) {
      --previous;
      if (previous->first + previous->second == begin) {
        begin = previous->first;
        bytes += previous->second;
        remove(*heap, begin);
      }
    }
    insert(*heap, begin, bytes);
  }

  size_t reserved = 0;  // never falls

 private:
  struct Heap {
    size_t step;
    size_t end = 0;
    std::map<size_t, size_t> free{};                // begin -> bytes
    std::set<std::pair<size_t, size_t>> by_size{};  // bytes, begin
  };
  struct Live {
    Heap* heap;
    size_t begin, bytes;
  };

  static void insert(Heap& heap, size_t begin, size_t bytes) {
    heap.free[begin] = bytes;
    heap.by_size.insert({bytes, begin});
  }
  static void remove(Heap& heap, size_t begin) {
    heap.by_size.erase({heap.free.at(begin), begin});
    heap.free.erase(begin);
  }

  Heap small_{size_t(2) << 20}, large_{size_t(20) << 20};
  std::map<int64_t, Live> live_;
};

}  // namespace th::testing_support
