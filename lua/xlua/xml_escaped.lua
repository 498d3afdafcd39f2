-- Text between tags of XML or HTML, or in an attribute. Control characters cannot be said there.

local ESCAPES = { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;' }

return function(text)
   return (tostring(text):gsub('[&<>"]', ESCAPES):gsub('%c', '?'))
end
