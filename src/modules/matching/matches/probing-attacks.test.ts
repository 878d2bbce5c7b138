import { beforeEach, expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import {
  continuousTraits,
  toTraitSlot,
  traitFamilies,
  type TraitPriorities,
} from '#modules/measurement/traits';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestReply } from '#test/harness.ts';
import type { TestOrgUser } from '#test/users.ts';
import { createJob, fillSlots, insertMembers, runTask } from '#test/modules/matching.ts';
import { computeJobMatches } from './computing/compute-job-matches.ts';
import { computeMemberMatches } from './computing/compute-member-matches.ts';
import { jobLimits } from '#test/modules/jobs.ts';

/*
 * Organisations that try to measure traits: they ask many narrow questions and join what each answer says about a person. Each attack uses
 * everything that the limits of the lowest tier allow. `r` is the correlation of all reconstructed traits of all persons with the true ones.
 */

const people = 100;
const limits = jobLimits['E1 Explorer'];
/** The largest correlation that an attack may reach. */
const r_max = 0.3;
/** By how much joining persons by what reads tell may raise the correlation that the lists have without joining anybody. */
const r_gain_max = 0.05;
/** The correlation that an attack must exceed without the protection; otherwise it would prove nothing. */
const r_unprotected = 0.6;

let org: TestOrgUser;
/** The true traits of each member, in slot order. */
let truth: ReadonlyMap<string, readonly number[]>;

const app = await startApp({ TESSERA_RATE_LIMITS: 'on' });
await addPopulation();
beforeEach(async () => {
  org = await app.registerOrgAdmin();
});

/**
 * What one answer says about a person: the match as the organisation sees it, and its place in the list and in its tier; and what the
 * organisation must not know: the member, and the time at which the match was computed.
 */
type Entry = {
  readonly member_id: string;
  readonly stored_at: string;
  readonly match_id: string;
  readonly alias: string;
  readonly computed_at: string;
  readonly tier: number;
  readonly place: number;
  readonly place_in_tier: number;
};

/** The answer to one question: which trait it was about, and the list. */
type View = { readonly slot: number; readonly entries: readonly Entry[] };

const tiers = ['developing', 'moderate', 'strong', 'exceptional'];

test('many narrow jobs do not measure members', async () => {
  const views: View[] = [];
  for (let number = 0; number < limits.active_jobs; number += 1) {
    const trait = continuousTraits[number % continuousTraits.length]!;
    const job_id = await ask({ [trait]: 1 });
    views.push(await readView(job_id, toTraitSlot(trait)));
  }
  const refused = await send('POST', '/orgs/me/jobs', {
    body: { ...job, trait_priorities: { persistence: 1 } },
  });
  expect([refused.status, refused.body.code]).toEqual([409, 'job_limit_reached']);
  expectSafe(views);
});

test('changing one job many times does not measure members', async () => {
  const job_id = await ask({ [continuousTraits[0]!]: 1 });
  const views = [await readView(job_id, toTraitSlot(continuousTraits[0]!))];
  const acted = views[0]!.entries.slice(0, 8);
  for (const { match_id } of acted)
    await send('PUT', `/matches/${match_id}/status`, { body: { status: 'org_interested' } });
  for (let number = 1; number <= limits.daily_changes; number += 1) {
    const trait = continuousTraits[number % continuousTraits.length]!;
    const changed = await send('PATCH', `/orgs/me/jobs/${job_id}`, {
      body: { trait_priorities: { [trait]: 1 } },
    });
    expect(changed.status).toBe(200);
    await runTask(app, computeJobMatches, { job_id, org_id: org.org_id });
    views.push(await readView(job_id, toTraitSlot(trait)));
  }
  const refused = await send('PATCH', `/orgs/me/jobs/${job_id}`, {
    body: { trait_priorities: { persistence: 0.5, sincerity: 0.4 } },
  });
  expect([refused.status, refused.body.code]).toEqual([429, 'change_limit_reached']);
  // The matches that the organisation acted on stay, and say nothing new.
  const acted_ids = acted.map(({ match_id }) => match_id);
  const first = pickTiers(views[0]!, acted_ids);
  for (const view of views) expect(pickTiers(view, acted_ids)).toEqual(first);
  expectSafe(views);
});

