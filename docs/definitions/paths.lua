---@meta paths
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class paths
paths = {}

---The user's home directory.
paths.home = ''

---The last component of a path, as the shell command of this name gives it.
---@param path string string
---@param suffix string string, optional: stripped from the end, with or without its leading dot
function paths.basename(path, suffix) end

---An absolute, normalised path: each argument is taken relative to what those before it give, and
---the first relative to the current directory.
---@param ... any
function paths.concat(...) end

---The full path of the current directory.
function paths.cwd() end

---The names in a directory, '.' and '..' among them, in the file system's order.
---@param ... any
---@return table
function paths.dir(...) end

---The directory a path lies in, as the shell command of this name gives it: '/a' for '/a/b/'.
---@param ... any
function paths.dirname(...) end

---Whether a path names an existing directory.
---@param ... any
function paths.dirp(...) end

---Run a Lua file whose name is relative to the calling file's directory.
---@param name string string
---@param depth number number, optional
---@return any
function paths.dofile(name, depth) end

---Directory of the running Lua executable; nil where the system does not tell.
function paths.execdir() end

---The extension of a path's last component, without its dot; nothing when there is none.
---@param ... any
function paths.extname(...) end

---Whether a path names an existing file (anything but a directory).
---@param ... any
function paths.filep(...) end

---Iterate over the names in a directory, '.' and '..' among them.
---@param path string string
---@param include any optional: a Lua pattern to find in the name, or a function of the name
function paths.files(path, include) end

---Full path of the first of the named programs that is found on PATH.
---@param ... any strings; a name with a slash is taken as a path
---@return string
function paths.findprogram(...) end

---A value of the Windows registry; an error elsewhere.
function paths.getregistryvalue() end

---Whether this is macOS.
function paths.is_mac() end

---Whether this is Windows.
function paths.is_win() end

---Iterate over the directories in a directory, without '.' and '..'.
---@param ... any
function paths.iterdirs(...) end

---Iterate over the files (all but directories) in a directory.
---@param ... any
function paths.iterfiles(...) end

---Make a directory.
---@param ... any
---@return any
function paths.mkdir(...) end

---Require a module, making the symbols of its shared library visible to libraries loaded later.
---@param ... any
function paths.require(...) end

---Remove a file, or a directory with all that is in it.
---@param path string string
---@param really any the string 'yes': there is no way back
---@return any
function paths.rmall(path, really) end

---Remove an empty directory.
---@param ... any
---@return any
function paths.rmdir(...) end

---Full path of the calling file, or of `name` beside it.
---@param name string string, optional: a path relative to the calling file's directory
---@param depth number number, optional
---@return string
function paths.thisfile(name, depth) end

---A name for a temporary file, which is removed when Lua exits.
function paths.tmpname() end

---System, machine and processor.
---@param ... any
---@return any
function paths.uname(...) end

return paths
