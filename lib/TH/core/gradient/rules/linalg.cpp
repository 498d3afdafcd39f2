// Linear algebra: what has a derivative without choices. Sources: M. Giles, "An extended collection
// of matrix derivative results", Oxford 2008; I. Murray, "Differentiation of the Cholesky
// decomposition", arXiv:1602.07527.
#include "core/gradient/derivation.h"

namespace th::gradient {
namespace {

Value solved(const Value& a, const Value& b) {
  Value x = Value::like(a), lu = Value::like(a);
  ops::gesv(&x, &lu, &b, &a);
  return x;
}

Value columns(const Value& x) { return x.ndim == 1 ? viewed(x, {x.sizes[0], 1}) : x; }

/// a b', of vectors or of columns.
Value outer_sum(const Value& a, const Value& b) {
  return product(columns(a), transposed(columns(b)));
}

Value triangle(const Value& x, bool upper, int64_t k = 0) {
  return upper ? result(x, ops::triu, x, k) : result(x, ops::tril, x, k);
}

/// The gradient of a symmetric matrix of which one triangle is read.
Value in_triangle(const Value& g, bool upper) {
  return triangle(g, upper) + triangle(g, upper, upper ? 1 : -1);
}

/// The lower triangle with half the diagonal.
Value lower_half(const Value& x) { return (triangle(x, false) + triangle(x, false, -1)) * 0.5; }

/// Of A = L L' or U' U by the factor's gradient; symmetric.
Value cholesky_gradient(const Value& grad, const Value& factor, bool upper) {
  const Value l = compact(upper ? transposed(factor) : factor);
  const Value g = triangle(upper ? transposed(grad) : grad, false);
  const Value middle = lower_half(product(transposed(l), g));
  const Value inverted = inverse(l);
  const Value s = product(product(transposed(inverted), middle), inverted);
  return (s + transposed(s)) * 0.5;
}

/// Of a factor whose A = L L' or U' U has the gradient g.
Value through_factor(const Value& g, const Value& matrix, bool upper) {
  const Value factor = triangle(matrix, upper);
  const Value both = g + transposed(g);
  return upper ? triangle(product(factor, both), true) : triangle(product(both, factor), false);
}

Value factor_product(const Value& matrix, bool upper) {
  const Value factor = triangle(matrix, upper);
  return upper ? product(transposed(factor), factor) : product(factor, transposed(factor));
}

Value triangular_gradient(const Value& gb, const Value& x, bool upper, bool transposed_,
                          bool unit) {
  const Value g = -(transposed_ ? outer_sum(x, gb) : outer_sum(gb, x));
  return triangle(g, upper, unit ? (upper ? 1 : -1) : 0);
}

Value triangular_solved(const Value& a, const Value& b, bool upper, bool transposed_, bool unit) {
  Value x = Value::like(a), copy = Value::like(a);
  ops::trtrs(&x, &copy, &b, &a, upper, transposed_, unit);
  return x;
}

/// V (diag(ge) + (V' gV) o F) V', F = 1 / (e_j - e_i) off the diagonal.
Value eigen_gradient(Derivation& d, const Value& e, const Value& v, bool upper) {
  TH_CHECK(v.defined(),
           "symeig without eigenvectors has no derivative, which reads them; ask "
           "for them: torch.symeig(a, 'V')");
  const int64_t n = numel(e), square[] = {n, n};
  Value inner = result(e, ops::diag, d.gradient(0), int64_t{0});
  if (d.has(1)) {
    const Value rows = expanded(viewed(e, {1, n}), square),
                cols = expanded(viewed(e, {n, 1}), square);
    const Value identity = result(e, ops::eye, n, n);
    const Value gaps = rows - cols + identity;
    inner = inner + product(transposed(v), d.gradient(1)) / gaps * (1.0 - identity);
  }
  const Value g = product(product(v, inner), transposed(v));
  return in_triangle((g + transposed(g)) * 0.5, upper);
}

/// Of eigenvalues and eigenvectors of length 1 of any matrix, where all are real: with W = V^-T,
/// W (diag(ge) + (V' gV - V' V diag(V' gV)) o F) V', F = 1 / (e_j - e_i) off the diagonal.
/// Source: C. Boeddeker et al., "On the computation of complex-valued gradients", arXiv:1701.00392.
Value any_eigen_gradient(Derivation& d, const Value& numbers, const Value& v) {
  TH_CHECK(v.defined(),
           "eig without eigenvectors has no derivative, which reads them; ask for them: "
           "torch.eig(a, 'V')");
  const Value imaginary = narrowed(numbers, 1, 1, 1);
  double size = 0;
  ops::norm_all(&size, &imaginary, 1);
  TH_CHECK(size == 0,
           "eig has no derivative where eigenvalues are complex; symeig has one, for symmetric "
           "matrices, whose eigenvalues are real");
  const int64_t n = numbers.sizes[0], square[] = {n, n};
  const Value e = flat(selected(numbers, 1, 0)), identity = result(e, ops::eye, n, n);
  Value inner = result(e, ops::diag, flat(selected(d.gradient(0), 1, 0)), int64_t{0});
  if (d.has(1)) {
    const Value gaps = expanded(viewed(e, {1, n}), square) - expanded(viewed(e, {n, 1}), square);
    const Value turned = product(transposed(v), d.gradient(1));
    const Value along = expanded(sum(turned * identity, 0), square);
    const Value across = turned - product(transposed(v), v) * along;
    inner = inner + across / (gaps + identity) * (1.0 - identity);
  }
  return solved(compact(transposed(v)), product(inner, transposed(v)));
}

/// x with its columns multiplied by the elements of s.
Value scaled_columns(const Value& x, const Value& s) {
  return x * expanded(viewed(s, {1, numel(s)}), x.shape());
}

/// 1 / (s_j^2 - s_i^2) off the diagonal, 0 on it.
Value inverse_gaps(const Value& s) {
  const int64_t n = numel(s), sizes[] = {n, n};
  const Value rows = expanded(viewed(square(s), {1, n}), sizes),
              columns = expanded(viewed(square(s), {n, 1}), sizes);
  const Value identity = result(s, ops::eye, n, n);
  return (1.0 - identity) / (rows - columns + identity);
}

/// What of g lies outside of the space of u's columns.
Value beyond(const Value& u, const Value& g) { return g - product(u, product(transposed(u), g)); }

/// U (diag(gs) + (J + J') S + S (K + K')) V' + (1 - U U') gU S^-1 V' + U S^-1 gV' (1 - V V'), where
/// J = F o U' gU, K = F o V' gV. Source: J. Townsend, "Differentiating the singular value
/// decomposition", 2016.
Value svd_gradient(Derivation& d, const Value& u, const Value& s, const Value& v, bool complete) {
  TH_CHECK(!complete || (u.sizes[1] == numel(s) && v.sizes[1] == numel(s)),
           "svd: the singular vectors of a null space have no derivative; ask for those of the "
           "others alone: torch.svd(a, 'S')");
  Value inner = result(s, ops::diag, d.gradient(1), int64_t{0});
  Value outside;
  if (d.has(0)) {
    const Value j = inverse_gaps(s) * product(transposed(u), d.gradient(0));
    inner = inner + scaled_columns(j + transposed(j), s);
    outside = product(scaled_columns(beyond(u, d.gradient(0)), 1.0 / s), transposed(v));
  }
  if (d.has(2)) {
    const Value k = inverse_gaps(s) * product(transposed(v), d.gradient(2));
    inner = inner + transposed(scaled_columns(k + transposed(k), s));
    const Value g = product(u, transposed(scaled_columns(beyond(v, d.gradient(2)), 1.0 / s)));
    outside = outside.defined() ? outside + g : g;
  }
  const Value g = product(product(u, inner), transposed(v));
  return outside.defined() ? g + outside : g;
}

/// (gQ + Q M) R'^-1, M symmetric with the lower triangle of R gR' - gQ' Q. Source: M. Seeger et
/// al., "Auto-Differentiating Linear Algebra", arXiv:1710.08717.
Value qr_gradient(Derivation& d, const Value& q, const Value& r) {
  TH_CHECK(r.sizes[0] == r.sizes[1], "qr: a matrix with more columns than rows, ", q.sizes[0],
           " x ", r.sizes[1], ", has no derivative here; one of the first ", q.sizes[0],
           " columns has");
  const Value gq = d.gradient(0);
  const Value m =
      product(r, transposed(triangle(d.gradient(1), true))) - product(transposed(gq), q);
  const Value middle = triangle(m, false) + transposed(triangle(m, false, -1));
  return transposed(triangular_solved(r, transposed(gq + product(q, middle)), true, false, false));
}

/// Least squares by the normal equations, with P = (A'A)^-1 gx: gb = A P and
/// gA = (b - A x) P' - A P x'. The shortest solution, x = A'y, with Q = (A A')^-1 A gx: gb = Q and
/// gA = y (gx - A'Q)' - Q x'.
void gels_gradients(Derivation& d, const Value& grad, const Value& solution, const Operand& b,
                    const Operand& a) {
  TH_CHECK(!d.has(1), "gels: its factors have no derivative; those of torch.qr have");
  const Value matrix = a, right = b, g = columns(grad), x = columns(solution);
  const Value turned = transposed(matrix);
  const bool least_squares = matrix.sizes[0] >= matrix.sizes[1];
  const Value square = least_squares ? product(turned, matrix) : product(matrix, turned);
  const Value p = solved(square, least_squares ? g : product(matrix, g));
  const Value gb = least_squares ? product(matrix, p) : p;
  if (d.wanted(b)) {
    d.give(b, viewed(gb, shape_of(b)));
  }
  if (d.wanted(a)) {
    const Value rest = columns(right);
    d.give(a, (least_squares ? outer_sum(rest - product(matrix, x), p)
                             : outer_sum(solved(square, rest), g - product(turned, p))) -
                  outer_sum(gb, x));
  }
}

Value flat_rows(const Value& x) { return viewed(x, {x.sizes[0], numel(x) / x.sizes[0]}); }

/// Of gain |x_i - y_j|^2 by x.
Value match_gradient(const Value& grad, const Value& x, const Value& y, double gain) {
  const Value rows = flat_rows(x), others = flat_rows(y);
  const Value weights = expanded(sum(grad, 1), rows.shape());
  return (rows * weights - product(grad, others)) * (2 * gain);
}

/// x f(|x|) for each slice along dim.
Value renorm_gradient(const Value& grad, const Value& x, double p, int dim, double most) {
  const Value turned = transposed(x, 0, dim), g = transposed(grad, 0, dim);
  const Value rows = flat_rows(compact(turned)), back = flat_rows(compact(g));
  const Value n = result(x, ops::norm, rows, p, 1);
  const Value above = where_gt(n, most), size = n + 1e-7;
  const Value factor = above * most / size + (1.0 - above);
  const Value slope = above * -most / square(size) * sum(back * rows, 1);
  Value direction = sign(rows);
  if (p != 1) {
    direction = direction * power(abs(rows), p - 1) *
                expanded(power(n + where_eq(n, 0), 1 - p), rows.shape());
  }
  const Value all =
      back * expanded(factor, rows.shape()) + direction * expanded(slope, rows.shape());
  return transposed(viewed(all, turned.shape()), 0, dim);
}

}  // namespace

void define_linalg(Derivative* table) {
  TH_DERIVATIVES(gesv, NAMES(x, lu, b, a),
                 D(b, solved(transposed(a), grad)) D(a, -outer_sum(solved(transposed(a), grad), x)))
  TH_DERIVATIVES(trtrs, NAMES(x, copy, b, a, upper, transposed, unit),
                 D(b, triangular_solved(a, grad, upper, !transposed, unit))
                     D(a, triangular_gradient(triangular_solved(a, grad, upper, !transposed, unit),
                                              x, upper, transposed, unit)))
  TH_DERIVATIVES(symeig, NAMES(e, v, a, vectors, upper), D(a, eigen_gradient(d, e, v, upper)))
  TH_DERIVATIVES(svd, NAMES(u, s, v, a, complete), D(a, svd_gradient(d, u, s, v, complete)))
  TH_DERIVATIVES(qr, NAMES(q, r, a), D(a, qr_gradient(d, q, r)))
  TH_DERIVATIVES(inverse, NAMES(r, a), D(a, -product(product(transposed(r), grad), transposed(r))))
  TH_DERIVATIVES(potrf, NAMES(r, a, upper),
                 D(a, in_triangle(cholesky_gradient(grad, r, upper), upper)))
  TH_DERIVATIVES(
      potrs, NAMES(x, b, factor, upper),
      D(b, solved(factor_product(factor, upper), grad))
          D(factor, through_factor(-outer_sum(solved(factor_product(factor, upper), grad), x),
                                   factor, upper)))
  TH_DERIVATIVES(potri, NAMES(r, factor, upper),
                 D(factor, through_factor(-product(product(r, grad), r), factor, upper)))
  TH_DERIVATIVES(cross, NAMES(r, x, y, dim),
                 D(x, result(grad, ops::cross, y, grad, dim))
                     D(y, result(grad, ops::cross, grad, x, dim)))
  TH_DERIVATIVES(match, NAMES(r, x, y, gain),
                 D(x, match_gradient(grad, x, y, gain))
                     D(y, match_gradient(gradient::transposed(grad), y, x, gain)))
  TH_DERIVATIVES(renorm, NAMES(r, x, p, dim, max_norm),
                 D(x, renorm_gradient(grad, x, p, dim, max_norm)))
  TH_DERIVATIVES(gels, NAMES(x, qr, b, a), ALL(gels_gradients(d, grad, x, b, a)))
  TH_DERIVATIVES(eig, NAMES(e, v, a, vectors), D(a, any_eigen_gradient(d, e, v)))
  TH_UNDIFFERENTIATED(pstrf, "its order of pivots jumps; potrf has one")
  constexpr const char* kReflectors = "made of or for reflectors; qr and products have one";
  TH_UNDIFFERENTIATED(geqrf, kReflectors)
  TH_UNDIFFERENTIATED(orgqr, kReflectors)
  TH_UNDIFFERENTIATED(ormqr, kReflectors)
}

}  // namespace th::gradient
