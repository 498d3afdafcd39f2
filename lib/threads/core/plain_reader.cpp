// Reading plain messages; see plain.h. The bytes may be anyone's.
#include <cmath>
#include <cstring>

#include "core/lua_api.h"
#include "core/plain.h"
#include "threads.h"

namespace threads::plain {
namespace {

enum Argument { kBytes = 1, kNewTensor, kNewInstance };

/// Has nothing to destroy: errors of Lua's leave it.
struct Reader {
  lua_State* L;
  double parcel;
  const int64_t* words;
  int64_t left;

  void fail(const char* message) const { lua::api().error(L, "%s", message); }

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

  /// Of the table on top of the stack.
  void fields(int depth) {
    const auto& api = lua::api();
    for (int64_t count = *take(1); count > 0; --count) {
      value(depth);
      if (api.type(L, -1) == lua::kNil || std::isnan(api.tonumber(L, -1))) {
        fail("a table with a key that is none");
      }
      value(depth);
      api.rawset(L, -3);
    }
  }

  void instance() {
    const auto& api = lua::api();
    api.pushvalue(L, kNewInstance);
    text();
    api.call(L, 1, 1);
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
        api.createtable(L, 0, 0);
        return fields(depth + 1);
      case OBJECT:
        instance();
        return fields(depth + 1);
      case TENSOR:
        return tensor();
      default:
        fail("an unknown kind of object");
    }
  }
};

}  // namespace
}  // namespace threads::plain

/// For package.loadlib: (storage handle, function that gives an empty tensor handle, function that
/// gives an instance of the class of a name) -> true and the object, whose parcel has been dropped;
/// false where this is no plain message, or one that was read before. After an error the parcel is
/// the caller's to drop.
extern "C" [[gnu::visibility("default")]] int threads_plain_read(lua_State* L) {
  using namespace threads::plain;
  const auto& api = threads::lua::api();
  const auto* bytes = static_cast<const TH_StorageRef*>(api.topointer(L, kBytes));
  const TH_Storage* store = bytes->store;
  const int64_t count = store == nullptr || store->dtype != TH_CHAR ? 0 : store->length / 8;
  const auto* words = count >= kHeader ? static_cast<const int64_t*>(store->data) : nullptr;
  double parcel = 0;
  if (words != nullptr) {
    std::memcpy(&parcel, words, sizeof parcel);
  }
  if (words == nullptr || words[1] != kPlain || (parcel != 0 && !threads_parcel_claim(parcel))) {
    api.pushboolean(L, 0);
    return 1;
  }
  api.pushboolean(L, 1);
  Reader{L, parcel, words + kHeader, count - kHeader}.value(0);
  threads_parcel_drop(parcel);
  return 2;
}
