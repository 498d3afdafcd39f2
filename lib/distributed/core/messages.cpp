#include "core/messages.h"

#include <algorithm>
#include <limits>

#include "core/runtime/error.h"
#include "core/tensor/dtype.h"
#include "core/types.h"

namespace distributed {

namespace {

constexpr int HEADER = 2, ELEMENTS = 16;

bool agrees(const Header& a, const Header& b) {
  return a.dtype == b.dtype && a.count == b.count && a.ndim == b.ndim &&
         std::equal(a.sizes, a.sizes + std::min(a.ndim, 8), b.sizes);
}

int as_int(int64_t count) {
  TH_CHECK(count <= std::numeric_limits<int>::max(), "the tensor has ", count,
           " elements, and MPI counts to 2^31 - 1; send it in pieces");
  return static_cast<int>(count);
}

// Elements travel by a tag of their own for each number and type, so that only what fits meets a
// receive that waits for it: MPI would write what is longer beyond the end.
int tag_of(const Header& header) {
  static const int most = [] {
    int* bound = nullptr;
    int found = 0;
    check_mpi(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&bound), &found),
              "MPI_Comm_get_attr");
    return found != 0 ? *bound : 32767;
  }();
  return ELEMENTS + static_cast<int>((header.count * 16 + header.dtype) % (most - ELEMENTS));
}

// The header tells of other elements. They are taken from the wire in any case, or the next message
// of their kind would get them; unless what was waited for has come meanwhile, from a later call.
void refuse(const Group& group, Work& work) {
  work.refusal =
      th::str("the ranks disagree: this is rank ", group.rank() + 1, " at ", described(work.own),
              ", and rank ", work.request.root + 1, " has sent, by ", described(work.theirs));
  MPI_Status status;
  int cancelled = 0;
  check_mpi(MPI_Cancel(&work.requests[1]), "MPI_Cancel");
  check_mpi(MPI_Wait(&work.requests[1], &status), "MPI_Wait");
  check_mpi(MPI_Test_cancelled(&status, &cancelled), "MPI_Test_cancelled");
  if (cancelled != 0) {
    const Header& h = work.theirs;
    work.rest.resize(static_cast<size_t>(h.count * th::element_size(h.dtype)));
    check_mpi(MPI_Irecv(work.rest.data(), as_int(h.count), mpi_type(h.dtype),
                        group.place(work.request.root), tag_of(h), group.comm(), &work.requests[1]),
              "MPI_Irecv");
  }
}

}  // namespace

bool is_message(int kind) { return kind == DISTRIBUTED_SEND || kind == DISTRIBUTED_RECEIVE; }

// What is wanted is known here, and so header and elements are received at once: who waits for
// something else within MPI gets them meanwhile.
void start_message(const Group& group, Work& work) {
  const distributed_Request& q = work.request;
  const int other = group.place(q.root), count = as_int(q.count);
  work.own = header_of(q, 0);
  work.begun = Clock::now();
  const int tag = tag_of(work.own);
  if (q.kind == DISTRIBUTED_SEND) {
    check_mpi(MPI_Isend(&work.own, sizeof(Header), MPI_BYTE, other, HEADER, group.comm(),
                        &work.requests[0]),
              "MPI_Isend");
    check_mpi(
        MPI_Isend(q.in, count, mpi_type(q.dtype), other, tag, group.comm(), &work.requests[1]),
        "MPI_Isend");
    work.header_came = true;
  } else {
    check_mpi(MPI_Irecv(&work.theirs, sizeof(Header), MPI_BYTE, other, HEADER, group.comm(),
                        &work.requests[0]),
              "MPI_Irecv");
    check_mpi(
        MPI_Irecv(q.out, count, mpi_type(q.dtype), other, tag, group.comm(), &work.requests[1]),
        "MPI_Irecv");
  }
}

bool advance_message(const Group& group, Work& work, double seconds) {
  int done = 0;
  if (!work.header_came) {
    check_mpi(MPI_Test(&work.requests[0], &done, MPI_STATUS_IGNORE), "MPI_Test");
    work.header_came = done != 0;
    if (work.header_came && !agrees(work.own, work.theirs)) {
      refuse(group, work);
    }
  }
  if (work.header_came) {
    check_mpi(MPI_Testall(2, work.requests, &done, MPI_STATUSES_IGNORE), "MPI_Testall");
    if (done != 0) {
      return true;
    }
  }
  if (std::chrono::duration<double>(Clock::now() - work.begun).count() > seconds) {
    th::fail("rank ", work.request.root + 1, " has not come within ", seconds,
             " s: dead, hanging, or slower than that (the option timeout); this is rank ",
             group.rank() + 1, " at ", described(work.own));
  }
  return false;
}

}  // namespace distributed
