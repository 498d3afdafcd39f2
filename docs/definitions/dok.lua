---@meta dok
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class dok
dok = {}

---Texts before and after what is to stand out, of which there are none.
dok.colors = {}

---Say where the documentation is.
function dok.browse() end

---As usecolors.
function dok.dontusecolors() end

---Raise an error at the user's line.
---@param message string (string)
---@param domain? string the function that raises it (string, optional)
function dok.error(message, domain) end

---What the documentation says of a function: printed, or returned.
---@param symbol any a function, class or name
---@param asstring? boolean return the text (boolean, optional)
function dok.help(symbol, asstring) end

---Documentation is read when it is asked for: nothing is done.
function dok.refresh() end

---The same text: there is no markup to be styled.
---@param text string (string)
function dok.stylize(text) end

---The arguments of a call, given in order or by name, with defaults for those left out.
---@param arguments table table: the caller's `{...}`
---@param name string string: of the caller, for the usage
---@param description string string
---@param ... any descriptions of the arguments
---@return torch.Tensor
function dok.unpack(arguments, name, description, ...) end

---The usage of a function as text: its description, arguments and example.
---@param name string string
---@param description string string, optional
---@param example string string, optional
---@param ... any descriptions of arguments; a further string is an example too
function dok.usage(name, description, example, ...) end

---Colours are the terminal's affair: nothing is done.
function dok.usecolors() end

return dok
