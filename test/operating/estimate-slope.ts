/** The slope of a line through points, and its standard error, by least squares. Of points with one x, both are 0. */
export function estimateSlope(points: readonly (readonly [x: number, y: number])[]): {
  readonly slope: number;
  readonly error: number;
} {
  const mean = (place: 0 | 1) => points.reduce((sum, point) => sum + point[place], 0) / points.length;
  const [x_mean, y_mean] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [x]) => sum + (x - x_mean) ** 2, 0);
  if (spread === 0) return { slope: 0, error: 0 };
  const slope = points.reduce((sum, [x, y]) => sum + (x - x_mean) * (y - y_mean), 0) / spread;
  const residual = points.reduce((sum, [x, y]) => sum + (y - y_mean - slope * (x - x_mean)) ** 2, 0);
  return { slope, error: Math.sqrt(residual / Math.max(1, points.length - 2) / spread) };
}
