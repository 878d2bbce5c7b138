import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { cloneDatabase, startApp, type TestApp } from '#test/harness.ts';
import { insertPlacements, isStrongMatch, learnedPriorities } from '#test/modules/learning.ts';
import { createJob, fillSlots, insertMembers, runTask, type Vector } from '#test/modules/matching.ts';
import { findLivePolicy, findPolicy } from '#modules/matching/matches';
import { traitCodes } from '#modules/measurement/traits';
import { runCommand } from '../../../app/command.ts';
import { promotePolicy, rollBackPolicy } from './change-policy.ts';
import { learnFromOutcomes } from './learn.ts';

let app: TestApp;
let environment: Readonly<Record<string, string>>;
let out = '';
let err = '';

beforeAll(async () => {
  const settings = await cloneDatabase();
  const { host, port, user, database } = settings;
  const TESSERA_MASTER_KEY = Buffer.alloc(32, 1).toString('base64');
  environment = {
    TESSERA_MASTER_KEY,
    TESSERA_DATABASE_URL: `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`,
  };
  app = await startApp({ TESSERA_MASTER_KEY }, settings);
  await insertPlacements(app, { organisations: 12, jobs: 4, matches: 9, seed: 1 });
  await runTask(app, learnFromOutcomes, {});
});
beforeEach(() => {
  [out, err] = ['', ''];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true));
});
afterEach(() => vi.restoreAllMocks());

/** Runs a command as an operator does. */
const run = async (...words: readonly string[]) => {
  [out, err] = ['', ''];
  return runCommand(['cli', 'policy', ...words], environment);
};
const runJson = async (...words: readonly string[]) => {
  expect([await run(...words, '--json'), err]).toEqual([0, '']);
  return JSON.parse(out);
};
const readLive = async () => (await findLivePolicy(app.sql)).version;

test('list and show say what is live, what a version multiplies, and in words or as JSON', async () => {
  expect(await run('list')).toBe(0);
  expect(out).toMatch(/version 1: live, the priorities as they are/);
  expect(out).toMatch(/version 2: not live, made from version 1 at .* with 216 outcomes of 12 organisations/);
  const listed = await runJson('list');
  expect(listed).toMatchObject({
    live: { version: 1 },
    policies: [{ version: 2, parent: 1 }, { version: 1 }],
  });
  expect(await run('show', '2')).toBe(0);
  const shown = await runJson('show', '2');
  expect(shown).toMatchObject({ version: 2, outcomes: 216, organisations: 12 });
  expect(shown.multipliers.all).toHaveLength(20);
});

test.each([
  [['show', '3'], /the version "3" does not exist; "policy list" lists all versions/],
  [['evaluate', '0'], /the version "0" does not exist/],
  [['evaluate', '1'], /version 1 is live; there is nothing to compare it with/],
  [['promote', '99999'], /the version "99999" does not exist/],
  [['promote', '1'], /version 1 is live already/],
  [['rollback'], /version 1 is the first; there is nothing before it/],
])('%j is refused in one line with exit code 1, and changes nothing', async (words, reason) => {
  expect(await run(...words)).toBe(1);
  expect(out).toBe('');
  expect(err.trim()).toMatch(reason);
  expect(err.trim()).not.toContain('\n');
  expect(await readLive()).toBe(1);
});

test.each([[['show']], [['promote', '2', '3']], [['evaluate', '2', '--force']], [['rollback', '1']]])(
  '%j is wrong usage, with exit code 2',
  async (words) => {
    expect(await run(...words)).toBe(2);
    expect(out).toBe('');
  },
);

/** The traits that version 2 counts less. */
const lowered = new Set(['structure_preference', 'persistence', 'autonomy_drive']);

/** A member whose fit is as good as `scale` says, by the traits that a version counts less, or by the others. */
function buildVector(scale: number, isLowered: boolean): Vector {
  const mean = traitCodes.map((code) =>
    code in learnedPriorities && lowered.has(code) === isLowered ? scale : 0,
  );
  return { mean, variance: fillSlots(0.1) };
}

/** Finds a member who is strong as priorities are, and is not strong any more with version 2. */
async function findHarmed(): Promise<Vector> {
  const [live, candidate] = [await findPolicy(app.sql, 1), await findPolicy(app.sql, 2)];
  const scales = Array.from({ length: 350 }, (_, step) => 0.5 + step / 100);
  const weakest = scales
    .map((scale) => buildVector(scale, true))
    .find((vector) => isStrongMatch(vector, live!))!;
  expect(isStrongMatch(weakest, candidate!)).toBe(false);
  return weakest;
}

