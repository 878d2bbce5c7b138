import { listUses, type PolicyUse } from '#modules/matching/matches';
import type { Reader } from '#platform/database/database.ts';
import { listLatestEvaluations } from './store.ts';

/** How a version came into use. */
export const useActions = ['start', 'promote', 'rollback'] as const satisfies readonly PolicyUse['action'][];

/** A change of the version in use, with what its latest evaluation found. */
export type ListedPolicyUse = {
  readonly version: number;
  readonly action: PolicyUse['action'];
  readonly used_on: Date;
  readonly gain: number | null;
  readonly lower_bound: number | null;
  readonly groups_compared: number | null;
  readonly regressions: readonly string[];
};

const uses_max = 100;

/** Lists the version that was in use when a period began and those that came into use in it, the latest first, of the latest 100 changes. */
export async function listPolicyUses(
  db: Reader,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<readonly ListedPolicyUse[]> {
  const uses = (await listUses(db, uses_max)).filter(({ used_at }) => used_at < until);
  const first = uses.findIndex(({ used_at }) => used_at < from);
  const listed = first < 0 ? uses : uses.slice(0, first + 1);
  const evaluations = await listLatestEvaluations(
    db,
    listed.map(({ version }) => version),
  );
  const found = new Map(evaluations.map(({ version, findings }) => [version, findings]));
  return listed.map(({ version, action, used_at }) => {
    const findings = found.get(version);
    return {
      version,
      action,
      used_on: used_at,
      gain: findings?.gain ?? null,
      lower_bound: findings?.lower_bound ?? null,
      groups_compared: findings?.groups_compared ?? null,
      regressions: findings?.regressions ?? [],
    };
  });
}
