// The C ABI of what only devices have: which there are, streams, events, their memory and their
// random numbers. Tensors and operations are those of TH.h, with device_type TH_CUDA; loading this
// library makes them work. Conventions as there: a function returns a TH_Status, TH_lastError() has
// the text.
//
// Devices and dimensions count from 0; texts count devices from 1, as scripts do. Everything that
// has a "current" has one per thread.
#ifndef THC_H
#define THC_H

#ifndef TH_CDEF
#include "TH.h"
#pragma GCC visibility push(default)  // everything else stays inside the library
#ifdef __cplusplus
extern "C" {
#endif
#endif

// Whether this library is the simulated one.
bool THC_isSimulated(void);

// --- devices -------------------------------------------------------------------------------------
typedef struct {
  char name[256];
  int32_t major, minor;  // compute capability
  int64_t totalGlobalMem, sharedMemPerBlock, totalConstMem, memPitch, textureAlignment;
  int32_t regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsPerMultiProcessor;
  int32_t maxThreadsDim[3], maxGridSize[3];
  int32_t multiProcessorCount, clockRate, memoryClockRate, memoryBusWidth, l2CacheSize;
  int32_t computeMode, integrated, canMapHostMemory, concurrentKernels, kernelExecTimeoutEnabled;
  int32_t ECCEnabled, unifiedAddressing, pciBusID, pciDeviceID, pciDomainID;
} THC_Properties;

// An error, with cause and remedy, where no device can be used.
int THC_deviceCount(int* count);
int THC_currentDevice(int* device);
int THC_setDevice(int device);
int THC_deviceProperties(THC_Properties* properties, int device);
int THC_memoryUsage(int device, int64_t* free_bytes, int64_t* total_bytes);
// 13000 is CUDA 13.0; the driver's is 0 where there is none.
int THC_driverVersion(int* version);
int THC_runtimeVersion(int* version);
// Wait for all work of a device; device < 0: of all devices.
int THC_synchronize(int device);
int THC_canAccessPeer(int device, int peer, bool* can);
int THC_peerAccess(int device, int peer, bool* enabled);
int THC_setPeerAccess(int device, int peer, bool enabled);

// --- streams: numbers per device, 0 is the default stream ----------------------------------------
// Have streams 1 to `count` on every device.
int THC_reserveStreams(int count, bool non_blocking);
int THC_streamCount(int* count);
int THC_currentStream(int device, int* stream);
int THC_setStream(int device, int stream);
int THC_synchronizeStream(int device, int stream);
// What comes next on `stream` waits for what is on `other` of `other_device` now.
int THC_streamWaitFor(int device, int stream, int other_device, int other);

// --- events --------------------------------------------------------------------------------------
typedef struct THC_Event THC_Event;
// Recorded at once on the device's current stream. NULL on failure.
THC_Event* THC_Event_new(int device, bool timed);
void THC_Event_free(THC_Event* event);
int THC_Event_record(THC_Event* event, int device);
// The device's current stream waits; the host does not.
int THC_Event_waitOn(THC_Event* event, int device);
int THC_Event_synchronize(THC_Event* event);
int THC_Event_query(THC_Event* event, bool* passed);
int THC_Event_elapsed(const THC_Event* start, const THC_Event* end, double* milliseconds);

// --- copies and pinned memory --------------------------------------------------------------------
// As TH_copy, but where the host's side lies compactly in pinned memory it returns at once: do not
// touch that memory before the device's current stream has passed.
int THC_copyAsync(TH_Tensor* r, const TH_Tensor* x);
// A storage of the CPU in page-locked memory. Should it have to grow, it becomes an ordinary one.
int THC_PinnedStorage_new(TH_StorageRef* ref, int dtype, int64_t length);
bool THC_isPinned(const TH_StorageRef* ref);

// --- memory: the caching allocator ---------------------------------------------------------------
// `device` is a device's pool, or THC_PINNED for that of page-locked host memory, or THC_HOST for
// that of the CPU's tensors.
enum { THC_PINNED = -1, THC_HOST = -2 };

typedef struct {
  int64_t current, peak, total;
} THC_Counter;

// Bytes unless said otherwise.
typedef struct {
  THC_Counter requested;        // asked for by live blocks
  THC_Counter allocated;        // held by live blocks, rounding included
  THC_Counter reserved;         // taken from the device
  THC_Counter inactive;         // free, but between live blocks
  THC_Counter blocks;           // live blocks
  THC_Counter segments;         // pieces taken from the device
  THC_Counter inactive_blocks;  // what `inactive` consists of
  int64_t retries;              // times the cache was given back because memory had run out
  int64_t failures;             // requests refused in the end
  int64_t limit;                // 0: none
} THC_MemoryStatistics;

typedef struct {
  int64_t bytes;  // blocks of at least so many, less than the next class
  THC_Counter blocks;
} THC_ClassStatistics;

int THC_memoryStatistics(int device, THC_MemoryStatistics* statistics);
// At most `room` size classes that were ever used, ascending; *count is how many there are.
int THC_memoryClasses(int device, THC_ClassStatistics* classes, int room, int* count);
int THC_resetPeaks(int device);
// Give free memory of a pool back; *bytes is how much.
int THC_emptyCache(int device, int64_t* bytes);
// At most so many bytes of a device for this process; 0: no limit.
int THC_setMemoryLimit(int device, int64_t bytes);
// Whether a device's memory is taken in ranges of addresses that are filled page by page, or in
// segments; ranges unless the device cannot, or THC_MEMORY=segments is in the environment.
int THC_memoryRanges(int device, bool* on);
int THC_setMemoryRanges(int device, bool on);
// Remember the latest `entries` events of a pool, and the line of each live block; 0 stops.
int THC_keepHistory(int device, int64_t entries);
// Put a mark into the history: a step of the program ends here.
int THC_markHistory(int device);
// The history as a trace for bench/replay. The text stays until this thread asks again.
int THC_memoryTrace(int device, const char** text);
// The line of the script that the next calls belong to ("train.lua:41"); while a history is kept.
void THC_setAllocationLine(const char* line);
// Everything a pool holds, as JSON. The text stays until this thread asks again.
int THC_memorySnapshot(int device, const char** json);

// --- vendor libraries ----------------------------------------------------------------------------
typedef struct {
  bool tf32;           // float products with 10-bit mantissas: faster, less exact
  bool cudnn;          // false: kernels of our own instead
  bool benchmark;      // measure cuDNN's algorithms for each new shape, keep the fastest
  bool deterministic;  // only algorithms that give the same bits every time
  int64_t workspace;   // bytes an algorithm of cuDNN may take
} THC_VendorOptions;
void THC_getVendorOptions(THC_VendorOptions* options);
int THC_setVendorOptions(const THC_VendorOptions* options);
// Forget which algorithms were chosen, and measured, for which shapes.
void THC_forgetPlans();
// Convolutions of this process that cuDNN ran and that it left to kernels of our own; its calls
// that were no success, and the last one's status.
typedef struct THC_VendorCounts {
  int64_t ran;
  int64_t declined;
  int64_t troubles;
  int lastTrouble;
} THC_VendorCounts;
void THC_vendorCounts(THC_VendorCounts* counts);
// 90000 is cuDNN 9.0.0; an error, with cause and remedy, where it cannot be used.
int THC_cudnnVersion(int* version);

// --- rings: a device of each of several processes, by NCCL ---------------------------------------
// Tensors are compact, of the ring's device; calls are enqueued on a stream of the ring's own,
// which waits for what is on the device's current stream by then.
typedef struct THC_Ring THC_Ring;
typedef enum {
  THC_RING_BROADCAST = 0,
  THC_RING_ALL_REDUCE = 1,
  THC_RING_REDUCE_SCATTER = 2,
  THC_RING_ALL_GATHER = 3
} THC_RingKind;
typedef enum {
  THC_RING_SUM = 0,
  THC_RING_PRODUCT = 1,
  THC_RING_MIN = 2,
  THC_RING_MAX = 3
} THC_RingReduction;
enum { THC_RING_ID_BYTES = 128 };
// 22803 is NCCL 2.28.3, 0 the simulated one; an error, with cause and remedy, where there is none.
int THC_ncclVersion(int* version);
// What one rank makes and the others are told.
int THC_Ring_id(char* id);
// All ranks, counted from 0, at the same time.
int THC_Ring_open(THC_Ring** ring, const char* id, int device, int rank, int size);
void THC_Ring_close(THC_Ring* ring);
// r of broadcast and allReduce is x; of reduceScatter a part, of allGather all parts. What comes
// next on the current stream waits for the call where `done` is NULL; otherwise an event is left
// there for whoever needs r.
int THC_Ring_run(THC_Ring* ring, int kind, int reduction, int root, TH_Tensor* r,
                 const TH_Tensor* x, THC_Event** done);

// --- kernels of the script's own -----------------------------------------------------------------
typedef struct THC_Kernel THC_Kernel;
typedef struct THC_KernelLaunch {
  uint32_t grid[3], block[3];  // in x, y and z
  int64_t shared_bytes;
  int device;
  int argument_count;
  const uint64_t* arguments;  // each at the beginning of its 8 bytes
  int tensor_count;
  const TH_Tensor* const* tensors;
  const int* places;    // of the tensors among the arguments; each becomes an address there
  const bool* written;  // of the tensors
} THC_KernelLaunch;
// What compiles, and for what; an error, with cause and remedy, where there is nothing. Both texts
// stay until this thread asks again.
int THC_Kernel_target(int device, const char** target);
// CUDA C to code for a device; `address` is a C++ expression for the kernel's address. An error is
// what the compiler says. Not on simulated devices.
int THC_Kernel_compile(const char* source, const char* address, int device, const char** code,
                       int64_t* bytes);
// Of code; on simulated devices of a library's path. A kernel stays as long as the process.
int THC_Kernel_open(THC_Kernel** kernel, const char* code, int64_t bytes, const char* name,
                    int device);
// On the device's current stream; returns before it is done.
int THC_Kernel_launch(THC_Kernel* kernel, const THC_KernelLaunch* launch);

// --- random numbers: Philox4x32-10, a seed and a position per device -----------------------------
int THC_manualSeed(int device, uint64_t seed);
int THC_seed(int device, uint64_t* seed);
int THC_initialSeed(int device, uint64_t* seed);
enum { THC_RANDOM_STATE_BYTES = 32 };
int THC_getRandomState(int device, uint8_t* state, int64_t bytes);
int THC_setRandomState(int device, const uint8_t* state, int64_t bytes);

// --- simulated devices (errors elsewhere) --------------------------------------------------------
// The seed of the order in which streams run.
int THC_Sim_seed(uint64_t seed);
// Let the count'th call of a CUDA function from now on fail once, with CUDA's error number `error`
// (0: the function's usual one). "kernel" counts kernels. 0 takes it back.
int THC_Sim_fail(const char* function, int count, int error);
// As if a driver of that version was installed (13000 is 13.0), 0: none.
int THC_Sim_setDriver(int version);
int THC_Sim_setCudnn(int version);
// Forget faults, as only a new process can on a real device.
int THC_Sim_reset(void);
// Tasks that have not run yet.
int THC_Sim_pending(int64_t* count);

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
#endif
