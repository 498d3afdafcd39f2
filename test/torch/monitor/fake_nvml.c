/* A management library with two devices, for monitor_spec.lua: numbers that the spec expects. */
#include <stdio.h>

typedef struct { unsigned gpu, memory; } Utilization;
typedef struct { unsigned long long total, free, used; } Memory;
typedef struct { unsigned pid; unsigned long long used; unsigned a, b; } Process;

static int status = FAKE_STATUS;

int nvmlInit_v2(void) { return status; }
int nvmlShutdown(void) { return 0; }
const char *nvmlErrorString(int s) { return s == 18 ? "Driver/library version mismatch" : "?"; }
int nvmlSystemGetDriverVersion(char *t, unsigned n) { snprintf(t, n, "555.42"); return 0; }
int nvmlSystemGetNVMLVersion(char *t, unsigned n) { snprintf(t, n, "12.555.42"); return 0; }
int nvmlDeviceGetCount_v2(unsigned *n) { *n = 2; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **d) { *d = (void *)(long)(i + 1); return 0; }
static int is_first(void *d) { return d == (void *)1; }
int nvmlDeviceGetName(void *d, char *t, unsigned n) {
  snprintf(t, n, is_first(d) ? "Large One" : "Plain One");
  return 0;
}
int nvmlDeviceGetTemperature(void *d, int sensor, unsigned *v) { *v = 61; return sensor; }
/* The second has no power meter, and tells nothing of its clocks. */
int nvmlDeviceGetPowerUsage(void *d, unsigned *v) { *v = 312400; return is_first(d) ? 0 : 3; }
int nvmlDeviceGetEnforcedPowerLimit(void *d, unsigned *v) { *v = 700000; return is_first(d) ? 0 : 3; }
int nvmlDeviceGetClockInfo(void *d, int kind, unsigned *v) {
  *v = kind == 0 ? 1980 : 2619;
  return is_first(d) ? 0 : 3;
}
int nvmlDeviceGetMaxClockInfo(void *d, int kind, unsigned *v) { *v = 1995; return is_first(d) ? 0 : 3; }
int nvmlDeviceGetUtilizationRates(void *d, Utilization *u) {
  u->gpu = 75;
  u->memory = 40;
  return is_first(d) ? 0 : 3;
}
int nvmlDeviceGetMemoryInfo(void *d, Memory *m) {
  m->total = 80ULL << 30;
  m->used = 20ULL << 30;
  m->free = m->total - m->used;
  return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void *d, unsigned *n, Process *p) {
  if (!is_first(d)) {
    *n = 0;
    return 0;
  }
  *n = 2;
  p[0].pid = 1;
  p[0].used = 5ULL << 20;
  p[1].pid = 4000000; /* above any process that Linux has */
  p[1].used = ~0ULL;
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void *d, unsigned long long *r) {
  *r = is_first(d) ? 0x24 : 0;
  return 0;
}
