import {
  identityAnswers,
  identityAttributes,
  type IdentityAttribute,
} from '#modules/people/self-identification';
import type { Groups } from '../computing/compute-impact.ts';
import {
  addToGroup,
  createGroupSums,
  toMoments,
  type GroupMoments,
  type GroupSums,
  type MeasuredTraits,
} from '../computing/group-moments.ts';

/** The fewest people that a group adds to what was measured before; so it has at least as many. */
export const smallest_group = 50;

/** The attribute whose one group are all members, measured last. */
export const everyone = 'everyone';

type Attribute = IdentityAttribute | typeof everyone;

const attributes: readonly Attribute[] = [...identityAttributes, everyone];

/** A member, and what they have said about themselves, if anything. */
export type StatedMember = MeasuredTraits & {
  /** Eight bytes of a hash of the id, in hexadecimal digits. */
  readonly mark: string;
  /** Whether the member was in an earlier measurement. */
  readonly was_counted: boolean;
} & Readonly<Record<IdentityAttribute, string | null>>;

export type GroupSnapshot = GroupMoments & {
  readonly measured_on: string;
  /** The parameters of the items behind the estimates. */
  readonly version: string | null;
};

/** The groups that were measured, by attribute. Every preview is computed from it alone. */
export type Snapshot = Readonly<Partial<Record<Attribute, Readonly<Record<string, GroupSnapshot>>>>>;

/** The last look at the members: what is measured, and how many people wait to be counted. */
export type Look = { readonly looked_at: Date; readonly waiting: number; readonly groups: Snapshot };

/** The people of a look, added up. */
export type Census = {
  readonly groups: Map<Attribute, Map<string, CountedGroup>>;
  readonly newcomers: Newcomer[];
};

/** A group: sums over everybody who counts, and how many of them are in nothing that was measured before it. */
type CountedGroup = { readonly sums: GroupSums; own: number };

type Newcomer = { readonly mark: string; readonly groups: readonly CountedGroup[] };

export function createCensus(): Census {
  return {
    groups: new Map(attributes.map((attribute) => [attribute, new Map<string, CountedGroup>()])),
    newcomers: [],
  };
}

/**
 * Adds a member to the groups in which they count. Attributes have an order, and everyone is the last. A newcomer counts from one of the attributes that they have stated on, which the mark draws, and among everyone only
 * if they have stated nothing; people who were counted before count in all. So what a group adds is about its own people: newcomers who are in no measurement before it, neither of an earlier look nor of an attribute
 * before it. Everyone takes no newcomer from a group that waits for its fifty.
 */
export function addToCensus({ groups, newcomers }: Census, member: StatedMember): void {
  const counted = listNames(member).map(([attribute, name]) => {
    const named = groups.get(attribute)!;
    const group = named.get(name) ?? { sums: createGroupSums(), own: 0 };
    named.set(name, group);
    addToGroup(group.sums, member);
    return group;
  });
  const [first] = counted;
  if (member.was_counted || !first) return;
  first.own += 1;
  newcomers.push({ mark: member.mark, groups: counted });
}

/** Lists the groups of a member in the order of the attributes. */
function listNames(member: StatedMember): readonly (readonly [Attribute, string])[] {
  const stated = identityAttributes.flatMap((attribute) => {
    const name = member[attribute];
    return name === null ? [] : [[attribute, name] as const];
  });
  if (member.was_counted || stated.length === 0) return [...stated, [everyone, everyone]];
  return stated.slice(Number.parseInt(member.mark.slice(0, 8), 16) % stated.length);
}

/** Says whether members are looked at: at most once a month (UTC). */
export function isLookPossible(before: Look | undefined, now: Date): boolean {
  return before?.looked_at.toISOString().slice(0, 7) !== now.toISOString().slice(0, 7);
}

/** Says whether enough people have come since the last look. Otherwise, what appears would tell to which group one of them belongs. */
export function hasEnoughNewcomers(before: Look | undefined, { newcomers }: Census): boolean {
  return newcomers.length - (before?.waiting ?? 0) >= smallest_group;
}

/**
 * Measures the groups that have at least fifty people of their own; the others stay as they were measured before. All measurements ever published have an order in which
 * each has fifty people who are in none before it. So anything that is computed from several of them, by sums and differences with any factors, is about at least the fifty of the last one.
 *
 * @returns the look, and the marks of those who are counted now.
 */
export function measureGroups(
  census: Census,
  before: Look | undefined,
  { now, version }: { readonly now: Date; readonly version: string | null },
): { readonly look: Look; readonly marks: readonly string[] } {
  const isMeasured = ({ own }: CountedGroup) => own >= smallest_group;
  const measured_on = now.toISOString().slice(0, 10);
  const groups = Object.fromEntries(
    [...census.groups].map(([attribute, named]) => {
      const measured = [...named].filter(([, group]) => isMeasured(group));
      const fresh = measured.map(([name, { sums }]) => [name, { ...toMoments(sums), measured_on, version }]);
      return [attribute, { ...before?.groups[attribute], ...Object.fromEntries(fresh) }];
    }),
  ) as Snapshot;
  const counted = census.newcomers.filter((each) => each.groups.some(isMeasured));
  const waiting = census.newcomers.length - counted.length;
  return { look: { looked_at: now, waiting, groups }, marks: counted.map(({ mark }) => mark) };
}

/** An attribute whose groups can be compared. */
export type ComparableAttribute = {
  readonly attribute: IdentityAttribute;
  readonly measured_on: string;
  readonly groups: Groups;
};

/** Lists the attributes of which at least two groups were measured with the same parameters, which are those of the latest measurement. Groups have the order of the answers. */
export function listComparable(snapshot: Snapshot): readonly ComparableAttribute[] {
  return identityAttributes.flatMap((attribute) => {
    const stored = snapshot[attribute] ?? {};
    const all = identityAnswers[attribute].flatMap((name) => {
      const group = stored[name];
      return group ? [[name, group] as const] : [];
    });
    const latest = all
      .map(([, group]) => group)
      .toSorted(compareDates)
      .at(-1);
    const groups = new Map<string, GroupMoments>(
      all.filter(([, { version }]) => version === latest?.version),
    );
    return latest && groups.size > 1 ? [{ attribute, measured_on: latest.measured_on, groups }] : [];
  });
}

/** The members who were measured, as one group or as several that have nobody in common, and the day of the latest measurement. */
export type MeasuredMembers = { readonly measured_on: string; readonly groups: readonly GroupMoments[] };

/** Finds the largest measurement of members: everyone, or all groups of an attribute. Undefined if nobody was measured. */
export function findMeasuredMembers(snapshot: Snapshot): MeasuredMembers | undefined {
  const whole = snapshot[everyone]?.[everyone];
  const all = [
    ...(whole ? [{ measured_on: whole.measured_on, groups: [whole] }] : []),
    ...listComparable(snapshot).map(({ measured_on, groups }) => ({
      measured_on,
      groups: [...groups.values()],
    })),
  ];
  return all.toSorted((one, other) => countPeople(other) - countPeople(one))[0];
}

export function countPeople({ groups }: Pick<MeasuredMembers, 'groups'>): number {
  return groups.reduce((sum, { people }) => sum + people, 0);
}

function compareDates({ measured_on }: GroupSnapshot, other: GroupSnapshot): number {
  return measured_on < other.measured_on ? -1 : Number(measured_on > other.measured_on);
}
