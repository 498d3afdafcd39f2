// Whether somebody at a prompt has pressed Ctrl-C: see TH_interrupt.h.
#pragma once

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th::interrupt {

/// Looked at between blocks of some milliseconds of work, by any thread: work that nobody waits for
/// any more is left undone.
bool asked();

/// For who has left work undone: fails. Where an exception cannot pass, within a loop of several
/// threads, the loop's end fails. asked() may answer no by then: somebody has taken the interrupt.
void left_undone();

}  // namespace th::interrupt

#pragma GCC visibility pop
