// The C ABI's fifth part: differentiation. Calls with a Variable among their arguments are
// recorded (core/gradient); a pass goes back through the record and gives gradients.
#ifndef TH_GRADIENT_H
#define TH_GRADIENT_H

#include "TH_file.h"

#ifndef TH_CDEF
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
#endif

// --- Variables ----------------------------------------------------------------------------------
// x becomes a leaf: backward gives it a gradient. Not `on`: a tensor that needs none itself, but
// into which Variables may be written.
int TH_Variable_make(TH_Tensor* x, bool on);
// The second for a plain tensor which a Variable is about to be written into: an error where it is
// a view of another, which would not learn of it.
int TH_Variable_learn(TH_Tensor* x);
// x is a plain tensor, and apart from others of its memory: what is written into it is theirs to
// read, but not its gradient. What was recorded with it stays.
void TH_Variable_drop(TH_Tensor* x);
// Whether gradients reach x.
bool TH_Variable_needsGradient(const TH_Tensor* x);
bool TH_Variable_isLeaf(const TH_Tensor* x);
// The gradient of a leaf, or of another tensor after TH_Variable_retain; false: there is none.
bool TH_Variable_gradient(TH_Tensor* r, const TH_Tensor* x);
// g: NULL for none. The leaf shares g's memory.
int TH_Variable_setGradient(TH_Tensor* x, const TH_Tensor* g);
int TH_Variable_retain(TH_Tensor* x);
// A function of the binding is called with each gradient of x.
int TH_Variable_hook(TH_Tensor* x, int function);
int TH_Variable_unhook(TH_Tensor* x, int function);
// What made x, as text; NULL for a leaf or a plain tensor. Valid until the next call.
const char* TH_Variable_madeBy(const TH_Tensor* x);
// The next call with a Variable that gives a number gives it as a tensor of one element, too.
void TH_Variable_number(TH_Tensor* r);
// Whether x has one element and stands for a number: it was such a result, or made of such alone.
bool TH_Variable_isNumber(const TH_Tensor* x);

// Gives back a reference that TH_Tensor_retain took.
void TH_Tensor_free(TH_Tensor* t);

// --- recording ----------------------------------------------------------------------------------
// Whether calls are recorded; returns what was.
bool TH_Gradient_record(bool on);
bool TH_Gradient_recording(void);
// Whether what derivatives read is kept in copies, so that nothing written later matters; returns
// what was.
bool TH_Gradient_copy(bool on);
// Whether results with a gradient may go into views of plain tensors, as layers fill their buffers:
// only where somebody compares what comes back; returns what it was before.
bool TH_Gradient_fillViews(bool on);
// Functions of the binding that nobody needs any more, one by one; 0: no more.
int TH_Gradient_dropped(void);

// The outputs become Variables, made of the inputs by a function whose derivative the binding
// knows; `saved` tensors are kept for it. *recorded: whether it was (an input needs a gradient).
// name: what errors call the function; NULL for one of the script.
int TH_Function_record(int function, const char* name, const TH_Tensor* const* outputs,
                       int output_count, const TH_Tensor* const* inputs, int input_count,
                       const TH_Tensor* const* saved, int saved_count, bool* recorded);

// --- going back ---------------------------------------------------------------------------------
typedef enum { TH_TURN_DONE = 0, TH_TURN_FUNCTION = 1, TH_TURN_HOOK = 2 } TH_TurnKind;

// What the binding has to do before a pass goes on.
typedef struct TH_Turn {
  int kind;
  int callee;   // the number of a function of the binding
  int outputs;  // of a function
  int inputs;
  int output;   // of a hook: whose gradient
  bool leaves;  // whether gradients are accumulated, or only given
} TH_Turn;

typedef struct TH_Backward TH_Backward;
// gradients: NULL, or for each output NULL (1) or a tensor. inputs: whose gradients are wanted;
// none for those of all leaves, which are accumulated.
int TH_Backward_start(TH_Backward** run, const TH_Tensor* const* outputs,
                      const TH_Tensor* const* gradients, int count, const TH_Tensor* const* inputs,
                      int input_count, bool retain, bool create);
int TH_Backward_run(TH_Backward* run, TH_Turn* turn);
// Both for one output and the leaves. *run is NULL when the pass has come to its end.
int TH_Backward_whole(TH_Backward** run, const TH_Tensor* output, const TH_Tensor* gradient,
                      bool retain, bool create, TH_Turn* turn);
// The gradient of a result of the node whose turn it is; own: in memory that the caller may write
// into, unless the pass itself is recorded.
int TH_Backward_gradient(TH_Backward* run, int output, bool own, TH_Tensor* r);
int TH_Backward_replace(TH_Backward* run, int output, const TH_Tensor* g);
// What a function's node has kept, whether it is as it was, and the gradients of its inputs (NULL:
// none).
int TH_Backward_saved(TH_Backward* run, int index, TH_Tensor* r);
int TH_Backward_check(TH_Backward* run);
bool TH_Backward_needs(TH_Backward* run, int input);
int TH_Backward_give(TH_Backward* run, int input, const TH_Tensor* g);
// The same of a tensor that nobody else has: a leaf keeps its memory instead of a copy. g is empty
// afterwards, even where this fails.
int TH_Backward_handOver(TH_Backward* run, int input, TH_Tensor* g);
// The gradient of an input; false: the outputs do not depend on it.
bool TH_Backward_result(TH_Backward* run, int index, TH_Tensor* r);
void TH_Backward_free(TH_Backward* run);

// --- what there is, and what goes wrong ---------------------------------------------------------
typedef enum {
  TH_DERIVATIVE_UNKNOWN = 0,
  TH_DERIVATIVE_KNOWN = 1,
  TH_DERIVATIVE_CONSTANT = 2,
  TH_DERIVATIVE_NONE = 3
} TH_DerivativeKind;

typedef struct TH_DerivativeRow {
  int kind;
  const char* text;  // its clauses, or why there are none
  uint32_t covered;  // parameters that it gives a gradient, as bits
} TH_DerivativeRow;
TH_DerivativeRow TH_derivative(int operation);

// Looks at every result for NaN, and keeps what wrote to which memory, where.
int TH_Anomaly_watch(bool on);
// The line of the script that runs.
void TH_Anomaly_place(const char* place);

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
#endif
