/** How far the keys of a trait may be apart before the next statement has to have the rarer one. */
const excess_max = 1;

/**
 * Selects the candidates whose key was asked less often, so that the keys of a trait differ by two at most. A tendency to agree then
 * raises and lowers the trait about equally. Returns all candidates while the keys differ by one at most, which leaves enough choice for
 * the most informative statement, and if none of the rarer key is left.
 */
export function selectRarerKey<Item extends { readonly reversed?: true }>(
  candidates: readonly Item[],
  asked: readonly Item[],
): readonly Item[] {
  const excess = asked.reduce((sum, { reversed }) => sum + (reversed ? -1 : 1), 0);
  if (Math.abs(excess) <= excess_max) return candidates;
  const rarer = candidates.filter(({ reversed }) => (reversed === true) === excess > 0);
  return rarer.length > 0 ? rarer : candidates;
}
