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

}  // namespace

bool is_message(int kind) { return kind == DISTRIBUTED_SEND || kind == DISTRIBUTED_RECEIVE; }

// Sizes are known on both sides, and so header and elements are on their way at once: who waits for
// something else within MPI receives them meanwhile.
void start_message(const Group& group, Work& work) {
  const distributed_Request& q = work.request;
  const int other = group.place(q.root), count = as_int(q.count);
  work.own = header_of(q, 0);
  work.begun = Clock::now();
  if (q.kind == DISTRIBUTED_SEND) {
    check_mpi(MPI_Isend(&work.own, sizeof(Header), MPI_BYTE, other, HEADER, group.comm(),
                        &work.requests[0]),
              "MPI_Isend");
    check_mpi(
        MPI_Isend(q.in, count, mpi_type(q.dtype), other, ELEMENTS, group.comm(), &work.requests[1]),
        "MPI_Isend");
  } else {
    check_mpi(MPI_Irecv(&work.theirs, sizeof(Header), MPI_BYTE, other, HEADER, group.comm(),
                        &work.requests[0]),
              "MPI_Irecv");
    check_mpi(MPI_Irecv(q.out, count, mpi_type(q.dtype), other, ELEMENTS, group.comm(),
                        &work.requests[1]),
              "MPI_Irecv");
  }
}

namespace {

// What has come; nothing where it is what was wanted. More elements than there is place for are
// dropped by MPI, with an error, and the next message is whole.
std::string refusal(const Group& group, const Work& work) {
  if (work.request.kind == DISTRIBUTED_RECEIVE && !agrees(work.own, work.theirs)) {
    return th::str("the ranks disagree: this is rank ", group.rank() + 1, " at ",
                   described(work.own), ", and rank ", work.request.root + 1, " has sent, by ",
                   described(work.theirs));
  }
  check_mpi(work.status, "MPI_Test");
  return "";
}

}  // namespace

bool advance_message(const Group& group, Work& work, double seconds, std::string* error) {
  int came = 0, moved = 0;
  check_mpi(MPI_Test(&work.requests[0], &came, MPI_STATUS_IGNORE), "MPI_Test");
  const int status = MPI_Test(&work.requests[1], &moved, MPI_STATUS_IGNORE);
  if (status != MPI_SUCCESS) {
    work.status = status;
    work.requests[1] = MPI_REQUEST_NULL;
    moved = 1;
  }
  if (came != 0 && moved != 0) {
    *error = refusal(group, work);
    return true;
  }
  if (std::chrono::duration<double>(Clock::now() - work.begun).count() > seconds) {
    th::fail("rank ", work.request.root + 1, " has not come within ", seconds,
             " s: dead, hanging, or slower than that (the option timeout); this is rank ",
             group.rank() + 1, " at ", described(work.own));
  }
  return false;
}

}  // namespace distributed
