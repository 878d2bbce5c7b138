/** Rounds an expected number of people to ten, or to two digits of a larger one: a prediction is not more exact. Null for fewer than ten. */
export function roundPeople(people: number): number | null {
  if (people < 10) return null;
  const step = 10 ** Math.max(1, Math.floor(Math.log10(people)) - 1);
  return Math.round(people / step) * step;
}