/** Stores members with consent to statistics, who identify as said. */
async function insertIdentified(vectors: readonly Vector[], gender: string): Promise<readonly string[]> {
  const member_ids = await insertMembers(app, vectors);
  await app.sql.transaction(async (tx) => {
    await tx.run(sql`
      insert into self_identifications (member_id, genders, updated_at)
      select id, array[${gender}::text], ${app.clock.now()}::timestamptz from unnest(${member_ids}::uuid[]) as id`);
    await tx.run(sql`
      insert into consent_records (id, member_id, consent_type, granted, version, created_at)
      select gen_random_uuid(), id, 'demographic_self_identification', true, '1.0', ${app.clock.now()}::timestamptz
      from unnest(${member_ids}::uuid[]) as id`);
  });
  return member_ids;
}

test('the fairness gate refuses a version that selects a group less often, counts no group below ten, and allows one that harms nobody', async () => {
  const { token } = await app.registerOrgAdmin();
  await createJob(app, token, learnedPriorities);
  expect(await runJson('evaluate', '2')).toMatchObject({ reasons: [], groups_compared: 0 });

  const harmed = await findHarmed();
  const women = await insertIdentified(Array(10).fill(harmed), 'woman');
  await insertIdentified(Array(10).fill(buildVector(3, false)), 'man');
  const found = await runJson('evaluate', '2');
  expect(found).toMatchObject({
    reasons: ['four_fifths_regression'],
    regressions: ['gender'],
    groups_compared: 2,
  });
  expect(found.gain).toBeGreaterThan(0);
  expect(await run('promote', '2')).toBe(1);
  expect(err).toMatch(/version 2 is refused: four_fifths_regression/);
  await runTask(app, learnFromOutcomes, {});
  expect(await readLive()).toBe(1);
  expect(await run('list')).toBe(0);
  expect(out).toMatch(/version 2: .*refused: four_fifths_regression/);
  // What is stored and published names the question, and no group and no count.
  const stored = await app.sql.list(sql<{ findings: object }>`select findings from policy_evaluations`);
  const card = await app.request('GET', '/model-card');
  expect(JSON.stringify([stored, card.body.versions])).not.toMatch(/woman|"man"/);

  // With nine women there is nothing to compare.
  await app.sql.run(sql`delete from self_identifications where member_id = ${women[0]}`);
  expect(await runJson('evaluate', '2')).toMatchObject({ reasons: [], groups_compared: 0 });

  // Ten women of whom version 2 finds as many as before.
  await insertIdentified(Array(91).fill(buildVector(3, true)), 'woman');
  expect(await runJson('evaluate', '2')).toMatchObject({ reasons: [], groups_compared: 2, regressions: [] });
});

test('two promotions at once: one succeeds, the other is refused, and the version comes into use once', async () => {
  const settled = await Promise.allSettled([
    promotePolicy(app.platform, { version: '2' }),
    promotePolicy(app.platform, { version: '2' }),
  ]);
  expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: 'version 2 is live already' },
  });
  const uses = await app.sql.list(sql`select version, action from fit_policy_uses order by number`);
  expect(uses).toEqual([
    { version: 1, action: 'start' },
    { version: 2, action: 'promote' },
  ]);
  await rollBackPolicy(app.platform);
});

test('promote and rollback change what is live, each with an entry in the audit log and a computation of all matches', async () => {
  await app.drainQueue();
  expect(await run('promote', '2')).toBe(0);
  expect(out).toMatch(/live: 2\nbefore: 1/);
  expect(await readLive()).toBe(2);
  expect(await runJson('rollback')).toEqual({ live: 1, before: 2 });
  const audited = await app.sql.list(sql<{ action: string; detail: unknown }>`
    select distinct action, detail from audit_log where action like 'policies.%'`);
  expect(audited).toEqual(
    expect.arrayContaining([
      { action: 'policies.promoted', detail: { version: 2, before: 1 } },
      { action: 'policies.rolled_back', detail: { version: 1, before: 2 } },
    ]),
  );
  const queued = await app.sql.list(sql`
    select from tasks where name = 'matches.computeAllMatches' and status = 'queued'`);
  expect(queued.length).toBeGreaterThan(0);
});

test('a version that was made from another than the live one cannot be promoted', async () => {
  await app.sql.run(sql`
    insert into fit_policies select 3, 2, created_at, multipliers, trained_on from fit_policies where version = 2`);
  expect(await run('promote', '3')).toBe(1);
  expect(err).toMatch(/version 3 was not made from version 1, which is live/);
  expect(await readLive()).toBe(1);
});
