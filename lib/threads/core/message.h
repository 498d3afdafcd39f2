// A message on its way: bytes, and the parcel of what they refer to.
#pragma once

#include <utility>

#include "core/parcel.h"
#include "threads.h"

namespace threads {

class Message {
 public:
  Message() = default;
  /// Takes the bytes from `from`, which has none then.
  Message(TH_StorageRef* from, double parcel)
      : bytes_(from == nullptr ? TH_StorageRef{} : std::exchange(*from, TH_StorageRef{})),
        parcel_(parcel) {}
  Message(Message&& other) noexcept
      : bytes_(std::exchange(other.bytes_, TH_StorageRef{})),
        parcel_(std::exchange(other.parcel_, 0)) {}
  Message& operator=(Message&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(parcel_, other.parcel_);
    return *this;
  }
  /// Nobody has read it: what it refers to is let go.
  ~Message() {
    drop_parcel(parcel_);
    TH_StorageRef_release(&bytes_);
  }

  const TH_StorageRef& bytes() const { return bytes_; }
  double parcel() const { return parcel_; }

  /// To the one who reads it.
  void hand_over(TH_StorageRef* to, double* parcel) {
    TH_StorageRef_release(to);
    *to = std::exchange(bytes_, TH_StorageRef{});
    *parcel = std::exchange(parcel_, 0);
  }

 private:
  TH_StorageRef bytes_{};
  double parcel_ = 0;
};

}  // namespace threads
