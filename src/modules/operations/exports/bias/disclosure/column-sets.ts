/** A report has so many columns. */
export const columns_max = 18;

/** The columns of an earlier report are bits above those of the new one, so that a set of columns can be of both. */
export const earlier_factor = 2 ** columns_max;

/** The columns of two sets of at most twice 18 columns that are in both; the operators of JavaScript have 32 bits. */
export function selectCommon(one: number, other: number): number {
  if (one < earlier_factor || other < earlier_factor) return one & other & (earlier_factor - 1);
  const above = Math.floor(one / earlier_factor) & Math.floor(other / earlier_factor);
  return (one & other & (earlier_factor - 1)) + above * earlier_factor;
}

/** The columns that are in any of the sets. */
export function mergeColumns(sets: readonly number[]): number {
  let [below, above] = [0, 0];
  for (const set of sets) {
    below |= set & (earlier_factor - 1);
    above |= Math.floor(set / earlier_factor);
  }
  return below + above * earlier_factor;
}

/** Lists the columns of a set by their places. */
export function listPlaces(columns: number): readonly number[] {
  const places: number[] = [];
  for (let bits = columns & (earlier_factor - 1); bits !== 0; bits &= bits - 1)
    places.push(31 - Math.clz32(bits & -bits));
  for (let bits = Math.floor(columns / earlier_factor); bits !== 0; bits &= bits - 1)
    places.push(columns_max + 31 - Math.clz32(bits & -bits));
  return places;
}
