-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'trepl'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "Part of the rock torch, which has th",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm' }
build = { type = 'none', copy_directories = {} }
