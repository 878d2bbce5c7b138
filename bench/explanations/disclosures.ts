import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import {
  choosePeopleToDisclose,
  type Disclosure,
} from '../../src/modules/matching/matches/explanations/disclosures.ts';
import type { Entry, Shortlist } from './shortlists.ts';

/** The entries that an organisation reads in detail. */
export type Disclosed = ReadonlySet<Entry>;

const day_ms = 24 * 3_600_000;

/** How an organisation reads several lists, one after the other. */
export type Plan = {
  /** Of each tier, so many people are described in detail. */
  readonly disclosed_max: number;
  /** In how many years the lists are read: a year apart, and the last ones in the last year. */
  readonly years: number;
};

/** Chooses by the rule of the service whom an organisation reads about in detail. */
export function planDisclosures(lists: readonly Shortlist[], { disclosed_max, years }: Plan): Disclosed {
  const random = createSeededRandom(5);
  const disclosed: Disclosure[] = [];
  const entries = lists.flatMap((list, place) => {
    const version = {
      org_id: 'organisation',
      job_id: 'job',
      version: place,
      now: new Date(366 * day_ms * (1 + Math.min(place, years - 1))),
    };
    // The order of a list is random within a tier.
    const shown = list.entries
      .map((entry) => [random(), entry] as const)
      .toSorted(([one], [other]) => one - other);
    const matches = shown.map(([, { person, tier }]) => ({ member_id: String(person), match_quality: tier }));
    const describable = new Set(matches.map(({ member_id }) => member_id));
    const chosen = new Set(
      choosePeopleToDisclose({ matches, describable, disclosed }, version, disclosed_max),
    );
    disclosed.push(...[...chosen].map((member_id) => ({ ...version, member_id, disclosed_at: version.now })));
    return list.entries.filter(({ person }) => chosen.has(String(person)));
  });
  return new Set(entries);
}

/** Everybody is described in detail in every list. */
export function discloseEverything(lists: readonly Shortlist[]): Disclosed {
  return new Set(lists.flatMap(({ entries }) => entries));
}

/** Nobody is described in detail. */
export const discloseNothing: Disclosed = new Set();
