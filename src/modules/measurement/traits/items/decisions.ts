import { createHash } from 'node:crypto';
import { writeCanonicalJson } from '#lib/canonical-json.ts';

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

/** Adds further partners. Of two facts about the same two statements, both count. */
export function mergePartners(
  known: ReadonlyMap<string, readonly Partner[]> | undefined,
  added: ReadonlyMap<string, readonly Partner[]>,
): ReadonlyMap<string, readonly Partner[]> {
  const merged = new Map(known);
  for (const [id, partners] of added) merged.set(id, [...(merged.get(id) ?? []), ...partners]);
  return merged;
}

/** Names a version with decisions after its base and a digest of them, so that the same decisions on the same base have one name everywhere. */
export function nameDecidedVersion(base_version: string, decisions: BankDecisions): string {
  const digest = createHash('sha256').update(writeCanonicalJson(decisions)).digest('hex').slice(0, 12);
  return `${base_version}.${digest}`;
}
