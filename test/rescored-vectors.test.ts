import { beforeEach, expect, test } from 'vitest';
import { insertGrants } from '#modules/people/consent';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { getMatchIndex } from '../src/modules/matching/matches/index/match-index.ts';
import { computeJobMatches } from '../src/modules/matching/matches/computing/compute-job-matches.ts';
import { computeMemberMatches } from '../src/modules/matching/matches/computing/compute-member-matches.ts';
import { sql, type Transaction } from '#platform/database/database.ts';
import { answerAllItems, registerMeasurableMember } from './assessment.ts';
import { startApp } from './harness.ts';
import {
  createJob,
  fillMeans,
  fillSlots,
  findStoredMatch,
  insertMembers,
  listStoredMatches,
  runTask,
} from './modules/matching.ts';
import { insertParameterVersion } from '../src/modules/measurement/traits/parameters/store.ts';
import { listVersions, useParameters } from '../src/modules/measurement/traits/calibration/use-parameters.ts';
import { replaceParameters } from '../src/modules/measurement/traits/items/bank.ts';
import { itemBank } from '../src/modules/measurement/traits/items/item-bank.ts';
import type { Answer } from '../src/modules/measurement/traits/items/item.ts';
import { measureAnswers } from '../src/modules/measurement/traits/measurement/measure-answers.ts';
import { insertVector } from '../src/modules/measurement/traits/store.ts';
import { rescoreAnswers } from '../src/modules/measurement/traits/rescoring/rescore-answers.ts';
import { rescoreMember } from '../src/modules/measurement/traits/rescoring/rescore-member.ts';
import { findPosition } from '../src/modules/matching/engine/member-ids.ts';
import { readMember } from '../src/modules/matching/engine/population.ts';

const before = itemBank.parameter_version;
const calibrated = 'mvp20-1.00000000000000bb';

/** Statements are harder to agree with, so that all members have other scores. */
const parameters = {
  items: Object.fromEntries(
    itemBank.graded.map(({ id, discrimination, thresholds }) => [
      id,
      { discrimination, thresholds: thresholds.map((threshold) => threshold + 0.75) },
    ]),
  ),
  correlations: null,
};
const calibratedBank = replaceParameters(itemBank, calibrated, false, parameters);

const app = await startApp();
await app.platform.database.transaction((tx) =>
  insertParameterVersion(tx, {
    version: calibrated,
    item_bank_version: itemBank.version,
    provisional: false,
    base_version: null,
    parameters,
    respondents: 900,
    report: {},
    created_at: app.clock.now(),
  }),
);
// The first run finds out which version lists use.
await runTask(app, rescoreAnswers, {});
beforeEach(async () => {
  await use(before);
  await app.drainQueue();
  app.clock.advance(60_000);
});

const use = (version: string) => useParameters(app.platform, { bank: 'tessera', version });

test('lists use the new vectors from the end of the run on, all at once', async () => {
  const [member_id] = await insertAssessedMembers(3);
  const { token } = await app.registerOrgAdmin();
  const job_id = await createJob(app, token, { analytical_depth: 1, structure_preference: 0.5 });
  await app.drainQueue();
  const labels = await listStoredMatches(app, job_id);
  const index = getMatchIndex(app.platform);
  await index.refresh();
  expect([index.getVersion(), index.countMembers()]).toEqual([before, await countDeployed()]);
  app.clock.advance(60_000);

  await use(calibrated);
  const stopAtEnd = createStopper(1);
  await expect(runTask(app, rescoreAnswers, {}, stopAtEnd)).rejects.toThrow('stopped');
  // All members have a new vector, and nobody sees it yet.
  expect(await countVectors(calibrated)).toBeGreaterThanOrEqual(3);
  expect((await listVersions(app.platform)).listed).toBe(before);
  await index.refresh();
  expect(index.getVersion()).toBe(before);
  expect(await readMean(index, member_id!)).toBeCloseTo(await readStoredMean(member_id!, before), 5);

  await runTask(app, rescoreAnswers, {});
  expect(await listVersions(app.platform)).toMatchObject({ listed: calibrated, rescoring: null });
  // The list of the job waits for the computation of all jobs: a computation of the member must not mix versions.
  await runTask(app, computeMemberMatches, { member_id: member_id! });
  expect(await listStoredMatches(app, job_id)).toEqual(labels);
  await app.drainQueue();
  expect(index.getVersion()).toBe(calibrated);
  expect(await readMean(index, member_id!)).toBeCloseTo(await readStoredMean(member_id!, calibrated), 5);
  expect(await listStoredMatches(app, job_id)).not.toEqual(labels);
});

