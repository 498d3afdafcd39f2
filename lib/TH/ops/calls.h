// Every operation with its C parameters as a Lua table, written by the preprocessor: what the tests
// walk. (Lua asks the core, TH_signature.)
return {
#define TH_OP(NAME, PARAMS, ARGS) { name = #NAME, parameters = #PARAMS },
#include "ops/all.def"
#undef TH_OP
}
