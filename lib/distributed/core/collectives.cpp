#include "core/collectives.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include "core/runtime/error.h"
#include "core/tensor/dtype.h"
#include "core/types.h"

namespace distributed {

namespace {

// MPI counts by int; longer tensors go in pieces of so many elements.
int64_t piece() {
  static const int64_t elements = [] {
    const char* text = std::getenv("TH_DISTRIBUTED_PIECE");  // for tests
    const int64_t given = text != nullptr ? std::atoll(text) : 0;
    return given > 0 && given < int64_t{1} << 28 ? given : int64_t{1} << 28;
  }();
  return elements;
}

int as_int(int64_t count) {
  TH_CHECK(count <= std::numeric_limits<int>::max(), "a part has ", count,
           " elements, and MPI counts to 2^31 - 1; send it in pieces");
  return static_cast<int>(count);
}

template <class F>
void in_pieces(int64_t count, F&& f) {
  for (int64_t first = 0; first < count; first += piece()) {
    f(first, static_cast<int>(std::min(piece(), count - first)));
  }
}

char* bytes(void* memory) { return static_cast<char*>(memory); }
const char* bytes(const void* memory) { return static_cast<const char*>(memory); }

void broadcast(const Group& group, const distributed_Request& q) {
  const int64_t size = th::element_size(q.dtype);
  in_pieces(q.count, [&](int64_t first, int count) {
    check_mpi(MPI_Bcast(bytes(q.out) + first * size, count, mpi_type(q.dtype), group.place(q.root),
                        group.comm()),
              "MPI_Bcast");
  });
}

// Each rank reduces a range of the elements, of all ranks in their order.
struct Ranges {
  Ranges(int64_t count, int ranks) : counts(static_cast<size_t>(ranks)), firsts(counts.size()) {
    for (int i = 0; i < ranks; ++i) {
      const int64_t first = count * i / ranks;
      firsts[static_cast<size_t>(i)] = as_int(first);
      counts[static_cast<size_t>(i)] = as_int(count * (i + 1) / ranks - first);
    }
  }
  std::vector<int> counts, firsts;
};

// This rank's range of all ranks' elements, reduced into r.
void reduce_range(const Group& group, const distributed_Request& q, const Ranges& ranges, void* r) {
  const auto self = static_cast<size_t>(group.rank());
  const int own = ranges.counts[self];
  const int64_t length = own * th::element_size(q.dtype);
  std::vector<char> all(static_cast<size_t>(length * group.size()));
  const std::vector<int> counts(static_cast<size_t>(group.size()), own);
  std::vector<int> firsts;
  for (int i = 0; i < group.size(); ++i) {
    firsts.push_back(as_int(int64_t{own} * i));
  }
  check_mpi(
      MPI_Alltoallv(q.in, ranges.counts.data(), ranges.firsts.data(), mpi_type(q.dtype), all.data(),
                    counts.data(), firsts.data(), mpi_type(q.dtype), group.comm()),
      "MPI_Alltoallv");
  if (own == 0) {
    return;
  }
  std::memcpy(r, all.data(), static_cast<size_t>(length));
  for (int i = 1; i < group.size(); ++i) {
    combine(q.dtype, q.reduction, r, all.data() + i * length, own);
  }
}

void all_reduce_ordered(const Group& group, const distributed_Request& q) {
  const int64_t size = th::element_size(q.dtype);
  in_pieces(q.count, [&](int64_t first, int count) {
    distributed_Request piece = q;
    piece.in = bytes(q.in) + first * size;
    piece.out = bytes(q.out) + first * size;
    const Ranges ranges(count, group.size());
    char* own = bytes(piece.out) + ranges.firsts[static_cast<size_t>(group.rank())] * size;
    reduce_range(group, piece, ranges, own);
    check_mpi(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, piece.out, ranges.counts.data(),
                             ranges.firsts.data(), mpi_type(q.dtype), group.comm()),
              "MPI_Allgatherv");
  });
}

void all_reduce(const Group& group, const distributed_Request& q) {
  if (q.ordered) {
    return all_reduce_ordered(group, q);
  }
  const int64_t size = th::element_size(q.dtype);
  in_pieces(q.count, [&](int64_t first, int count) {
    const char* in = bytes(q.in) + first * size;
    char* out = bytes(q.out) + first * size;
    check_mpi(MPI_Allreduce(in == out ? MPI_IN_PLACE : in, out, count, mpi_type(q.dtype),
                            mpi_op(q.dtype, q.reduction), group.comm()),
              "MPI_Allreduce");
  });
}

void reduce_scatter(const Group& group, const distributed_Request& q) {
  if (q.ordered) {
    return reduce_range(group, q, Ranges(q.count * group.size(), group.size()), q.out);
  }
  check_mpi(MPI_Reduce_scatter_block(q.in, q.out, as_int(q.count), mpi_type(q.dtype),
                                     mpi_op(q.dtype, q.reduction), group.comm()),
            "MPI_Reduce_scatter_block");
}

}  // namespace

void run_collective(Group& group, const distributed_Request& q) {
  const int count =
      q.kind == DISTRIBUTED_BROADCAST || q.kind == DISTRIBUTED_ALL_REDUCE ? 0 : as_int(q.count);
  const MPI_Datatype type =
      q.kind == DISTRIBUTED_BARRIER || q.kind == DISTRIBUTED_END || q.kind == DISTRIBUTED_GROUP
          ? MPI_BYTE
          : mpi_type(q.dtype);
  switch (q.kind) {
    case DISTRIBUTED_BARRIER:
      return check_mpi(MPI_Barrier(group.comm()), "MPI_Barrier");
    case DISTRIBUTED_BROADCAST:
      return broadcast(group, q);
    case DISTRIBUTED_ALL_REDUCE:
      return all_reduce(group, q);
    case DISTRIBUTED_REDUCE_SCATTER:
      return reduce_scatter(group, q);
    case DISTRIBUTED_ALL_GATHER:
      return check_mpi(MPI_Allgather(q.in, count, type, q.out, count, type, group.comm()),
                       "MPI_Allgather");
    case DISTRIBUTED_GATHER:
      return check_mpi(
          MPI_Gather(q.in, count, type, q.out, count, type, group.place(q.root), group.comm()),
          "MPI_Gather");
    case DISTRIBUTED_SCATTER:
      return check_mpi(
          MPI_Scatter(q.in, count, type, q.out, count, type, group.place(q.root), group.comm()),
          "MPI_Scatter");
    default:
      th::fail("there is no operation ", q.kind);
  }
}

}  // namespace distributed
