--- What a model says: checked, its attributes and constants in our terms.
-- @module onnx.import.model
local M = {}

local OLDEST, NEWEST = 7, 26

local function fail(text, ...)
   error(text:format(...), 0)
end

--- The version of the operator set without a domain.
function M.opset(model)
   local found
   for _, set in ipairs(model.opset_import or {}) do
      if (set.domain or '') == '' or set.domain == 'ai.onnx' then
         found = set.version or 0
      end
   end
   if not found then
      fail 'the file does not say which operators it is written in: opset_import is missing'
   elseif found < OLDEST or found > NEWEST then
      fail('the file is written in opset %g, those from %d to %d are read', found, OLDEST, NEWEST)
   end
   return found
end

local function version_of(model, domain)
   for _, set in ipairs(model.opset_import or {}) do
      if set.domain == domain then
         return tostring(set.version)
      end
   end
   return '?'
end

--- What an error calls a node: by its name or, without one, by what it gives.
function M.title(node)
   local kind, name, output = node.op_type or '?', node.name or '', (node.output or {})[1] or ''
   return name ~= '' and ("%s '%s'"):format(kind, name)
      or output ~= '' and ("%s that gives '%s'"):format(kind, output) or kind
end

--- The name of a node's operator, with its domain where that is another than ONNX's own.
function M.kind_of(node)
   local domain, kind = node.domain or '', node.op_type or '?'
   return (domain == '' or domain == 'ai.onnx') and kind or ('%s.%s'):format(domain, kind)
end

--- Raise unless a node's operator has no domain, or is one of another that is known.
function M.check_domain(model, node, known)
   local domain = node.domain or ''
   if domain ~= '' and domain ~= 'ai.onnx' and not known[M.kind_of(node)] then
      fail("node %s: the operators of domain '%s' (version %s) are not read", M.title(node), domain,
         version_of(model, domain))
   end
end

local KINDS = { 'f', 'i', 's', 't', 'g', 'floats', 'ints', 'strings', 'tensors', 'graphs' }
local DEFAULTS = { f = 0, i = 0, s = '', floats = {}, ints = {}, strings = {} }

-- Of what kind those attributes are that are read: one of another kind is a mistake of the file.
local EXPECTED = {}
for kind, names in pairs {
   ints = 'kernel_shape strides pads dilations output_padding output_shape axes perm split starts '
      .. 'ends value_ints shape '
      .. 'scan_input_axes scan_output_axes scan_input_directions scan_output_directions',
   i = 'group axis keepdims ceil_mode count_include_pad storage_order transA transB hidden_size '
      .. 'linear_before_reset input_forget layout noop_with_empty_axes to blocksize largest sorted '
      .. 'exclusive reverse fmod upper training_mode size num_groups allowzero value_int '
      .. 'exclude_outside antialias stash_type batch_dims start end num_outputs saturate spatial '
      .. 'select_last_index align_corners detect_negative detect_positive p q_num_heads '
      .. 'kv_num_heads is_causal qk_matmul_output_mode channels_last opset center_point_box '
      .. 'output_height output_width sampling_ratio transBatchA transBatchB '
      .. 'num_scan_inputs dtype output_dtype k periodic output_datatype batch_axis time_axis',
   f = 'alpha beta gamma epsilon momentum bias lambd clip min max value_float '
      .. 'cubic_coeff_a extrapolation_value ratio scale softcap '
      .. 'spatial_scale activation_gamma',
   s = 'auto_pad mode direction approximate equation coordinate_transformation_mode nearest_mode '
      .. 'reduction value_string keep_aspect_ratio_policy padding_mode '
      .. 'activation',
   g = 'then_branch else_branch body',
   floats = 'scales value_floats activation_alpha activation_beta activation_params',
   strings = 'activations',
} do
   for name in names:gmatch '%S+' do
      EXPECTED[name] = kind
   end
end

-- Where an operator has another kind under a name that others have, too.
local OTHERS = { ['com.microsoft.FusedGemm'] = { activation_alpha = 'f', activation_beta = 'f' } }

