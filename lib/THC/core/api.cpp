// The C ABI of THC.h: each function checks, calls the core, and returns a status.
#include <algorithm>
#include <cstring>

#include "THC.h"
#include "core/call/call.h"
#include "core/event.h"
#include "core/memory/allocator.h"
#include "core/memory/host_allocator.h"
#include "core/memory/storage.h"
#include "core/plan_cache.h"
#include "core/random_state.h"
#include "core/stream.h"
#include "core/tensor/tensor.h"
#include "core/vendor/vendor.h"
#include "cuda/copy.h"

#ifdef THC_SIMULATED
#include "sim/control.h"
#endif

using th::guarded;

namespace {

th::BlockPool& pool_of(int device) {
  return device == THC_PINNED ? thc::pinned_pool()
         : device == THC_HOST ? th::HostAllocator::instance().pool()
                              : thc::device_pool(device);
}

THC_Counter counter(const th::Counter& c) { return {c.current, c.peak, c.total}; }

thc::Event& event_of(const THC_Event* event) {
  TH_CHECK(event != nullptr, "needs an event, got none");
  return *reinterpret_cast<thc::Event*>(const_cast<THC_Event*>(event));
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  THC_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

template <class F>
int simulated([[maybe_unused]] F&& f) {
  return guarded(nullptr, [&] {
#ifdef THC_SIMULATED
    f();
#else
    th::fail("only the simulated build can do this; start with THC_SIM_DEVICES set");
#endif
  });
}

}  // namespace

extern "C" {

bool THC_isSimulated() {
#ifdef THC_SIMULATED
  return true;
#else
  return false;
#endif
}

// --- devices -------------------------------------------------------------------------------------

int THC_deviceCount(int* count) {
  return guarded("cutorch", [&] { *count = thc::device_count(); });
}

int THC_currentDevice(int* device) {
  return guarded("getDevice", [&] {
    thc::device_count();
    *device = thc::current_device();
  });
}

int THC_setDevice(int device) {
  return guarded("setDevice", [&] { thc::set_current_device(device); });
}

int THC_deviceProperties(THC_Properties* r, int device) {
  return guarded("getDeviceProperties", [&] {
    const cudaDeviceProp& p = thc::device_properties(device);
    *r = THC_Properties{};
    std::memcpy(r->name, p.name, sizeof(r->name));
    r->major = p.major;
    r->minor = p.minor;
    r->totalGlobalMem = static_cast<int64_t>(p.totalGlobalMem);
    r->sharedMemPerBlock = static_cast<int64_t>(p.sharedMemPerBlock);
    r->totalConstMem = static_cast<int64_t>(p.totalConstMem);
    r->memPitch = static_cast<int64_t>(p.memPitch);
    r->textureAlignment = static_cast<int64_t>(p.textureAlignment);
    r->regsPerBlock = p.regsPerBlock;
    r->warpSize = p.warpSize;
    r->maxThreadsPerBlock = p.maxThreadsPerBlock;
    r->maxThreadsPerMultiProcessor = p.maxThreadsPerMultiProcessor;
    std::copy_n(p.maxThreadsDim, 3, r->maxThreadsDim);
    std::copy_n(p.maxGridSize, 3, r->maxGridSize);
    r->multiProcessorCount = p.multiProcessorCount;
    r->clockRate = attribute(cudaDevAttrClockRate, device);
    r->memoryClockRate = attribute(cudaDevAttrMemoryClockRate, device);
    r->memoryBusWidth = attribute(cudaDevAttrGlobalMemoryBusWidth, device);
    r->l2CacheSize = p.l2CacheSize;
    r->computeMode = attribute(cudaDevAttrComputeMode, device);
    r->integrated = p.integrated;
    r->canMapHostMemory = p.canMapHostMemory;
    r->concurrentKernels = p.concurrentKernels;
    r->kernelExecTimeoutEnabled = attribute(cudaDevAttrKernelExecTimeout, device);
    r->ECCEnabled = p.ECCEnabled;
    r->unifiedAddressing = p.unifiedAddressing;
    r->pciBusID = p.pciBusID;
    r->pciDeviceID = p.pciDeviceID;
    r->pciDomainID = p.pciDomainID;
  });
}

int THC_memoryUsage(int device, int64_t* free_bytes, int64_t* total_bytes) {
  return guarded("getMemoryUsage", [&] {
    thc::check_device(device);
    thc::activate(device);
    size_t free = 0;
    size_t total = 0;
    THC_CHECK(cudaMemGetInfo(&free, &total));
    *free_bytes = static_cast<int64_t>(free);
    *total_bytes = static_cast<int64_t>(total);
  });
}

int THC_driverVersion(int* version) {
  return guarded("getDriverVersion", [&] { THC_CHECK(cudaDriverGetVersion(version)); });
}

int THC_runtimeVersion(int* version) {
  return guarded("getRuntimeVersion", [&] { THC_CHECK(cudaRuntimeGetVersion(version)); });
}

int THC_synchronize(int device) {
  return guarded("synchronize", [&] {
    if (device >= 0) {
      thc::synchronize(device);
      return;
    }
    for (int d = 0, count = thc::device_count(); d < count; ++d) {
      thc::synchronize(d);
    }
    thc::activate(thc::current_device());
  });
}

int THC_canAccessPeer(int device, int peer, bool* can) {
  return guarded("getPeerToPeerAccess", [&] { *can = thc::can_access_peer(device, peer); });
}

int THC_peerAccess(int device, int peer, bool* enabled) {
  return guarded("getPeerToPeerAccess", [&] { *enabled = thc::peer_access(device, peer); });
}

int THC_setPeerAccess(int device, int peer, bool enabled) {
  return guarded("setPeerToPeerAccess", [&] { thc::set_peer_access(device, peer, enabled); });
}

// --- streams -------------------------------------------------------------------------------------

int THC_reserveStreams(int count, bool non_blocking) {
  return guarded("reserveStreams", [&] { thc::reserve_streams(count, non_blocking); });
}

int THC_streamCount(int* count) {
  return guarded("getNumStreams", [&] { *count = thc::stream_count(); });
}

int THC_currentStream(int device, int* stream) {
  return guarded("getStream", [&] { *stream = thc::current_stream_index(device); });
}

int THC_setStream(int device, int stream) {
  return guarded("setStream", [&] { thc::set_current_stream(device, stream); });
}

int THC_synchronizeStream(int device, int stream) {
  return guarded("streamSynchronize", [&] { thc::synchronize_stream(device, stream); });
}

int THC_streamWaitFor(int device, int stream, int other_device, int other) {
  return guarded("streamWaitFor", [&] {
    thc::wait_for(device, thc::stream_at(device, stream), other_device,
                  thc::stream_at(other_device, other));
  });
}

// --- events --------------------------------------------------------------------------------------

THC_Event* THC_Event_new(int device, bool timed) {
  thc::Event* event = nullptr;
  guarded("Event", [&] { event = new thc::Event(device, timed); });
  return reinterpret_cast<THC_Event*>(event);
}

void THC_Event_free(THC_Event* event) { delete reinterpret_cast<thc::Event*>(event); }

int THC_Event_record(THC_Event* event, int device) {
  return guarded("record", [&] { event_of(event).record(device); });
}

int THC_Event_waitOn(THC_Event* event, int device) {
  return guarded("waitOn", [&] { event_of(event).wait_on(device); });
}

int THC_Event_synchronize(THC_Event* event) {
  return guarded("synchronize", [&] { event_of(event).synchronize(); });
}

int THC_Event_query(THC_Event* event, bool* passed) {
  return guarded("query", [&] { *passed = event_of(event).passed(); });
}

int THC_Event_elapsed(const THC_Event* start, const THC_Event* end, double* milliseconds) {
  return guarded("elapsed",
                 [&] { *milliseconds = thc::Event::elapsed(event_of(start), event_of(end)); });
}

// --- copies and pinned memory --------------------------------------------------------------------

int THC_copyAsync(TH_Tensor* r, const TH_Tensor* x) {
  return th::backend_copy(r, x, [](TH_Tensor* to, const TH_Tensor* from) {
    return guarded("copyAsync", [&] { thc::copy_async(*to, *from); });
  });
}

int THC_PinnedStorage_new(TH_StorageRef* ref, int dtype, int64_t length) {
  return guarded("Storage", [&] {
    TH_Storage* s = thc::new_pinned_storage(dtype, length);
    th::release(ref->store);
    ref->store = s;
  });
}

bool THC_isPinned(const TH_StorageRef* ref) {
  TH_Tensor t{};
  t.store = ref->store;
  return thc::is_pinned(t);
}

// --- memory --------------------------------------------------------------------------------------

int THC_memoryStatistics(int device, THC_MemoryStatistics* r) {
  return guarded("memoryStatistics", [&] {
    const th::PoolStatistics s = pool_of(device).statistics();
    *r = {counter(s.requested),
          counter(s.allocated),
          counter(s.reserved),
          counter(s.inactive),
          counter(s.blocks),
          counter(s.segments),
          counter(s.inactive_blocks),
          s.retries,
          s.failures,
          s.limit};
  });
}

int THC_memoryClasses(int device, THC_ClassStatistics* classes, int room, int* count) {
  return guarded("memoryStatistics", [&] {
    const th::PoolStatistics s = pool_of(device).statistics();
    *count = static_cast<int>(s.by_class.size());
    for (int i = 0; i < std::min(room, *count); ++i) {
      const th::ClassStatistics& from = s.by_class[static_cast<size_t>(i)];
      classes[i] = {static_cast<int64_t>(from.bytes), counter(from.blocks)};
    }
  });
}

int THC_resetPeaks(int device) {
  return guarded("resetPeaks", [&] { pool_of(device).reset_peaks(); });
}

int THC_emptyCache(int device, int64_t* bytes) {
  return guarded("emptyCache", [&] {
    th::drop_plans();
    ++thc::vendor_options().generation;  // algorithms that found no memory may find some now
    *bytes = static_cast<int64_t>(pool_of(device).empty_cache());
  });
}

int THC_setMemoryLimit(int device, int64_t bytes) {
  return guarded("setMemoryLimit", [&] {
    TH_CHECK(bytes >= 0, "a limit cannot be ", bytes, " bytes; 0 is none");
    pool_of(device).set_limit(static_cast<size_t>(bytes));
  });
}

int THC_memoryRanges(int device, bool* on) {
  return guarded("memoryRanges", [&] { *on = thc::memory_ranges(device); });
}

int THC_setMemoryRanges(int device, bool on) {
  return guarded("setMemoryRanges", [&] { thc::set_memory_ranges(device, on); });
}

int THC_keepHistory(int device, int64_t entries) {
  return guarded("keepHistory", [&] {
    TH_CHECK(entries >= 0, "cannot keep ", entries, " events; 0 keeps none");
    pool_of(device).keep_history(static_cast<size_t>(entries));
  });
}

int THC_markHistory(int device) {
  return guarded("markHistory", [&] { pool_of(device).mark(); });
}

int THC_memoryTrace(int device, const char** result) {
  return guarded("memoryTrace", [&] {
    thread_local std::string text;
    text = pool_of(device).trace();
    *result = text.c_str();
  });
}

void THC_setAllocationLine(const char* line) {
  guarded(nullptr, [&] { th::set_allocation_line(line == nullptr ? "" : line); });
}

int THC_memorySnapshot(int device, const char** json) {
  return guarded("memorySnapshot", [&] {
    thread_local std::string text;
    text = pool_of(device).snapshot();
    *json = text.c_str();
  });
}

// --- vendor libraries ----------------------------------------------------------------------------

void THC_getVendorOptions(THC_VendorOptions* r) {
  const thc::VendorOptions& o = thc::vendor_options();
  *r = {o.tf32, o.cudnn, o.benchmark, o.deterministic, o.workspace};
}

int THC_setVendorOptions(const THC_VendorOptions* o) {
  return guarded("setOptions", [&] {
    TH_CHECK(o->workspace >= 0, "a workspace cannot have ", o->workspace, " bytes");
    thc::VendorOptions& options = thc::vendor_options();
    options = {o->tf32, o->cudnn, o->benchmark, o->deterministic, o->workspace, options.generation};
  });
}

void THC_forgetPlans() { ++thc::vendor_options().generation; }

void THC_vendorCounts(THC_VendorCounts* r) {
  const thc::VendorCounts& c = thc::vendor_counts();
  *r = {c.ran, c.declined, c.troubles, c.last_trouble};
}

int THC_cudnnVersion(int* version) {
  return guarded("cudnn", [&] { *version = thc::cudnn_version(); });
}

// --- random numbers ------------------------------------------------------------------------------

int THC_manualSeed(int device, uint64_t seed) {
  return guarded("manualSeed", [&] { thc::manual_seed(device, seed); });
}

int THC_seed(int device, uint64_t* seed) {
  return guarded("seed", [&] { *seed = thc::seed(device); });
}

int THC_initialSeed(int device, uint64_t* seed) {
  return guarded("initialSeed", [&] { *seed = thc::initial_seed(device); });
}

int THC_getRandomState(int device, uint8_t* state, int64_t bytes) {
  return guarded("getRNGState", [&] {
    thc::get_state(device, std::span(state, static_cast<size_t>(std::max<int64_t>(bytes, 0))));
  });
}

int THC_setRandomState(int device, const uint8_t* state, int64_t bytes) {
  return guarded("setRNGState", [&] {
    thc::set_state(device, std::span(state, static_cast<size_t>(std::max<int64_t>(bytes, 0))));
  });
}

// --- simulated devices ---------------------------------------------------------------------------

#ifdef THC_SIMULATED
#define THC_ONLY_SIMULATED(...) [&] { __VA_ARGS__; }
#else
#define THC_ONLY_SIMULATED(...) [] {}
#endif

int THC_Sim_seed([[maybe_unused]] uint64_t seed) {
  return simulated(THC_ONLY_SIMULATED(thc::sim::set_seed(seed)));
}
int THC_Sim_fail([[maybe_unused]] const char* function, [[maybe_unused]] int count,
                 [[maybe_unused]] int error) {
  return simulated(
      THC_ONLY_SIMULATED(thc::sim::fail(function, count, static_cast<cudaError_t>(error))));
}
int THC_Sim_setDriver([[maybe_unused]] int version) {
  return simulated(THC_ONLY_SIMULATED(thc::sim::set_driver(version)));
}
int THC_Sim_setCudnn([[maybe_unused]] int version) {
  return simulated(THC_ONLY_SIMULATED(thc::sim::set_cudnn(version)));
}
int THC_Sim_reset() { return simulated(THC_ONLY_SIMULATED(thc::sim::reset())); }
int THC_Sim_pending([[maybe_unused]] int64_t* count) {
  return simulated(THC_ONLY_SIMULATED(*count = static_cast<int64_t>(thc::sim::pending())));
}

}  // extern "C"