test('a member’s own list is of one version while only some jobs are computed again', async () => {
  const member = await registerAssessedMember();
  const org = await app.registerOrgAdmin();
  const computed = await createJob(app, org.token, { persistence: 1, sincerity: 0.5 });
  const waiting = await createJob(app, org.token, { discretion: 1, autonomy_drive: 0.5 });
  await app.drainQueue();
  const read = async (path: string, { token }: { readonly token: string } = member) =>
    (await app.request('GET', path, { token })).body;
  const listed = await read('/members/me/matches');
  expect(listed.data.map(readProvisional)).toEqual([true, true]);
  app.clock.advance(60_000);
  await use(calibrated);
  await runTask(app, rescoreAnswers, {});
  await runTask(app, computeJobMatches, { job_id: computed, org_id: org.org_id });
  const { id } = await findStoredMatch(app, waiting, member.member_id);
  const during = await read('/members/me/matches');
  const paths = [`/matches/member/${member.member_id}`, `/matches/${id}`];
  const others = await Promise.all(paths.map((path) => read(path)));
  expect(during.data.map(readProvisional)).toEqual([false, false]);
  expect(others[0].data.map(readProvisional)).toEqual([false, false]);
  const pages = [await read('/members/me/matches?limit=1')];
  const { next_cursor } = pages[0].pagination;
  pages.push(await read(`/members/me/matches?limit=1&cursor=${next_cursor}`));
  expect(pages.flatMap(({ data }) => data)).toEqual(during.data);
  // The shortlist of the other job waits for its own computation.
  for (const [job_id, expected] of [
    [computed, false],
    [waiting, true],
  ] as const) {
    const { data } = await read(`/orgs/me/jobs/${job_id}/matches`, org);
    expect(new Set(data.map(readProvisional))).toEqual(new Set([expected]));
  }
  await app.drainQueue();
  const later = (await read('/members/me/matches')).data;
  expect(later).toEqual(expect.arrayContaining(during.data));
  expect(new Set(later.map(readProvisional))).toEqual(new Set([false]));
  const after = await read(`/matches/${id}`);
  expect({ ...after, computed_at: others[1].computed_at }).toEqual(others[1]);
});

const readProvisional = ({ provisional }: { readonly provisional: boolean }) => provisional;

test('answers without response times are scored again', async () => {
  const [member_id] = await insertAssessedMembers(1);
  await app.sql.run(sql`update assessments set response_times_ms = null where member_id = ${member_id}`);
  await use(calibrated);
  await app.drainQueue();
  expect(await listOwnVersions(member_id!)).toEqual([before, calibrated]);
});

test('a member reads the new version when lists use it, and the earlier one by its number', async () => {
  const member = await registerMeasurableMember(app);
  await answerAllItems(app, member.token, (_, answered) => 3 - (answered % 2));
  const read = (query = '') => app.request('GET', `/members/me/traits${query}`, { token: member.token });
  const first = await read();
  expect(first.body.provisional).toBe(true);
  await use(calibrated);
  expect((await read()).body).toEqual(first.body);
  await app.drainQueue();
  const second = await read();
  expect(second.body.provisional).toBe(false);
  const answers = await readAnswers(member.member_id);
  const { vector } = measureAnswers(answers, calibratedBank);
  expect(second.body.traits[0].score).toBeCloseTo(vector.traits[0]!.score, 10);
  expect((await read(`?version=${first.body.version}`)).body).toEqual(first.body);
});

