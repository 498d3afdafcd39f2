--- Whether what scripts can reach is documented, and what is documented can be reached.
local torch = require 'torch'
local help = require 'torch.help'
local tosymbol = require('xlua.strings').tosymbol

local M = {}

local exceptions = {
   ['torch.ops'] = true, -- data: the rows of lib/TH/ops, with a text on torch's page
}

local function lacksText(value)
   local text = help.text(value)
   return text:match '^no help on' or text:match 'has no docstring'
end

--- Names of public functions and classes for which help() finds no docstring, sorted.
-- @param packages list of names; fields that begin with _ are not public
function M.undocumented(packages)
   local missing = {}
   local function look(title, value)
      if not exceptions[title] and lacksText(value) then
         missing[#missing + 1] = title
      end
   end
   for _, package in ipairs(packages) do
      for name, value in pairs(_G[package]) do
         local title = package .. '.' .. tostring(name)
         local public = type(name) == 'string' and not name:match '^_'
         local constructor = type(value) == 'table' and torch.getmetatable(title)
         if public and (type(value) == 'function' or constructor) then
            look(title, value)
         elseif public and type(value) == 'table' then -- nn.utils
            for key, f in pairs(value) do
               if type(f) == 'function' and not tostring(key):match '^_' then
                  look(title .. '.' .. key, f)
               end
            end
         end
      end
   end
   table.sort(missing)
   return missing
end

--- Names in the headings of reference pages that mean nothing.
-- @param text the pages
-- @param tensor string: the class whose methods are those of a tensor t
function M.unreachable(text, tensor)
   local missing = {}
   for heading in text:gmatch '\n##+ (`[^\n]*)' do
      for name in heading:gmatch '`([%a_][%w_.]*)' do
         if name ~= 't' and tosymbol(name) == nil then
            missing[#missing + 1] = name
         end
      end
      for method in heading:gmatch '`t:([%w_]+)' do
         if not torch.getmetatable(tensor)[method] then
            missing[#missing + 1] = 't:' .. method
         end
      end
   end
   return missing
end

return M
