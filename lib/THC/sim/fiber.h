// Switching between stacks within one host thread.
#pragma once

namespace thc::sim {

/// Where a suspended fiber goes on.
struct FiberContext {
  void* stack_pointer = nullptr;
  void* ucontext = nullptr;  // where there is no switch of our own for the processor
};

/// Make `context` a fiber that begins with entry() on [stack, stack + bytes). entry must not
/// return.
void prepare_fiber(FiberContext& context, char* stack, unsigned long bytes, void (*entry)());
/// Suspend into `from`, go on with `to`.
void switch_fiber(FiberContext& from, FiberContext& to);

}  // namespace thc::sim
