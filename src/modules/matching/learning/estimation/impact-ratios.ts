/** How often the members of a group are strong matches or better under two policies, relative to the most selected group of the same question. */
export type GroupRatio = {
  readonly attribute: string;
  readonly group: string;
  readonly live_ratio: number;
  readonly candidate_ratio: number;
};

/** What two policies say of one member: of how many jobs it was compared, and for how many it is a strong match or better. */
export type Selection = {
  readonly member_id: string;
  readonly jobs: number;
  readonly live: number;
  readonly candidate: number;
};

/** The smallest group about which anything is said. */
export const group_members_min = 10;

type Counts = { members: number; jobs: number; live: number; candidate: number };

/**
 * Computes the selection rates of groups by their answers, relative to the highest rate of the same question. Groups with fewer than ten members are left out.
 * The result has no counts and names nobody.
 */
export function computeImpactRatios(
  selections: readonly Selection[],
  answers: ReadonlyMap<string, Readonly<Record<string, string | null>>>,
): readonly GroupRatio[] {
  const groups = new Map<string, Map<string, Counts>>();
  for (const selection of selections)
    for (const [attribute, group] of Object.entries(answers.get(selection.member_id) ?? {}))
      if (group !== null) addSelection(groups, attribute, group, selection);
  return [...groups].flatMap(([attribute, counts]) => compareGroups(attribute, counts));
}

function addSelection(
  groups: Map<string, Map<string, Counts>>,
  attribute: string,
  group: string,
  { jobs, live, candidate }: Selection,
): void {
  const counts = groups.get(attribute) ?? new Map<string, Counts>();
  const before = counts.get(group) ?? { members: 0, jobs: 0, live: 0, candidate: 0 };
  counts.set(group, {
    members: before.members + 1,
    jobs: before.jobs + jobs,
    live: before.live + live,
    candidate: before.candidate + candidate,
  });
  groups.set(attribute, counts);
}

function compareGroups(attribute: string, counts: ReadonlyMap<string, Counts>): readonly GroupRatio[] {
  const large = [...counts].filter(([, { members, jobs }]) => members >= group_members_min && jobs > 0);
  if (large.length < 2) return [];
  const best = {
    live: Math.max(...large.map(([, { live, jobs }]) => live / jobs)),
    candidate: Math.max(...large.map(([, { candidate, jobs }]) => candidate / jobs)),
  };
  return large.map(([group, { live, candidate, jobs }]) => ({
    attribute,
    group,
    live_ratio: compareRates(live / jobs, best.live),
    candidate_ratio: compareRates(candidate / jobs, best.candidate),
  }));
}

/** If nobody is selected, all groups are equal. */
function compareRates(rate: number, best: number): number {
  return best === 0 ? 1 : rate / best;
}
