import { expect, test } from 'vitest';
import { computeCorrelation } from '@tessera/psychometrics';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import {
  toTraitSlot,
  traitFamilies,
  type TraitCode,
  type TraitPriorities,
} from '#modules/measurement/traits';
import { sql } from '#platform/database/database.ts';
import { startApp } from './harness.ts';
import { fillSlots, insertMembers } from './modules/matching.ts';

/*
 * An organisation changes a job again and again, reads everything that the table says about each person in each version, and joins people by equal
 * words about the four traits that all versions ask for. `r` is the correlation of all reconstructed traits of all persons with the true ones.
 */

const people = 80;

/** The traits that every version asks for, and those that the versions ask most for, one after the other. */
const common = {
  analytical_depth: 0.9,
  collaborative_orientation: 0.8,
  persistence: 0.6,
  change_agility: 0.5,
};
const asked: readonly TraitCode[] = [
  'social_initiative',
  'empathic_attunement',
  'exploratory_curiosity',
  'autonomy_drive',
  'achievement_drive',
  'structure_preference',
];
const versions: readonly TraitPriorities[] = asked.map((code) => ({ [code]: 1, ...common }));
const codes = [...asked, ...(Object.keys(common) as TraitCode[])];

/** By how much joining people may raise the correlation that the lists have without joining anybody. */
const r_gain_max = 0.05;

const app = await startApp();
const truth = await addPopulation();

type Row = {
  readonly match: { readonly id: string; readonly match_quality: string };
  readonly priorities: readonly {
    readonly trait: TraitCode;
    readonly state: string;
    readonly standing: string | null;
    readonly side: string | null;
    readonly reason: string;
  }[];
};

/** A person in the table of a version, and who it is, which the organisation does not learn. */
type Entry = { readonly view: number; readonly place: number; readonly member_id: string; readonly row: Row };

test(
  'what is disclosed once cannot be joined with what other versions of a job say',
  { timeout: 240_000 },
  async () => {
    const once = await readVersions();
    const everyTime = await readVersions(() => app.sql.run(sql`delete from disclosed_standings`));
    const disclosed = once.filter(isDisclosed).map(({ member_id }) => member_id);
    expect(new Set(disclosed).size).toBe(disclosed.length);
    expect(disclosed.length).toBeGreaterThan(people / 2);
    const unjoined = estimateTraits(once, ({ view, place }) => `${view} ${place}`);
    for (const [name, key] of Object.entries(keys))
      expect([name, estimateTraits(once, key) <= unjoined + r_gain_max]).toEqual([name, true]);
    // If everything were disclosed every time, the words would join people as well as real ids.
    const byIds = estimateTraits(everyTime, ({ member_id }) => member_id);
    const byWords = Math.max(...Object.values(keys).map((key) => estimateTraits(everyTime, key)));
    expect(byWords).toBeGreaterThan(0.6);
    expect(byWords).toBeGreaterThan(byIds - 0.1);
    expect(byWords).toBeGreaterThan(
      estimateTraits(everyTime, ({ view, place }) => `${view} ${place}`) + r_gain_max,
    );
  },
);

/** What is equal for a person in several versions: the words, in detail or not, with the tier, or with whether there are details. */
const keys: Readonly<Record<string, (entry: Entry) => string>> = {
  words: (entry) => sayCommon(entry, true),
  'words and tier': (entry) => `${entry.row.match.match_quality} ${sayCommon(entry, true)}`,
  'words without details': (entry) => sayCommon(entry, false),
  'words without details, and tier': (entry) => `${entry.row.match.match_quality} ${sayCommon(entry, false)}`,
  'absence of details': (entry) => `${isDisclosed(entry)} ${sayCommon(entry, false)}`,
  'absence of details and tier': (entry) => `${isDisclosed(entry)} ${entry.row.match.match_quality}`,
};

function isDisclosed({ row }: Pick<Entry, 'row'>): boolean {
  return row.priorities.some(({ standing }) => standing !== null);
}

