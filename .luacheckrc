std = 'luajit'
max_line_length = 100
files['test'] = { std = '+busted' }
files['examples/custom_operation/test'] = { std = '+busted' }
files['examples/serve'] = { std = '+ngx_lua' } -- inside nginx
