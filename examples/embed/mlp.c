// A multilayer perceptron on the C ABI alone: no Lua in the process.
//
//   mlp weights.bin 784 256 10 < rows > probabilities
//
// weights.bin has the layers' weights (outputs x inputs) and biases one after another as floats
// (export.lua writes it); standard input has rows of floats, standard output gets as many rows of
// the last layer's softmax.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "TH.h"

enum { MOST_LAYERS = 8, BATCH = 256 };

// A tensor is a value: zeroed it is empty, and what it holds is given back by TH_Tensor_release. An
// empty one of floats is what operations want for a result.
static TH_Tensor empty(void) {
  TH_Tensor t;
  memset(&t, 0, sizeof t);
  TH_Tensor_init(&t, TH_FLOAT, TH_CPU, 0);
  return t;
}

typedef struct Layer {
  TH_Tensor weight, bias;
} Layer;

typedef struct Net {
  int layers;
  Layer layer[MOST_LAYERS];
} Net;

static void release(Net* net) {
  for (int i = 0; i < net->layers; ++i) {
    TH_Tensor_release(&net->layer[i].weight);
    TH_Tensor_release(&net->layer[i].bias);
  }
  net->layers = 0;
}

// A part of the file as a tensor, whose memory is the file's pages: nothing is copied. The tensor
// has a reference of its own to the storage.
static int part(TH_Tensor* t, const TH_StorageRef* file, int64_t* at, int ndim,
                const int64_t* sizes) {
  const int64_t strides[] = {ndim == 2 ? sizes[1] : 1, 1};
  *t = empty();
  const int status = TH_setStorage(t, file, *at, ndim, sizes, strides);
  *at += ndim == 2 ? sizes[0] * sizes[1] : sizes[0];
  return status;
}

// sizes: of the input, then of each layer's output. On failure nothing is held.
static int load(Net* net, const char* path, int layers, const int64_t* sizes) {
  int64_t wanted = 0;
  for (int i = 0; i < layers; ++i) {
    wanted += (sizes[i] + 1) * sizes[i + 1];
  }
  TH_StorageRef file = {NULL};
  net->layers = 0;
  int status = TH_Storage_map(&file, TH_FLOAT, path, false, false, 0);
  if (status != TH_OK) {
    return status;
  }
  if (file.store->length != wanted) {
    fprintf(stderr, "mlp: %s has %lld floats, wanted %lld\n", path, (long long)file.store->length,
            (long long)wanted);
    TH_StorageRef_release(&file);
    return -1;
  }
  int64_t at = 0;
  for (int i = 0; i < layers && status == TH_OK; ++i) {
    Layer* layer = &net->layer[net->layers++];
    layer->bias = empty();
    status = part(&layer->weight, &file, &at, 2, (int64_t[]){sizes[i + 1], sizes[i]});
    if (status == TH_OK) {
      status = part(&layer->bias, &file, &at, 1, &sizes[i + 1]);
    }
  }
  TH_StorageRef_release(&file);  // the tensors keep it
  if (status != TH_OK) {
    release(net);
  }
  return status;
}

// y = softmax(W2 relu(W1 x + b1) + b2), for any number of layers. A failure leaves y as it was.
static int forward(TH_Tensor* y, const Net* net, const TH_Tensor* x) {
  TH_Tensor hidden = empty();
  int status = TH_OK;
  for (int i = 0; i < net->layers && status == TH_OK; ++i) {
    const Layer* layer = &net->layer[i];
    status = TH_linear(&hidden, i == 0 ? x : &hidden, &layer->weight, &layer->bias);
    if (status == TH_OK && i + 1 < net->layers) {
      status = TH_relu(&hidden, &hidden);
    }
  }
  if (status == TH_OK) {
    status = TH_softmax(y, &hidden, 1);
  }
  TH_Tensor_release(&hidden);
  return status;
}

// Rows of standard input, a batch at a time.
static int run(const Net* net, int64_t inputs, int64_t outputs) {
  float* memory = malloc(sizeof(float) * (size_t)(BATCH * inputs));
  TH_Tensor y = empty();
  int status = memory == NULL ? -1 : TH_OK;
  size_t rows = 0;
  while (status == TH_OK &&
         (rows = fread(memory, sizeof(float) * (size_t)inputs, BATCH, stdin)) > 0) {
    // A tensor over memory of our own, which must outlive it.
    TH_StorageRef storage = {NULL};
    TH_Tensor x = empty();
    status = TH_Storage_in(&storage, TH_FLOAT, memory, (int64_t)rows * inputs);
    if (status == TH_OK) {
      status = TH_setStorage(&x, &storage, 0, 2, (int64_t[]){(int64_t)rows, inputs},
                             (int64_t[]){inputs, 1});
    }
    if (status == TH_OK) {
      status = forward(&y, net, &x);
    }
    TH_Tensor_release(&x);
    TH_StorageRef_release(&storage);
    if (status == TH_OK && fwrite(y.store->float_data + y.offset, sizeof(float) * (size_t)outputs,
                                  rows, stdout) != rows) {
      fputs("mlp: standard output cannot be written\n", stderr);
      status = -1;
    }
  }
  TH_Tensor_release(&y);
  free(memory);
  return status;
}

int main(int argc, char** argv) {
  const int layers = argc - 3;
  int64_t sizes[MOST_LAYERS + 1];
  int usable = layers >= 1 && layers <= MOST_LAYERS;
  for (int i = 0; usable && i <= layers; ++i) {
    char* end = NULL;
    sizes[i] = strtoll(argv[i + 2], &end, 10);
    usable = *end == '\0' && sizes[i] > 0 && sizes[i] <= 1 << 20;
  }
  if (!usable) {
    fputs("usage: mlp weights.bin inputs [hidden...] outputs < rows > probabilities\n", stderr);
    return 2;
  }
  Net net;
  int status = load(&net, argv[1], layers, sizes);
  if (status == TH_OK) {
    status = run(&net, sizes[0], sizes[layers]);
  }
  release(&net);
  if (status > 0) {  // of the library
    fprintf(stderr, "mlp: %s\n", TH_lastError());
  }
  if (*TH_liveBytes(TH_CPU) != 0) {  // every reference has been given back
    fprintf(stderr, "mlp: %lld bytes are still held\n", (long long)*TH_liveBytes(TH_CPU));
    status = -1;
  }
  return status == TH_OK ? 0 : 1;
}
