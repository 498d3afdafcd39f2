--- Files of other programs that are given to torch.load: what they are, and what reads them.
-- @module torch.serialize.foreign
local M = {}

local SAMPLE = 512 -- bytes that are looked at

local PYTORCH = "require 'pth' reads PyTorch's tensors, require 'npy' NumPy's; of a whole net save "
   .. 'the state_dict() in Python'

-- What a file begins with, what it is, what to do.
local beginnings = {
   { '^PK\3\4', 'a zip archive, as PyTorch (.pth, .pt) and NumPy (.npz) write',
      PYTORCH },
   { '^\128[\2-\5]', 'a Python pickle, as PyTorch (.pth, .pt) writes',
      PYTORCH },
   { '^\147NUMPY', 'an array of NumPy (.npy)', "require 'npy' reads it" },
   { '^\137HDF\r\n', 'an HDF5 file', "require 'hdf5' reads it" },
   { '^\137PNG\r\n', 'a PNG picture', "require 'image'; image.load(name)" },
   { '^\255\216\255', 'a JPEG picture', "require 'image'; image.load(name)" },
   { '^P[1-6]%s', 'a PNM picture', "require 'image'; image.load(name)" },
   { '^\31\139', 'compressed by gzip', 'gunzip it first' },
   { '^BZh', 'compressed by bzip2', 'bunzip2 it first' },
   { '^\2537zXZ', 'compressed by xz', 'unxz it first' },
   { '^%(\181/\253', 'compressed by zstd', 'unzstd it first' },
   { '^version https://git%-lfs', 'a pointer of Git LFS', 'git lfs pull fetches the file itself' },
   { '^%s*<[!%?%a]', 'a page of the web (HTML or XML)',
      'what was to be downloaded was not: look at the address' },
   { '^........{"', 'a safetensors file', "require 'safetensors' reads it" },
}

-- Whether a text is lines of numbers and words, as tables are written.
local function separator(text)
   for _, s in ipairs { ',', ';', '\t' } do
      local line = text:match('^[^\n]*' .. s .. '[^\n]*\n?')
      if line then
         return s
      end
   end
end

--- What a file is that begins with these bytes, if it is known and no .t7 file.
-- @string bytes from the file's first on
-- @string name of the file
-- @return sentence, or nil
function M.describe(bytes, name)
   bytes = bytes:sub(1, SAMPLE)
   if bytes == '' then
      return 'not a .t7 file but an empty one: what wrote it was stopped, or the disk was full'
   end
   for i, row in ipairs(beginnings) do
      if bytes:find(row[1]) then
         local what, remedy = row[2], row[3]
         if i == 1 and name:find '%.npz$' then
            what, remedy = 'arrays of NumPy (.npz)', "require 'npy' reads it"
         end
         return ('not a .t7 file but %s: %s'):format(what, remedy)
      end
   end
   if bytes:find '[%z\1-\8\14-\26\28-\31\127]' or not bytes:find '%S' then
      return nil
   elseif bytes:find '^%s*%-?%d+%s*\n' and not bytes:find '^[^\n]*[,;]' then
      return nil -- t7 as text begins so
   elseif bytes:find '^%s*[{%[]' then
      return "not a .t7 file but text, JSON it seems: require('cjson').decode(text) reads it"
   elseif name:find '%.lua$' then
      return 'not a .t7 file but text: dofile(name) runs Lua'
   elseif separator(bytes) then
      return 'not a .t7 file but text, a table (CSV) it seems: '
         .. "require('torch.dataset').readCsv(name) reads its columns"
   end
   return 'not a .t7 file but text: io.lines(name) reads it line by line'
end

return M
