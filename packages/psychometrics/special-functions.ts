/** The logistic function, 1 / (1 + exp(-x)). */
export function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/**
 * The standard normal distribution function, by Phi(x) = (1 + sign(x) P(1/2, x^2 / 2)) / 2 (DLMF 7.11.1); the absolute error is below
 * 1e-13.
 */
export function normalCdf(x: number): number {
  return (1 + Math.sign(x) * gammaCdf(0.5, (x * x) / 2)) / 2;
}

/**
 * P(shape, x), the distribution function of a gamma variable of scale 1, by x^a e^-x * sum of x^n / Gamma(a + n + 1) (DLMF 8.7.1). All
 * terms are positive, so that nothing cancels. Use it for shapes up to about a hundred.
 */
export function gammaCdf(shape: number, x: number): number {
  if (x <= 0) return 0;
  if (x > shape + 40 + 10 * Math.sqrt(shape)) return 1;
  let term = Math.exp(shape * Math.log(x) - x - logGamma(shape + 1));
  let sum = term;
  for (let n = 1; n < 1000 && term > sum * 1e-17; n++) {
    term *= x / (shape + n);
    sum += term;
  }
  return Math.min(1, sum);
}

/** ln Gamma(x) for x > 0: Stirling's series (DLMF 5.11.1) after moving x above 10 by the recurrence; the error is below 1e-13. */
export function logGamma(x: number): number {
  if (x < 10) return logGamma(x + 1) - Math.log(x);
  const square = 1 / (x * x);
  const series =
    (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / x;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
}
