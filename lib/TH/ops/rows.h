// Element types and the operations of the regular families as a Lua table, written by the
// preprocessor: what lua/torch makes types and functions of.
return {
dtypes = {
#define TH_DTYPE(TAG, NAME, ELEMENT, C, FIELD, KIND, COMPUTED) { name = #NAME, ctype = #C, field = #FIELD, kind = #KIND, computed = #COMPUTED },
#include "ops/dtypes.def"
#undef TH_DTYPE
},
families = {
#define TH_UNARY(NAME, FUNCTOR, DTYPES, FORMULA) { family = "unary", name = #NAME, dtypes = #DTYPES, formula = FORMULA },
#define TH_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) { family = "scalar", name = #NAME, dtypes = #DTYPES, formula = FORMULA },
#define TH_SCALAR2(NAME, FUNCTOR, DTYPES, FORMULA) { family = "scalar2", name = #NAME, dtypes = #DTYPES, formula = FORMULA },
#define TH_BINARY(NAME, FUNCTOR, DTYPES, FORMULA) { family = "binary", name = #NAME, dtypes = #DTYPES, formula = FORMULA },
#define TH_BINARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) { family = "binary_scalar", name = #NAME, dtypes = #DTYPES, formula = FORMULA },
#define TH_TERNARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) { family = "ternary_scalar", name = #NAME, dtypes = #DTYPES, formula = FORMULA },
#include "ops/pointwise.def"
#undef TH_UNARY
#undef TH_SCALAR
#undef TH_SCALAR2
#undef TH_BINARY
#undef TH_BINARY_SCALAR
#undef TH_TERNARY_SCALAR
#define TH_COMPARE(NAME, FUNCTOR, FORMULA) { family = "compare", name = #NAME, dtypes = "Numeric", formula = FORMULA },
#include "ops/compare.def"
#undef TH_COMPARE
},
}
