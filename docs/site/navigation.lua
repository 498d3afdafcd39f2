-- The site's pages in the order of its margin: every page of docs/, docs/guides/ and
-- docs/architecture/.
return {
   { 'Start', 'README', 'install', 'tour', 'from_torch7', 'from_pytorch', 'th' },
   { 'Guides', 'guides/tensors', 'guides/layers', 'guides/training', 'guides/trainer',
      'guides/variables', 'guides/data', 'guides/smaller_nets', 'guides/saving', 'guides/onnx',
      'guides/threads', 'guides/distributed', 'guides/gpu', 'guides/several_gpus',
      'guides/performance', 'guides/writing_a_layer', 'guides/writing_an_operation',
      'guides/kernels', 'guides/embedding' },
   { 'Look up', 'reference/README', 'reference/index', 'errors', 'editors', 'compat', 'cuda' },
   { 'How it is built', 'architecture', 'architecture/calls', 'architecture/tensors',
      'architecture/threads', 'architecture/kernels', 'architecture/second_backend',
      'architecture/lua', 'architecture/layers', 'architecture/variables', 'architecture/training',
      'architecture/processes', 'architecture/onnx', 'architecture/expressions',
      'architecture/pictures', 'architecture/programs' },
}
