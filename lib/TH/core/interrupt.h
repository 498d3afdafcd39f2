// Whether somebody at a prompt has pressed Ctrl-C: see TH_interrupt.h.
#pragma once

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th::interrupt {

/// Looked at between blocks of some milliseconds of work, by any thread: work that nobody waits for
/// any more is left undone.
bool asked();

/// Fails if work was left undone. Where an exception cannot pass, within a loop of several threads,
/// nothing happens: the loop's end fails.
void check();

}  // namespace th::interrupt

#pragma GCC visibility pop
