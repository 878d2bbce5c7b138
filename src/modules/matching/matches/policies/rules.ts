import { traitCodes, type TraitPriorities } from '#modules/measurement/traits';

/** What priorities are multiplied by, in the order of the traits: for all jobs, and for each occupation group that has its own. */
export type PolicyMultipliers = Readonly<Record<string, readonly number[]>>;

/** A version of what the fit multiplies priorities by. A version never changes. */
export type FitPolicy = { readonly version: number; readonly multipliers: PolicyMultipliers };

/** The key of the multipliers for jobs whose occupation group has none of its own. */
export const all_jobs = 'all';

/** The multipliers that leave all priorities as they are. */
export const neutralMultipliers: readonly number[] = traitCodes.map(() => 1);

/** Selects the multipliers for jobs of an occupation group. */
export function selectMultipliers(
  multipliers: PolicyMultipliers,
  occupation_group: string | null,
): readonly number[] {
  return (
    (occupation_group === null ? undefined : multipliers[occupation_group]) ??
    multipliers[all_jobs] ??
    neutralMultipliers
  );
}

/** The occupation group of an O*NET code: its first two digits (SOC major group). */
export function readOccupationGroup(occupation_code: string | null): string | null {
  return occupation_code === null ? null : occupation_code.slice(0, 2);
}

/**
 * Applies a policy to the priorities of a job. Multipliers are above zero, so that no priority is turned, dropped or added. A policy that leaves all
 * as they are returns the same priorities, bit by bit.
 */
export function applyPolicy(
  { multipliers }: FitPolicy,
  job: { readonly trait_priorities: TraitPriorities; readonly occupation_code: string | null },
): TraitPriorities {
  const selected = selectMultipliers(multipliers, readOccupationGroup(job.occupation_code));
  if (selected.every((multiplier) => multiplier === 1)) return job.trait_priorities;
  // The fit has no scale. Tiny priorities would underflow.
  const largest = Math.max(...Object.values(job.trait_priorities));
  const multiplied = traitCodes.flatMap((code, trait) => {
    const priority = job.trait_priorities[code];
    return priority === undefined ? [] : [[code, (priority / largest) * selected[trait]!] as const];
  });
  const largestProduct = Math.max(...multiplied.map(([, product]) => product));
  return Object.fromEntries(multiplied.map(([code, product]) => [code, product / largestProduct]));
}
