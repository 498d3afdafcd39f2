#include "core/messages.h"

#include <algorithm>
#include <limits>

#include "core/runtime/error.h"
#include "core/tensor/dtype.h"
#include "core/types.h"

namespace distributed {

namespace {

constexpr int HEADER = 2, ELEMENTS = 3;

bool agrees(const Header& a, const Header& b) {
  return a.dtype == b.dtype && a.count == b.count && a.ndim == b.ndim &&
         std::equal(a.sizes, a.sizes + std::min(a.ndim, 8), b.sizes);
}

int as_int(int64_t count) {
  TH_CHECK(count <= std::numeric_limits<int>::max(), "the tensor has ", count,
           " elements, and MPI counts to 2^31 - 1; send it in pieces");
  return static_cast<int>(count);
}

// What the other has sent is taken from the wire in any case, or the next message would get it.
void receive_elements(const Group& group, Work& work, int other) {
  void* place = work.request.out;
  if (!agrees(work.own, work.theirs)) {
    work.refusal =
        th::str("the ranks disagree: this is rank ", group.rank() + 1, " at ", described(work.own),
                ", and rank ", work.request.root + 1, " has sent, by ", described(work.theirs));
    work.rest.resize(static_cast<size_t>(work.theirs.count * th::element_size(work.theirs.dtype)));
    place = work.rest.data();
  }
  check_mpi(MPI_Irecv(place, as_int(work.theirs.count), mpi_type(work.theirs.dtype), other,
                      ELEMENTS, group.comm(), &work.requests[1]),
            "MPI_Irecv");
}

}  // namespace

bool is_message(int kind) { return kind == DISTRIBUTED_SEND || kind == DISTRIBUTED_RECEIVE; }

void start_message(const Group& group, Work& work) {
  const distributed_Request& q = work.request;
  const int other = group.place(q.root);
  work.own = header_of(q, 0);
  work.begun = Clock::now();
  if (q.kind == DISTRIBUTED_SEND) {
    check_mpi(MPI_Isend(&work.own, sizeof(Header), MPI_BYTE, other, HEADER, group.comm(),
                        &work.requests[0]),
              "MPI_Isend");
    check_mpi(MPI_Isend(q.in, as_int(q.count), mpi_type(q.dtype), other, ELEMENTS, group.comm(),
                        &work.requests[1]),
              "MPI_Isend");
    work.header_came = true;
  } else {
    check_mpi(MPI_Irecv(&work.theirs, sizeof(Header), MPI_BYTE, other, HEADER, group.comm(),
                        &work.requests[0]),
              "MPI_Irecv");
  }
}

bool advance_message(const Group& group, Work& work, double seconds) {
  int done = 0;
  if (!work.header_came) {
    check_mpi(MPI_Test(&work.requests[0], &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) {
      work.header_came = true;
      receive_elements(group, work, group.place(work.request.root));
    }
  }
  if (work.header_came) {
    check_mpi(MPI_Testall(2, work.requests, &done, MPI_STATUSES_IGNORE), "MPI_Testall");
    if (done != 0) {
      if (!work.refusal.empty()) {
        throw th::Error(work.refusal);
      }
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