test('an assessment that is completed meanwhile has a vector of both versions', async () => {
  const member = await registerMeasurableMember(app);
  await app.request('POST', '/members/me/assessment', { token: member.token, body: {} });
  await use(calibrated);
  await answerAllItems(app, member.token);
  const listed = await app.request('GET', '/members/me/traits', { token: member.token });
  expect(listed.body.provisional).toBe(true);
  expect(await listOwnVersions(member.member_id)).toEqual([calibrated, before]);
  await app.drainQueue();
  expect((await app.request('GET', '/members/me/traits', { token: member.token })).body.provisional).toBe(
    false,
  );
  // Going back needs no new vectors, because there are some already.
  await use(before);
  await app.drainQueue();
  expect(await listOwnVersions(member.member_id)).toEqual([calibrated, before]);
  expect((await app.request('GET', '/members/me/traits', { token: member.token })).body).toEqual(listed.body);
});

test('a stopped run continues after the last page, and shows its progress', async () => {
  await insertAssessedMembers(205);
  await use(calibrated);
  await expect(runTask(app, rescoreAnswers, {}, createStopper(1))).rejects.toThrow('stopped');
  const { rescoring } = await listVersions(app.platform);
  expect(rescoring).toMatchObject({ version: calibrated, done: 200 });
  const scored = await countVectors(calibrated);
  await runTask(app, rescoreAnswers, {});
  expect(await countVectors(calibrated)).toBeGreaterThan(scored);
  const entries = await app.sql.list(
    sql<{
      detail: unknown;
    }>`select detail from audit_log where action = 'traits.rescored' order by id desc limit 1`,
  );
  expect(entries).toHaveLength(1);
});

test('a run ends without effect when the earlier version is put into use again', async () => {
  await insertAssessedMembers(1);
  await use(calibrated);
  await expect(runTask(app, rescoreAnswers, {}, createStopper(1))).rejects.toThrow('stopped');
  await use(before);
  await app.drainQueue();
  expect(await listVersions(app.platform)).toMatchObject({ in_use: before, listed: before, rescoring: null });
});

test('answers to an item that the bank does not have are left out and counted', async () => {
  const [member_id] = await insertAssessedMembers(1);
  await app.sql.run(sql`
    update assessments set item_ids[1] = 'gone_01' where member_id = ${member_id} and completed_at is not null`);
  await use(calibrated);
  await runTask(app, rescoreAnswers, {});
  const { left_out } = await app.sql.one(
    sql<{ left_out: number }>`select left_out from vector_rescorings order by position desc limit 1`,
  );
  expect(left_out).toBe(1);
  expect(await listOwnVersions(member_id!)).toEqual([before]);
});

test('a member who did not consent meanwhile is scored when deployed again', async () => {
  const [member_id] = await insertAssessedMembers(1);
  const setConsent = (granted: boolean) =>
    app.sql.run(sql`
      insert into consent_records (id, member_id, consent_type, granted, version, created_at)
      values (gen_random_uuid(), ${member_id}, 'assessment_data', ${granted}, '1.0', ${app.clock.now()})`);
  await setConsent(false);
  app.clock.advance(1_000);
  await use(calibrated);
  await app.drainQueue();
  expect(await listOwnVersions(member_id!)).toEqual([before]);
  await runTask(app, rescoreMember, { member_id: member_id! });
  expect(await listOwnVersions(member_id!)).toEqual([before]);
  await setConsent(true);
  for (let run = 0; run < 2; run++) await runTask(app, rescoreMember, { member_id: member_id! });
  expect(await listOwnVersions(member_id!)).toEqual([before, calibrated]);
});

test('the scheduled run does nothing while lists use the version in use', async () => {
  const countRuns = () => app.sql.one(sql<{ count: number }>`select count(*) from vector_rescorings`);
  const already = await countRuns();
  await runTask(app, rescoreAnswers, {});
  expect(await countRuns()).toEqual(already);
});

