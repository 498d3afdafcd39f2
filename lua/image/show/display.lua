local M = {public = {}}
return M
