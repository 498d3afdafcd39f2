-- The site's pages in the order of its margin. Every page of docs/ is here, reached from here by a
-- link, or of the reference.
return {
   { 'Start', 'README', 'install', 'tour', 'from_torch7', 'from_pytorch', 'th' },
   { 'Guides', 'guides/tensors', 'guides/layers', 'guides/training', 'guides/data',
      'guides/smaller_nets', 'guides/saving', 'guides/threads', 'guides/gpu', 'guides/several_gpus',
      'guides/performance', 'guides/writing_a_layer', 'guides/writing_an_operation',
      'guides/kernels' },
   { 'Look up', 'reference/README', 'reference/index', 'errors', 'editors', 'compat', 'cuda',
      'architecture' },
}
