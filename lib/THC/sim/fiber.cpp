#include "sim/fiber.h"

#include <cstdint>

#ifndef __x86_64__
#include <ucontext.h>
#endif

namespace thc::sim {

#ifdef __x86_64__

// swapcontext asks the kernel to change the signal mask, at 200 ns a time; a block of 256 threads
// switches thousands of times. This keeps what the calling convention says a function keeps.
// (System V Application Binary Interface, AMD64 supplement, section 3.2.1.)
asm(R"(
  .text
  .type thc_sim_switch_stack, @function
thc_sim_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size thc_sim_switch_stack, . - thc_sim_switch_stack
)");

extern "C" void thc_sim_switch_stack(void** save, void* load);

void prepare_fiber(FiberContext& context, char* stack, unsigned long bytes, void (*entry)()) {
  const auto top = (reinterpret_cast<uintptr_t>(stack) + bytes) & ~uintptr_t{15};
  auto* words = reinterpret_cast<uintptr_t*>(top);
  *--words = 0;  // entry's return address, which nobody takes
  *--words = reinterpret_cast<uintptr_t>(entry);
  for (int i = 0; i < 6; ++i) {
    *--words = 0;
  }
  context.stack_pointer = words;
}

void switch_fiber(FiberContext& from, FiberContext& to) {
  thc_sim_switch_stack(&from.stack_pointer, to.stack_pointer);
}

#else

namespace {

ucontext_t& of(FiberContext& context) {
  if (context.ucontext == nullptr) {
    context.ucontext = new ucontext_t;  // kept with the fiber, which is used again and again
  }
  return *static_cast<ucontext_t*>(context.ucontext);
}

}  // namespace

void prepare_fiber(FiberContext& context, char* stack, unsigned long bytes, void (*entry)()) {
  ucontext_t& c = of(context);
  getcontext(&c);
  c.uc_stack.ss_sp = stack;
  c.uc_stack.ss_size = bytes;
  c.uc_link = nullptr;
  makecontext(&c, entry, 0);
}

void switch_fiber(FiberContext& from, FiberContext& to) { swapcontext(&of(from), &of(to)); }

#endif

}  // namespace thc::sim
