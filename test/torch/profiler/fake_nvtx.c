/* A libnvToolsExt that prints what it is asked for. */
#include <stdio.h>

static int depth = 0;

int nvtxRangePushA(const char *name) {
  printf("%d push %s\n", depth, name);
  return depth++;
}
int nvtxRangePop(void) {
  printf("%d pop\n", --depth);
  return depth;
}
