// Writing plain messages; see plain.h.
#include <algorithm>
#include <cstring>
#include <exception>
#include <unordered_set>
#include <vector>

#include "core/lua_api.h"
#include "core/parcel.h"
#include "core/plain.h"
#include "threads.h"

namespace threads::plain {
namespace {

enum Argument { kObject = 1, kBytes, kNameOf, kIsTensor };  // of the function of Lua's

/// Nothing of it is on the stack, since an error of Lua's may leave it; and its memory is kept for
/// the next message.
struct Writer {
  std::vector<int64_t> words;
  std::unordered_set<const void*> seen;
  std::vector<const TH_Tensor*> tensors;  // Lua holds them

  void begin() {
    words.assign(kHeader, 0);
    seen.clear();
    tensors.clear();
  }
  void end() {
    constexpr size_t kKept = size_t(1) << 17;
    if (words.capacity() > kKept || seen.size() > kKept) {
      *this = Writer();
    }
  }

  bool value(lua_State* L, int index, int depth);
  bool table(lua_State* L, int index, int depth);
  bool tensor(lua_State* L, int index);
  void text(lua_State* L, int index);
};
thread_local Writer writer;

int64_t bits(double value) {
  int64_t word;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

void Writer::text(lua_State* L, int index) {
  size_t size = 0;
  const char* bytes = lua::api().tolstring(L, index, &size);
  words.push_back(static_cast<int64_t>(size));
  const size_t at = words.size();
  words.resize(at + (size + 7) / 8);
  std::memcpy(words.data() + at, bytes, size);
}

/// `index` counts from the stack's bottom. False where the value is not plain.
bool Writer::value(lua_State* L, int index, int depth) {
  const lua::Api& api = lua::api();
  switch (api.type(L, index)) {
    case lua::kNil:
      words.push_back(NIL);
      return true;
    case lua::kBoolean:
      words.push_back(api.toboolean(L, index) != 0 ? TRUE : FALSE);
      return true;
    case lua::kNumber:
      words.insert(words.end(), {NUMBER, bits(api.tonumber(L, index))});
      return true;
    case lua::kString:
      words.push_back(STRING);
      text(L, index);
      return true;
    case lua::kTable:
      return depth < kDeepest && seen.insert(api.topointer(L, index)).second &&
             table(L, index, depth + 1);
    case lua::kCdata:
      return seen.insert(api.topointer(L, index)).second && tensor(L, index);
    default:
      return false;
  }
}

bool Writer::table(lua_State* L, int index, int depth) {
  const lua::Api& api = lua::api();
  if (api.checkstack(L, 4) == 0) {
    return false;
  }
  words.push_back(TABLE);
  const int top = api.gettop(L);
  if (api.getmetatable(L, index) != 0) {
    api.pushvalue(L, kNameOf);
    api.pushvalue(L, index);
    api.call(L, 1, 1);
    const int answer = api.type(L, -1);
    if (answer == lua::kBoolean) {
      return false;
    } else if (answer == lua::kString) {
      words.back() = OBJECT;
      text(L, -1);
    }
    api.settop(L, top);
  }
  const size_t place = words.size();
  const auto length = static_cast<int64_t>(api.objlen(L, index));
  int64_t count = 0;
  words.insert(words.end(), {0, 0});
  api.pushnil(L);
  while (api.next(L, index) != 0) {
    ++count;
    if (!value(L, top + 1, depth) || !value(L, top + 2, depth)) {
      return false;
    }
    api.settop(L, top + 1);
  }
  words[place] = std::min(length, count);
  words[place + 1] = count - words[place];
  return true;
}

bool Writer::tensor(lua_State* L, int index) {
  const lua::Api& api = lua::api();
  if (api.type(L, kIsTensor) == lua::kNil || api.checkstack(L, 2) == 0) {
    return false;
  }
  api.pushvalue(L, kIsTensor);
  api.pushvalue(L, index);
  api.call(L, 1, 1);
  const bool is_tensor = api.toboolean(L, -1) != 0;
  api.settop(L, -2);
  const auto* x = static_cast<const TH_Tensor*>(api.topointer(L, index));
  if (!is_tensor || x->device_type != TH_CPU) {
    return false;
  }
  words.insert(words.end(), {TENSOR, static_cast<int64_t>(tensors.size())});
  tensors.push_back(x);
  return true;
}

/// The message, with a parcel of its own.
bool give(TH_StorageRef* bytes) {
  auto& words = writer.words;
  const size_t size = words.size() * sizeof words[0];
  if (TH_Storage_new(bytes, TH_CHAR, TH_CPU, 0, static_cast<int64_t>(size)) != TH_OK) {
    return false;
  }
  words[0] = bits(make_parcel(writer.tensors));
  words[1] = kPlain;
  std::memcpy(bytes->store->data, words.data(), size);
  return true;
}

}  // namespace
}  // namespace threads::plain

/// For package.loadlib: (object, storage handle, function that gives the name of an instance's
/// class or false where it is more than its fields, function that tells tensors from other cdata or
/// nil where none may be) -> whether the storage is the message now.
extern "C" [[gnu::visibility("default")]] int threads_plain_write(lua_State* L) {
  using namespace threads::plain;
  const auto& api = threads::lua::api();
  bool done = false;
  try {
    writer.begin();
    done = writer.value(L, kObject, 0) &&
           give(static_cast<TH_StorageRef*>(const_cast<void*>(api.topointer(L, kBytes))));
    writer.end();
  } catch (const std::exception&) {  // no memory; the other form of messages says so
    writer = {};
  }
  api.pushboolean(L, done ? 1 : 0);
  return 1;
}
