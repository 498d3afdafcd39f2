// Reading plain messages; see plain.h. The bytes may be anyone's.
#include <cmath>
#include <cstring>

#include "core/lua_api.h"
#include "core/plain.h"
#include "threads.h"

namespace threads::plain {
namespace {

/// Has nothing to destroy: errors of Lua's leave it.
struct Reader {
  lua_State* L;
  double parcel;
  const int64_t* words;
  int64_t left;

  [[noreturn]] void fail(const char* message) const {
    lua::api().error(L, "%s", message);
    __builtin_unreachable();
  }

  const int64_t* take(int64_t count) {
    if (count > left) {
      fail("the data end inside an object");
    }
    left -= count;
    words += count;
    return words - count;
  }

  void text() {
    const int64_t size = *take(1);
    if (size < 0 || size > 8 * left) {
      fail("the data end inside a string");
    }
    lua::api().pushlstring(L, reinterpret_cast<const char*>(take((size + 7) / 8)),
                           static_cast<size_t>(size));
  }

  void number() {
    double value;
    std::memcpy(&value, take(1), sizeof value);
    lua::api().pushnumber(L, value);
  }

  void tensor() {
    const auto& api = lua::api();
    const int64_t place = *take(1);
    api.pushvalue(L, kNewTensor);
    api.call(L, 0, 1);
    auto* to = static_cast<TH_Tensor*>(const_cast<void*>(api.topointer(L, -1)));
    if (place != static_cast<int>(place) ||
        !threads_parcel_tensor(parcel, static_cast<int>(place), to)) {
      fail("a tensor that this message does not share");
    }
  }

  struct Counts {
    int64_t listed, others;
  };
  Counts counts() {
    const int64_t* both = take(2);
    if (both[0] < 0 || both[1] < 0 || both[0] > left || both[1] > left) {
      fail("the data end inside a table");
    }
    return {both[0], both[1]};
  }

  /// Of the table on top of the stack.
  void fields(Counts counts, int depth) {
    const auto& api = lua::api();
    for (int64_t n = counts.listed + counts.others; n > 0; --n) {
      value(depth);
      const int kind = api.type(L, -1);
      if (kind == lua::kNil || (kind == lua::kNumber && std::isnan(api.tonumber(L, -1)))) {
        fail("a table with a key that is none");
      }
      value(depth);
      api.rawset(L, -3);
    }
  }

  void table(int depth) {
    const Counts n = counts();
    lua::api().createtable(L, static_cast<int>(n.listed), static_cast<int>(n.others));
    fields(n, depth);
  }

  void instance() {
    const auto& api = lua::api();
    api.pushvalue(L, kNewInstance);
    text();
    api.call(L, 1, 1);
    if (api.type(L, -1) != lua::kTable) {
      fail("a class whose instances have no fields");
    }
  }

  /// Pushes it.
  void value(int depth) {
    const auto& api = lua::api();
    if (depth > kDeepest || api.checkstack(L, 4) == 0) {
      fail("tables are nested too deep");
    }
    switch (*take(1)) {
      case NIL:
        return api.pushnil(L);
      case FALSE:
        return api.pushboolean(L, 0);
      case TRUE:
        return api.pushboolean(L, 1);
      case NUMBER:
        return number();
      case STRING:
        return text();
      case TABLE:
        return table(depth + 1);
      case OBJECT:
        instance();
        return fields(counts(), depth + 1);
      case TENSOR:
        return tensor();
      default:
        fail("an unknown kind of object");
    }
  }
};

}  // namespace

bool is(const TH_StorageRef& bytes) {
  const TH_Storage* store = bytes.store;
  return store != nullptr && store->dtype == TH_CHAR && store->device_type == TH_CPU &&
         store->length / 8 >= kHeader && static_cast<const int64_t*>(store->data)[1] == kPlain;
}

bool read(lua_State* L, const TH_StorageRef& bytes) {
  const auto* words = static_cast<const int64_t*>(bytes.store->data);
  double parcel;
  std::memcpy(&parcel, words, sizeof parcel);
  if (parcel != 0 && !threads_parcel_claim(parcel)) {
    return false;
  }
  Reader{L, parcel, words + kHeader, bytes.store->length / 8 - kHeader}.value(0);
  threads_parcel_drop(parcel);
  return true;
}

}  // namespace threads::plain

/// For package.loadlib: (storage handle, function that gives an empty tensor handle, function that
/// gives an instance of the class of a name) -> true and the object; false where this is no plain
/// message, or one that was read before. After an error the parcel is the caller's to drop.
extern "C" [[gnu::visibility("default")]] int threads_plain_read(lua_State* L) {
  namespace plain = threads::plain;
  const auto& api = threads::lua::api();
  const auto& bytes = *static_cast<const TH_StorageRef*>(api.topointer(L, 1));
  api.pushboolean(L, 1);
  if (!plain::is(bytes) || !plain::read(L, bytes)) {
    api.pushboolean(L, 0);
    return 1;
  }
  return 2;
}
