// Variables of a thread that every small operation reaches for: at a fixed distance from the
// thread's pointer, instead of by a call that looks the library's up. Room for such is scarce
// (glibc keeps some 1600 bytes for libraries that are loaded late), so they are numbers and
// pointers.
#pragma once

#define TH_THREAD_OWN [[gnu::tls_model("initial-exec")]] constinit thread_local
