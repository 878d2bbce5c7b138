/** Two statements that share more than their trait, and what was decided about them. */
export type DependentPair = {
  readonly items: readonly [string, string];
  /** The correlation of what the trait does not explain. */
  readonly correlation: number;
  /** Whether one member can be asked both. */
  readonly is_asked_together: boolean;
};

/** What was decided about statements of a bank: a part of a version of its parameters. */
export type BankDecisions = {
  /** The share that an answer to a statement counts, by id; 0 if the statement is retired. */
  readonly weights: Readonly<Record<string, number>>;
  readonly pairs: readonly DependentPair[];
};

/** The other statement of a pair. */
export type Partner = Omit<DependentPair, 'items'> & { readonly item_id: string };

/** Lists the partners of each statement of the pairs. */
export function listPartners(pairs: readonly DependentPair[]): ReadonlyMap<string, readonly Partner[]> {
  const ends = pairs.flatMap(({ items: [one, other], ...pair }) => [
    { of: one, partner: { item_id: other, ...pair } },
    { of: other, partner: { item_id: one, ...pair } },
  ]);
  return new Map(
    [...Map.groupBy(ends, ({ of }) => of)].map(([id, each]) => [id, each.map(({ partner }) => partner)]),
  );
}
