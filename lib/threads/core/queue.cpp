// A queue of messages with room for so many, between any threads.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "core/message.h"
#include "core/runtime/error.h"
#include "core/shared_object.h"
#include "threads.h"

struct threads_Queue : threads::SharedObject<threads_Queue> {
  explicit threads_Queue(int room) : capacity(static_cast<size_t>(room)) {}
  const size_t capacity;
  std::mutex guard;
  std::condition_variable changed;
  std::deque<threads::Message> messages;
};

using std::chrono::milliseconds;

extern "C" {

threads_Queue* threads_queue_new(int capacity) { return threads::made<threads_Queue>(capacity); }
void threads_queue_retain(threads_Queue* queue) { queue->retain(); }
void threads_queue_release(void* queue) { static_cast<threads_Queue*>(queue)->release(); }
double threads_queue_id(const threads_Queue* queue) { return queue->id(); }

int threads_queue_put(threads_Queue* queue, TH_StorageRef* bytes, double parcel, int time) {
  std::unique_lock lock(queue->guard);
  if (!queue->changed.wait_for(lock, milliseconds(time),
                               [&] { return queue->messages.size() < queue->capacity; })) {
    return 0;
  }
  if (th::guarded("threads.Queue", [&] { queue->messages.emplace_back(); }) != TH_OK) {
    return -1;
  }
  queue->messages.back() = threads::Message(bytes, parcel);
  queue->changed.notify_all();
  return 1;
}

bool threads_queue_take(threads_Queue* queue, TH_StorageRef* bytes, double* parcel, int time) {
  std::unique_lock lock(queue->guard);
  if (!queue->changed.wait_for(lock, milliseconds(time),
                               [&] { return !queue->messages.empty(); })) {
    return false;
  }
  queue->messages.front().hand_over(bytes, parcel);
  queue->messages.pop_front();
  queue->changed.notify_all();
  return true;
}

int threads_queue_size(threads_Queue* queue) {
  const std::lock_guard lock(queue->guard);
  return static_cast<int>(queue->messages.size());
}

int threads_queue_capacity(threads_Queue* queue) { return static_cast<int>(queue->capacity); }

}  // extern "C"