--- Of what kind an attribute is: 'i', 'f', 's', 'ints', 'floats', 'strings'; nil if no operator
-- that is read has it.
-- @string name of the attribute
-- @string operator with its domain
function M.kind(name, operator)
   return OTHERS[operator] and OTHERS[operator][name] or EXPECTED[name]
end

-- The attributes that are graphs, and whose they are.
local GRAPHS = { then_branch = { If = true }, else_branch = { If = true },
   body = { Loop = true, Scan = true } }

local function is_graph(node, name)
   return GRAPHS[name] ~= nil and GRAPHS[name][node.op_type or ''] == true
end

-- Numbers in lists say where elements are: whole, and no more than positions may be.
local function check_kind(node, name, kind, value)
   local wanted = M.kind(name, M.kind_of(node))
   if wanted and kind ~= wanted and not (name == 'value' or name == 'bias' and kind == 'i') then
      fail("node %s: the attribute '%s' is of another type than this operator's",
         M.title(node), name)
   elseif kind == 'ints' and #value > 64 and name ~= 'value_ints' then
      fail("node %s: the attribute '%s' is a list of %d", M.title(node), name, #value)
   elseif kind == 'i' and math.abs(value) > 2 ^ 53 then
      fail("node %s: the attribute '%s' is %g", M.title(node), name, value)
   end
end

--- The attributes of a node by name, tensors decoded.
-- @param node
-- @param constants of the file
-- @return the attributes; numbers of dimensions and types of elements of those that are tensors
function M.attributes(node, constants)
   local list, ranks, types = {}, {}, {}
   for _, attribute in ipairs(node.attribute or {}) do
      local kind = KINDS[attribute.type or 0]
      local name = attribute.name or ''
      if not kind then -- files from before attributes had types
         for _, one in ipairs(KINDS) do
            kind = kind or attribute[one] ~= nil and one or nil
         end
      end
      local value = kind and attribute[kind]
      if value == nil then
         value = DEFAULTS[kind]
      end
      if kind == 'g' and is_graph(node, name) and value then
         list[name] = value
      elseif attribute.ref_attr_name or kind == 'g' or kind == 'graphs' or value == nil then
         fail("node %s: the attribute '%s' is a graph or of a type that is not read", M.title(node),
            name)
      elseif kind == 't' then
         if name ~= 'value' then
            fail("node %s: the attribute '%s' is a tensor", M.title(node), name)
         end
         local tensor, dims = constants:decode(value)
         list[name], ranks[name], types[name] = tensor or false, #dims, value.data_type
         if tensor and tensor:nElement() > 1 and node.op_type ~= 'Constant' then
            fail("node %s: its value has %d elements, expected one", M.title(node),
               tensor:nElement())
         end
      else
         check_kind(node, name, kind, value)
         list[name] = value
      end
   end
   return list, ranks, types
end

--- The graphs within a node: a list.
function M.graphs(node)
   local list = {}
   for _, attribute in ipairs(node.attribute or {}) do
      if is_graph(node, attribute.name or '') and type(attribute.g) == 'table' then
         list[#list + 1] = attribute.g
      end
   end
   return list
end

--- Raise for what whole models may have and no net can.
function M.check(model)
   if not model.graph then
      fail 'there is no graph in it'
   end
   M.check_graph(model.graph)
end

--- Raise for what graphs may have and no net can.
function M.check_graph(graph)
   if graph.sparse_initializer then
      fail 'it has sparse constants, which are not read'
   elseif not graph.output then
      fail 'its graph has no outputs'
   end
end

--- The dimensions that an input is said to have: nil where the file does not tell.
function M.rank(info)
   local tensor = info.type and info.type.tensor_type
   if info.type and not tensor then
      fail("the input '%s' is no tensor", info.name or '?')
   end
   return tensor and tensor.shape and #(tensor.shape.dim or {}) or nil
end

return M