test('equal times and orders do not join members across jobs', async () => {
  const job_ids: string[] = [];
  for (let number = 0; number < limits.active_jobs; number += 1)
    job_ids.push(
      await ask({ [continuousTraits[number % continuousTraits.length]!]: 1 }, { is_computed: false }),
    );
  for (const member_id of truth.keys()) {
    app.clock.advance(1_000);
    await runTask(app, computeMemberMatches, { member_id });
  }
  const views: View[] = [];
  for (const [number, job_id] of job_ids.entries())
    views.push(await readView(job_id, toTraitSlot(continuousTraits[number % continuousTraits.length]!)));
  for (const { entries } of views)
    expect(new Set(entries.map(({ computed_at }) => computed_at))).toEqual(
      new Set(['2026-03-02T00:00:00.000Z']),
    );
  // With the times that are stored, which organisations once saw, the attack succeeds.
  expect(estimateTraits(views, ({ stored_at }) => stored_at)).toBeGreaterThan(r_unprotected);
  expectSafe(views);
});

test(
  'pseudonyms, prices and refusals of reads do not join members across jobs',
  { timeout: 120_000 },
  async () => {
    await makeReadable();
    const views: View[] = [];
    for (const trait of continuousTraits)
      views.push(await readView(await ask({ [trait]: 1 }), toTraitSlot(trait)));
    const entries = views.flatMap((view) => view.entries);
    const estimate = (answers: ReadonlyMap<string, string>) =>
      estimateTraits(views, ({ alias }) => answers.get(alias) ?? alias);
    // The best an attacker can do with the answers that are given: complete fingerprints of people from all jobs in turn.
    const asked = await collectFingerprints(entries.toSorted((one, other) => one.place - other.place));
    expect(asked.size).toBe(Math.floor(free_answers / asked_types.length));
    const r_unjoined = estimate(new Map());
    expect(estimate(asked)).toBeLessThanOrEqual(r_unjoined + r_gain_max);
    const pseudonyms = await buyPseudonyms(
      entries.filter(({ alias }) => asked.get(alias)?.includes('payment_required')),
    );
    expect(pseudonyms.size).toBeGreaterThan(10);
    expect(new Set(pseudonyms.values()).size).toBe(pseudonyms.size);
    expect(estimate(pseudonyms)).toBeLessThanOrEqual(r_unjoined + r_gain_max);
    // Without the limit, the fingerprints would join them.
    const unlimited = await collectFingerprints(entries, () =>
      app.sql.run(sql`delete from read_counts where org_id = ${org.org_id}`),
    );
    expect(unlimited.size).toBe(entries.length);
    expect(estimate(unlimited)).toBeGreaterThan(r_unjoined + r_gain_max);
  },
);

const asked_types = ['archetype', 'trait_profile', 'values_profile'] as const;

/** The answers that are not reads of the lowest tier, in 30 days. */
const free_answers = 100;

/** Lets members differ in what they sell and in what sets their prices, and uses up the free reads of the organisation. */
async function makeReadable(): Promise<void> {
  const random = createSeededRandom(11);
  const now = app.clock.now();
  await app.sql.run(sql`insert into read_allowances (org_id, read_count) values (${org.org_id}, 50)`);
  for (const member_id of truth.keys()) {
    const approved = [...asked_types, 'alignment'].filter(() => random() < 0.6);
    await app.sql.run(sql`
      update members set current_industry = case when ${random() < 0.5} then current_industry end where id = ${member_id}`);
    await app.sql.run(sql`
      update trait_vectors set stage = ${random() < 0.3 ? 'first' : 'complete'}, latent_variance = ${fillSlots(0.1 + 0.6 * random())}::real[]
      where member_id = ${member_id}`);
    await app.sql.run(sql`
      insert into consent_records (id, member_id, consent_type, granted, version, created_at)
      select gen_random_uuid(), ${member_id}, consent_type, true, '1.0', ${now}::timestamptz
      from unnest(array['assessment_data', 'identity_queries']) as consent_type where ${random() < 0.8}`);
    await app.sql.run(sql`
      insert into query_category_records (id, member_id, category, approved, created_at)
      select gen_random_uuid(), ${member_id}, category, true, ${now}::timestamptz from unnest(${approved}::text[]) as category`);
  }
}

