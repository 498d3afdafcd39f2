/* What bench/cases/operations/apply.lua is measured against. */
void square_plus_one(float *x, long n) {
  for (long i = 0; i < n; ++i) {
    x[i] = x[i] * x[i] + 1;
  }
}
