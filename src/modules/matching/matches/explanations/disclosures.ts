import { matchQualities, type MatchQuality } from '#modules/matching/engine';

/** That an organisation reads about a member in detail, and in which version of which job. */
export type Disclosure = {
  readonly member_id: string;
  readonly org_id: string;
  readonly job_id: string;
  readonly version: number;
  readonly disclosed_at: Date;
};

/** Of each tier, so many people of a version of a job are described in detail: more than anybody reads one by one. */
const disclosed_max = 50;

/** How long organisations of one owner read nothing more in detail about the same person, in milliseconds: 365 days. */
const disclosure_ms = 365 * 24 * 3_600_000;

type Candidates = {
  /** The matches of the version, in the order in which the organisation sees them. */
  readonly matches: readonly { readonly member_id: string; readonly match_quality: MatchQuality }[];
  readonly describable: ReadonlySet<string>;
  readonly disclosed: readonly Disclosure[];
};

/**
 * Chooses the people of a version of a job about whom its organisation reads in detail from now on: of each tier the first in the order of the list, which is random within
 * a tier, until fifty are described. Left out are people about whom organisations of the same owner began to read within a year, in this or any other job: a second observation of
 * the same person could be joined with the first.
 */
export function choosePeopleToDisclose(
  { matches, describable, disclosed }: Candidates,
  { org_id, job_id, version, now }: Omit<Disclosure, 'member_id' | 'disclosed_at'> & { readonly now: Date },
  max = disclosed_max,
): readonly string[] {
  const here = new Set(
    disclosed
      .filter((each) => each.org_id === org_id && each.job_id === job_id && each.version === version)
      .map(({ member_id }) => member_id),
  );
  const recent = new Set(
    disclosed
      .filter(({ disclosed_at }) => now.getTime() - disclosed_at.getTime() < disclosure_ms)
      .map(({ member_id }) => member_id),
  );
  return matchQualities.flatMap((quality) => {
    const tier = matches
      .filter(({ match_quality }) => match_quality === quality)
      .map(({ member_id }) => member_id);
    const room = max - tier.filter((member_id) => here.has(member_id)).length;
    return tier
      .filter((member_id) => !here.has(member_id) && !recent.has(member_id) && describable.has(member_id))
      .slice(0, Math.max(0, room));
  });
}
