// The program of a bundle (`th --bundle`): unpacks the archive behind it once, and becomes the
// LuaJIT that is in there. Process, terminal, signals and exit status are LuaJIT's from then on.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include <sys/auxv.h>
#include <unistd.h>

#include "archive.h"
#include "folder.h"

namespace {

/// The file of this program. Without /proc, as in a bare chroot, what it was started by.
std::string own_path() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length > 0 && length < static_cast<ssize_t>(sizeof path)) {
    return {path, static_cast<size_t>(length)};
  }
  const auto* name = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  char* const whole = name == nullptr ? nullptr : realpath(name, nullptr);
  if (whole == nullptr) {
    throw bundle::Failure("cannot find my own file; mount /proc");
  }
  const std::string result = whole;
  std::free(whole);
  return result;
}

/// The loader reads LD_LIBRARY_PATH when a process starts: start.lua puts back what was there,
/// which the programs that the script starts are to see.
void set_library_path(const std::string& folder) {
  const char* before = std::getenv("LD_LIBRARY_PATH");
  std::string path = folder;
  if (before != nullptr) {
    setenv("TH_BUNDLE_LIBRARY_PATH", before, 1);
    if (*before != '\0') {  // an empty entry is the current folder
      path += std::string(":") + before;
    }
  } else {
    unsetenv("TH_BUNDLE_LIBRARY_PATH");
  }
  setenv("LD_LIBRARY_PATH", path.c_str(), 1);
}

void run(char** argv) {
  const std::string self = own_path();
  std::string folder;
  {
    const bundle::Archive archive(self);
    folder = bundle::unpacked(archive);
  }
  char* const absolute = realpath(folder.c_str(), nullptr);
  if (absolute != nullptr) {
    folder = absolute;
    std::free(absolute);
  }
  set_library_path(folder + "/lib");
  setenv("TH_EXECUTABLE", self.c_str(), 1);

  const std::string interpreter = folder + "/bin/luajit";
  std::string ignore_environment = "-E";  // LUA_PATH, LUA_INIT: the files here are all there is
  std::string script = folder + "/start.lua";
  std::vector<char*> arguments = {argv[0], ignore_environment.data(), script.data()};
  for (char** argument = argv + 1; *argument != nullptr; ++argument) {
    arguments.push_back(*argument);
  }
  arguments.push_back(nullptr);
  execv(interpreter.c_str(), arguments.data());
  throw bundle::Failure(interpreter + " cannot be run: " + bundle::system_reason());
}

}  // namespace

int main(int argc, char** argv) {
  const char* name = argc > 0 ? argv[0] : "bundle";
  try {
    if (argc > 0) {
      run(argv);
    }
    std::fprintf(stderr, "%s: started without a name\n", name);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s: %s\n", name, failure.what());
  }
  return 126;  // the shell's for what cannot be run
}
