-- Lua source, already escaped for HTML, with its words marked up.
local keywords = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat
   return then true until while]]):gmatch '%a+' do
   keywords[word] = true
end

-- Pattern at the start -> class. Quotes are &quot; or ' by then.
local tokens = {
   { '^%-%-%[%[.-%]%]', 'comment' }, { '^%-%-[^\n]*', 'comment' },
   { '^&quot;.-&quot;', 'string' }, { "^'[^'\n]*'", 'string' }, { '^%[%[.-%]%]', 'string' },
   { '^0x%x+', 'number' }, { '^%d+%.?%d*[eE][+-]?%d+', 'number' }, { '^%d+%.?%d*', 'number' },
   { '^&%a+;' }, { '^[%a_][%w_]*', 'word' }, { '^%s+' }, { '^[^%w%s]' },
}

return function(text)
   local out, at = {}, 1
   while at <= #text do
      for _, token in ipairs(tokens) do
         local found = text:match(token[1], at)
         if found then
            local kind = token[2]
            if kind == 'word' then
               kind = keywords[found] and 'keyword' or nil
            elseif kind == 'comment' and found:match '^%-%-&gt;' then
               kind = 'value' -- what an example is worth
            end
            out[#out + 1] = kind and ('<span class="%s">%s</span>'):format(kind, found) or found
            at = at + #found
            break
         end
      end
   end
   return table.concat(out)
end