/** Inserts deployed members with a complete assessment of one answer a trait, and its vector. */
async function insertAssessedMembers(count: number): Promise<readonly string[]> {
  const random = createSeededRandom(count);
  const ids = await insertMembers(
    app,
    Array.from({ length: count }, () => ({ mean: fillSlots(0), variance: fillSlots(0.15) })),
  );
  const now = app.clock.now();
  await app.sql.transaction(async (tx) => {
    await insertGrants(tx, ids, ['assessment_data', 'matching'], { version: '1.0', now });
    await tx.run(sql`delete from trait_vectors where member_id = any(${ids}::uuid[])`);
  });
  // One transaction each: a long one would make the match indexes of other databases of this server read changes again.
  for (const member_id of ids) {
    const answers: Answer[] = itemBank.traits.flatMap((trait) =>
      itemBank.gradedByTrait
        .get(trait)!
        .slice(0, 2)
        .map((item) => ({ item_id: item.id, option: 2 + Math.floor(3 * random()) })),
    );
    await app.sql.transaction((tx) => insertAssessment(tx, member_id, answers));
  }
  return ids;
}

/** Registers a deployed member whose vector comes from stored answers that agree with persistence and discretion. */
async function registerAssessedMember() {
  const member = await app.registerDeployedMember({ mean: fillMeans(1) });
  const answers: Answer[] = itemBank.graded.map((item) => {
    const keyed = item.trait === 'discretion' ? 4 : item.trait === 'persistence' ? 3 : 1;
    return { item_id: item.id, option: item.reversed ? 4 - keyed : keyed };
  });
  await app.sql.transaction(async (tx) => {
    await tx.run(sql`delete from trait_vectors where member_id = ${member.member_id}`);
    await insertAssessment(tx, member.member_id, answers);
  });
  return member;
}

/** Inserts a complete assessment and its vector. */
async function insertAssessment(
  tx: Transaction,
  member_id: string,
  answers: readonly Answer[],
): Promise<void> {
  const now = app.clock.now();
  const { id } = await tx.one(sql<{ id: string }>`
    insert into assessments (id, member_id, item_bank_version, parameter_version, stage, started_at, completed_at, quality_flags,
      item_ids, options, answer_times, response_times_ms)
    values (gen_random_uuid(), ${member_id}, ${itemBank.version}, ${before}, 'complete', ${now}, ${now}, '{}',
      ${answers.map(({ item_id }) => item_id)}, ${answers.map(({ option }) => option)},
      ${answers.map(() => now.toISOString())}::timestamptz[], ${answers.map(() => 2000)})
    returning id`);
  const assessment = { id, member_id, item_bank_version: itemBank.version };
  const result = { version: 1, stage: 'complete', now } as const;
  await insertVector(tx, assessment, result, measureAnswers(answers, itemBank));
}

/** A context that stops the task before it begins page `pages` + 1, or before the switch. */
function createStopper(pages: number): { readonly signal: AbortSignal } {
  const signal = new AbortController().signal;
  let checks = 0;
  const throwIfAborted = () => {
    if (checks++ === pages) throw new Error('stopped');
  };
  return { signal: Object.assign(signal, { throwIfAborted }) };
}

async function readMean(index: ReturnType<typeof getMatchIndex>, member_id: string): Promise<number> {
  return index.runExclusively(async ({ population }) => {
    const position = findPosition(population.ids, member_id);
    return readMember(population, position!).mean[0]!;
  });
}

async function readStoredMean(member_id: string, version: string): Promise<number> {
  const { mean } = await app.sql.one(sql<{ mean: number }>`
    select latent_mean[1] as mean from trait_vectors where member_id = ${member_id} and parameter_version = ${version}`);
  return mean;
}

async function countVectors(version: string): Promise<number> {
  const { count } = await app.sql.one(sql<{ count: number }>`
    select count(*) from trait_vectors where parameter_version = ${version}`);
  return count;
}

async function countDeployed(): Promise<number> {
  return (await app.sql.one(sql<{ count: number }>`select count(*) from deployed_members`)).count;
}

async function listOwnVersions(member_id: string): Promise<readonly string[]> {
  const rows = await app.sql.list(sql<{ parameter_version: string }>`
    select parameter_version from trait_vectors where member_id = ${member_id} order by version`);
  return rows.map(({ parameter_version }) => parameter_version);
}

function readAnswers(member_id: string): Promise<readonly Answer[]> {
  return app.sql.list(sql<Answer>`
    select item_id, option, response_time_ms
    from assessments cross join unnest(item_ids, options, response_times_ms) with ordinality
      as given (item_id, option, response_time_ms, place)
    where member_id = ${member_id} order by place`);
}