/** Asks for reads without a payment until nothing more is answered. @returns everything that the answers about an alias say. */
async function collectFingerprints(
  entries: readonly Entry[],
  resetLimit?: () => Promise<unknown>,
): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (const { alias } of entries) {
    await resetLimit?.();
    const replies: TestReply[] = [];
    for (const data_type of asked_types)
      replies.push(await send('POST', '/orgs/queries/credential', { body: { member_id: alias, data_type } }));
    if (replies.some(({ status }) => status === 429)) break;
    answers.set(alias, replies.map(({ body: { code, pricing } }) => JSON.stringify([code, pricing])).join());
  }
  return answers;
}

/** Buys reads of everybody whose price is known. @returns the pseudonyms by alias. */
async function buyPseudonyms(entries: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
  const pseudonyms = new Map<string, string>();
  for (const { alias } of entries)
    for (const data_type of asked_types) {
      const body = { member_id: alias, org_id: org.org_id, data_type, price_aud: 1 };
      const bought = await send('POST', '/marketplace/transactions', { body });
      if (bought.status === 201) pseudonyms.set(alias, bought.body.result.data.member_pseudonym);
    }
  return pseudonyms;
}

/** Inserts members whose traits correlate by 0.4 within a family and by 0.1 across families, measured without error. */
async function addPopulation(): Promise<void> {
  const random = createSeededRandom(7);
  const draw = (variance: number) => Math.sqrt(variance) * drawStandardNormal(random);
  const vectors = Array.from({ length: people }, () => {
    const level = draw(0.1);
    const mean = Object.values(traitFamilies).flatMap((codes) => {
      const family = level + draw(0.3);
      return codes.map(() => family + draw(0.6));
    });
    return { mean, variance: fillSlots(0.1) };
  });
  const member_ids = await insertMembers(app, vectors);
  truth = new Map(member_ids.map((member_id, index) => [member_id, vectors[index]!.mean]));
}

const job = { title: 'Archivist', outcome_description: 'The archive is in order.' };

async function ask(trait_priorities: TraitPriorities, { is_computed = true } = {}): Promise<string> {
  await waitForLimit();
  const job_id = await createJob(app, org.token, trait_priorities);
  if (is_computed) await runTask(app, computeJobMatches, { job_id, org_id: org.org_id });
  return job_id;
}

/** Sends a request as soon as the rate limit allows it. */
async function send(
  method: string,
  path: string,
  request: { readonly body?: object } = {},
): Promise<TestReply> {
  await waitForLimit();
  return app.request(method, path, { ...request, token: org.token });
}

let sent = 0;

async function waitForLimit(): Promise<void> {
  sent += 1;
  if (sent % 100 === 0) app.clock.advance(60_000);
}

async function readView(job_id: string, slot: number): Promise<View> {
  const matches: { id: string; member_id: string; match_quality: string; computed_at: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = cursor && `&cursor=${cursor}`;
    const { status, body } = await send('GET', `/orgs/me/jobs/${job_id}/matches?limit=100${page}`);
    expect(status).toBe(200);
    matches.push(...body.data);
    cursor = body.pagination.next_cursor;
  }
  const stored = await app.sql.list(sql<{ id: string; member_id: string; computed_at: Date }>`
    select id, member_id, computed_at from matches where job_id = ${job_id}`);
  const hidden = new Map(stored.map((match) => [match.id, match]));
  const entries = matches.map(({ id, member_id, match_quality, computed_at }, place) => ({
    member_id: hidden.get(id)!.member_id,
    stored_at: hidden.get(id)!.computed_at.toISOString(),
    match_id: id,
    alias: member_id,
    computed_at,
    tier: tiers.indexOf(match_quality),
    place,
    place_in_tier: place - matches.findIndex((other) => other.match_quality === match_quality),
  }));
  return { slot, entries };
}

