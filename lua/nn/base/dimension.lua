--- Dimensions that are counted in one sample, as JoinTable and SplitTable are given them.
-- @module nn.base.dimension

--- The dimension of a tensor as it comes.
-- @int dimension counted in one sample, or from the last (-1) backwards
-- @int[opt] sample_dims the dimensions of one sample: a tensor with one more is a batch
-- @int dims the tensor's
return function(dimension, sample_dims, dims)
   if dimension < 0 then
      return dims + dimension + 1
   end
   return dimension + (sample_dims and dims == sample_dims + 1 and 1 or 0)
end