/** What is said of the traits that all versions ask for. Without details, it is what every version says: of the most important one alone. */
function sayCommon({ row }: Entry, in_detail: boolean): string {
  return row.priorities
    .filter(({ trait }) => (in_detail ? Object.hasOwn(common, trait) : trait === 'analytical_depth'))
    .map(({ state, reason }) => (in_detail ? reason : state))
    .join('; ');
}

/** Reads the tables of all versions of a new job. */
async function readVersions(beforeEach?: () => Promise<unknown>): Promise<readonly Entry[]> {
  const org = await app.registerOrgAdmin();
  const send = (method: string, path: string, body?: object) =>
    app.request(method, path, { token: org.token, ...(body && { body }) });
  const entries: Entry[] = [];
  let job_id = '';
  for (const [view, trait_priorities] of versions.entries()) {
    if (view === 0) {
      const job = { title: 'Archivist', outcome_description: 'The archive is in order.', trait_priorities };
      job_id = (await send('POST', '/orgs/me/jobs', job)).body.id;
    } else await send('PATCH', `/orgs/me/jobs/${job_id}`, { trait_priorities });
    await app.drainQueue();
    await beforeEach?.();
    const path = `/orgs/me/jobs/${job_id}/table?limit=100`;
    await send('GET', path);
    await app.drainQueue();
    const { data } = (await send('GET', path)).body as { readonly data: readonly Row[] };
    const stored = await app.sql.list(sql<{ id: string; member_id: string }>`
      select id, member_id from matches where job_id = ${job_id}`);
    const members = new Map(stored.map(({ id, member_id }) => [id, member_id]));
    entries.push(...data.map((row, place) => ({ view, place, member_id: members.get(row.match.id)!, row })));
  }
  return entries;
}

/** What a word suggests about a trait, in standard deviations. */
function estimateValue({ state, standing, side }: Row['priorities'][number]): number {
  if (side?.startsWith('far')) return side === 'far_above' ? 1.6 : -1.6;
  if (standing === 'likely') return side === 'above' ? 0.6 : -0.6;
  return state === 'strength' ? 1.2 : state === 'growth' ? -1.2 : 0;
}

/**
 * Joins entries by a key, and estimates each trait by the mean of what they suggest. Every entry counts as much as any other, so that keys which join
 * more are not judged by other people. @returns the correlation with the true traits.
 */
function estimateTraits(entries: readonly Entry[], key: (entry: Entry) => string): number {
  const pairs = [...Map.groupBy(entries, key).values()].flatMap((joined) => {
    const estimates = codes.map((code) => {
      const said = joined.flatMap(({ row }) => row.priorities.filter(({ trait }) => trait === code));
      const sum = said.reduce((total, each) => total + estimateValue(each), 0);
      return said.length === 0 ? 0 : sum / said.length;
    });
    return joined.flatMap(({ member_id }) =>
      codes.map((code, place) => [estimates[place]!, truth.get(member_id)![toTraitSlot(code)]!] as const),
    );
  });
  return computeCorrelation(
    pairs.map(([estimate]) => estimate),
    pairs.map(([, actual]) => actual),
  );
}

/** Inserts members whose traits correlate by 0.4 within a family and by 0.1 across families, all of whom allow details. */
async function addPopulation(): Promise<ReadonlyMap<string, readonly number[]>> {
  const random = createSeededRandom(9);
  const draw = (variance: number) => Math.sqrt(variance) * drawStandardNormal(random);
  const vectors = Array.from({ length: people }, () => {
    const level = draw(0.1);
    const mean = Object.values(traitFamilies).flatMap((family) => {
      const shared = level + draw(0.3);
      return family.map(() => shared + draw(0.6));
    });
    return { mean, variance: fillSlots(0.15) };
  });
  const member_ids = await insertMembers(app, vectors);
  await app.sql.run(sql`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), member_id, 'matching', true, '1.2', ${app.clock.now()}::timestamptz
    from unnest(${member_ids}::uuid[]) as member_id`);
  return new Map(member_ids.map((member_id, place) => [member_id, vectors[place]!.mean]));
}