/** Reads the tiers of some matches in a list. */
function pickTiers({ entries }: View, match_ids: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    entries
      .filter(({ match_id }) => match_ids.includes(match_id))
      .map(({ match_id, tier }) => [match_id, tier]),
  );
}

/** Everything in a list by which an attacker can try to recognise the same person in another list. */
const keys: Readonly<Record<string, (entry: Entry) => string>> = {
  'the id of the member': ({ alias }) => alias,
  'the end of the id of the member': ({ alias }) => alias.slice(19),
  'the id of the match': ({ match_id }) => match_id,
  'the end of the id of the match': ({ match_id }) => match_id.slice(19),
  'the time': ({ computed_at, place }) => `${computed_at} ${place}`,
  'the order': ({ place }) => String(place),
  'the order within the tier': ({ tier, place_in_tier }) => `${tier} ${place_in_tier}`,
};

/** Expects that no key reconstructs the traits, and that the attack would succeed with the real ids. */
function expectSafe(views: readonly View[]): void {
  const results = Object.entries(keys).map(([name, key]) => [name, estimateTraits(views, key)] as const);
  expect(results.filter(([, correlation]) => correlation > r_max)).toEqual([]);
  expect(estimateTraits(views, ({ member_id }) => member_id)).toBeGreaterThan(r_unprotected);
}

/** What a tier suggests about the trait that the job asks for, from `developing` to `exceptional`, in standard deviations. */
const suggested = [0.4, 0.9, 1.4, 2] as const;

/** What a missing entry may mean: nothing, or that the person is below average. */
const suggestionsOfAbsence = [0, -0.6] as const;

/** Joins the entries of all views by a key and estimates all traits of all persons that a key joins. @returns the correlation with the true traits. */
function estimateTraits(views: readonly View[], key: (entry: Entry) => string): number {
  const persons = new Map<string, { readonly members: Set<string>; readonly tiers: Map<number, number[]> }>();
  for (const { slot, entries } of views)
    for (const entry of entries) {
      const person = persons.get(key(entry)) ?? { members: new Set(), tiers: new Map() };
      person.members.add(entry.member_id);
      person.tiers.set(slot, [...(person.tiers.get(slot) ?? []), suggested[entry.tier]!]);
      persons.set(key(entry), person);
    }
  const slots = [...new Set(views.map(({ slot }) => slot))];
  const actual = [...persons.values()].flatMap(({ members }) =>
    [...members].flatMap((member_id) => slots.map((slot) => truth.get(member_id)![slot]!)),
  );
  return Math.max(
    ...suggestionsOfAbsence.map((absent) =>
      computeCorrelation(
        [...persons.values()].flatMap(({ members, tiers: known }) =>
          [...members].flatMap(() => slots.map((slot) => computeMean(known.get(slot) ?? [absent]))),
        ),
        actual,
      ),
    ),
  );
}

function computeCorrelation(one: readonly number[], other: readonly number[]): number {
  const [means, count] = [[computeMean(one), computeMean(other)] as const, one.length];
  let [covariance, variance, otherVariance] = [0, 0, 0];
  for (let index = 0; index < count; index += 1) {
    const [a, b] = [one[index]! - means[0], other[index]! - means[1]];
    covariance += a * b;
    variance += a * a;
    otherVariance += b * b;
  }
  return variance === 0 ? 0 : covariance / Math.sqrt(variance * otherVariance);
}

function computeMean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
