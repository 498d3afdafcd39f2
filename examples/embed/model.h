// A saved model of `nn` as a function of C++: a Lua state of its own, which one thread at a time
// uses.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

struct lua_State;

/// What Lua said, with its traceback. The model can be used again.
class LuaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Model {
 public:
  /// Loads a .t7 file, for evaluation, in float.
  explicit Model(const std::string& path);

  /// Outputs of the rows of x, `columns` numbers each, one after another.
  std::vector<float> forward(std::span<const float> x, int64_t columns);

 private:
  struct Close {
    void operator()(lua_State* state) const;
  };

  void call(int arguments, int results);

  std::unique_ptr<lua_State, Close> state_;
};
