local lfs = require 'lfs'
local torch = require 'torch'
local paths = require 'paths'
local errors = require 'torch.errors'
local options = require 'torch.options'
local common = require 'torch.dataset.set.common'

--- Pictures in folders, a folder for each class: `folder/cat/1.jpg`, `folder/dog/x/2.png`. Classes
-- are the folders' names in alphabetical order, from 1; files, too, are in alphabetical order, so
-- that an index means the same picture everywhere. A folder without folders is one class; names
-- that begin with a dot do not count. With `classes`, as another set has them, numbers mean the
-- same in both, and one without a folder has no samples: dataset.Folder{folder = 'test', classes =
-- train.classes}.
--
-- The fields are `classes` (list of names), `files` (list) and `targets` (LongTensor). A sample is
-- {input = tensor C x H x W, target = number}; pictures differ in size, so a transform makes them
-- one, as dataset.transform.RandomResizedCrop does.
-- @tparam table options folder; depth: 3 (default) or 1; type: 'byte' (default), 'float' or
-- 'double'; load: function(path) -> tensor in place of image.load; extensions: list of the names'
-- ends ({'jpg', 'jpeg', 'png', 'ppm', 'pgm'}); classes: the folders that are classes, in order
-- @raise "dataset.Folder: there are no pictures (jpg, ...) in x"; a picture that cannot be read:
-- "image.load: 'cat/1.jpg': ..."
-- @usage dataset.Folder{folder = 'pictures'}
-- @type dataset.Folder
local Folder = torch.class('dataset.Folder', require 'torch.dataset.module')

local NAME = 'dataset.Folder'

-- Names that an iterator gives, in order, without those that begin with a dot.
local function visible(iterate, folder)
   local names = {}
   for name in iterate(folder) do
      if name:sub(1, 1) ~= '.' then
         names[#names + 1] = name
      end
   end
   table.sort(names)
   return names
end

-- Files below a folder whose names end so, sorted. Links to folders are followed, but no folder is
-- entered within itself.
local function walk(folder, wanted, found, above)
   local id = ('%s %s'):format(lfs.attributes(folder, 'dev'), lfs.attributes(folder, 'ino'))
   if above[id] then
      return found
   end
   above[id] = true
   for _, name in ipairs(visible(paths.files, folder)) do
      local path = folder .. '/' .. name
      if paths.dirp(path) then
         walk(path, wanted, found, above)
      elseif wanted[(name:match '%.([^.]+)$' or ''):lower()] then
         found[#found + 1] = path
      end
   end
   above[id] = nil
   return found
end

function Folder:__init(given)
   local read = options.read(NAME, given, {
      folder = { 'text', required = true }, depth = { 'count', 3 }, type = { 'text', 'byte' },
      load = { 'call' }, classes = { 'list' },
      extensions = { 'list', { 'jpg', 'jpeg', 'png', 'ppm', 'pgm' } },
   })
   if not paths.dirp(read.folder) then
      errors.raise(('%s: there is no folder %s'):format(NAME, read.folder))
   end
   self.folder, self.depth, self.kind, self.load = read.folder, read.depth, read.type, read.load
   local wanted = {}
   for _, extension in ipairs(read.extensions) do
      wanted[extension:lower()] = true
   end
   self.files, self.classes = {}, {}
   local targets = {}
   local names = read.classes or visible(paths.iterdirs, read.folder)
   for _, class in ipairs(#names > 0 and names or { '.' }) do
      local before = #self.files
      local folder = class == '.' and read.folder or read.folder .. '/' .. class
      local there = paths.dirp(folder) -- not every set has all classes of another one
      if there then
         walk(folder, wanted, self.files, {})
      end
      if there and #self.files == before and class ~= '.' then
         errors.raise(("%s: there are no pictures (%s) in the folder of class '%s' in %s; classes "
            .. '= { ... } names the folders that are classes'):format(NAME,
            table.concat(read.extensions, ', '), class, read.folder))
      end
      self.classes[#self.classes + 1] = class == '.' and paths.basename(read.folder) or class
      for i = before + 1, #self.files do
         targets[i] = #self.classes
      end
   end
   if #self.files == 0 then
      errors.raise(('%s: there are no pictures (%s) in %s'):format(NAME,
         table.concat(read.extensions, ', '), read.folder))
   end
   self.targets, self.types = torch.LongTensor(targets), { target = 'torch.LongTensor' }
end

--- Number of pictures.
function Folder:size()
   return #self.files
end

--- A sample.
function Folder:get(i)
   local path = self.files[common.checkIndex(NAME, i, #self.files)]
   local picture
   if self.load then
      picture = self.load(path)
   else
      picture = require('image').load(path, self.depth, self.kind)
   end
   return { input = picture, target = self.targets[i] }
end

return Folder
