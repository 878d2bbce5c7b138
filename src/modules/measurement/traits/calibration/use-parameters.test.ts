import { expect, test } from 'vitest';
import { OperatorError } from '#platform/command-line.ts';
import { sql } from '#platform/database/database.ts';
import { answerAllItems, answerHonestly, registerMeasurableMember } from '#test/assessment.ts';
import { startApp } from '#test/harness.ts';
import { replaceParameters } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import type { Answer } from '../items/item.ts';
import { measureAnswers } from '../measurement/measure-answers.ts';
import { chooseNextItem } from '../measurement/next-item.ts';
import { insertParameterVersion } from '../parameters/store.ts';
import { formatVersions, listVersions, useParameters } from './use-parameters.ts';

const anchored = itemBank.parameter_version;
const calibrated = 'mvp20-1.00000000000000aa';

/** Parameters so different from the anchored ones that the measurements differ clearly. */
const parameters = {
  items: Object.fromEntries(
    itemBank.graded.map(({ id, thresholds }, index) => [
      id,
      { discrimination: 0.8 + (index % 7) / 5, thresholds: thresholds.map((threshold) => threshold + 0.8) },
    ]),
  ),
  correlations: itemBank.covariance.map((row) => row.map((value) => (value === 1 ? 1 : 0.25))),
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

const use = (version: string) => useParameters(app.platform, { bank: 'tessera', version });

test('puts a version into use and back out of use, and records each change in the audit log', async () => {
  expect(await listVersions(app.platform)).toMatchObject({
    in_use: anchored,
    listed: anchored,
    rescoring: null,
    versions: [
      { version: calibrated, respondents: 900, provisional: false },
      { version: 'mvp20-1.judged', respondents: 0, provisional: true, created_at: null },
      { version: 'mvp20-2.anchored', respondents: 0, provisional: true, created_at: null },
      { version: anchored, respondents: 0, provisional: true, created_at: null },
    ],
  });
  expect(formatVersions(await listVersions(app.platform))).toEqual({
    [calibrated]: `not in use, calibrated, from the answers of 900 respondents, created at ${app.clock.now().toISOString()}`,
    'mvp20-1.judged': 'not in use, provisional, part of the program',
    'mvp20-2.anchored': 'not in use, provisional, part of the program',
    [anchored]: 'in use, provisional, part of the program, all lists use its vectors',
  });
  expect(await use(calibrated)).toEqual({ in_use: calibrated, before: anchored, provisional: false });
  expect((await listVersions(app.platform)).in_use).toBe(calibrated);
  expect(await use(calibrated)).toMatchObject({ before: calibrated });
  expect(await use(anchored)).toEqual({ in_use: anchored, before: calibrated, provisional: true });
  const audited = await app.sql.list(
    sql<{ detail: unknown }>`select detail from audit_log where action = 'items.put_into_use' order by id`,
  );
  expect(audited).toHaveLength(2);
  expect(audited.map(({ detail }) => detail)).toContainEqual({ version: calibrated, before: anchored });
});

test('rejects a version that does not exist, and changes nothing', async () => {
  for (const version of ['', 'mvp20-1', 'toString', `x'; drop table members; --`]) {
    await expect(use(version)).rejects.toThrow(OperatorError);
  }
  expect((await listVersions(app.platform)).in_use).toBe(anchored);
});

test('the database refuses to change the history of uses', async () => {
  await expect(app.sql.run(sql`delete from item_parameter_uses`)).rejects.toThrow(/append-only/);
});

test('each of several concurrent changes sees the version before it', async () => {
  const changes = await Promise.all([use(calibrated), use(anchored), use(calibrated), use(anchored)]);
  const last = await app.sql.one(
    sql<{ version: string }>`select version from item_parameter_uses order by position desc limit 1`,
  );
  expect((await listVersions(app.platform)).in_use).toBe(last.version);
  expect(new Set(changes.map(({ before }) => before)).size).toBe(2);
  await use(anchored);
});

test('an assessment in progress ends with the parameters that it started with', async () => {
  await use(anchored);
  const member = await registerMeasurableMember(app);
  let { body } = await app.request('POST', '/members/me/assessment', { token: member.token });
  for (let count = 0; count < 20; count++) {
    body = (
      await app.request('POST', '/members/me/assessment/answers', {
        token: member.token,
        body: { item_id: body.next_item.item_id, option: answerHonestly(body.next_item, count) },
      })
    ).body;
  }
  await use(calibrated);
  const resumed = await app.request('POST', '/members/me/assessment', { token: member.token });
  expect(resumed.body).toEqual(body);
  await answerAllItems(app, member.token);
  await use(anchored);
  const { latent_mean, answers } = await readMeasurement(member.member_id, anchored);
  expectMeans(latent_mean, measureAnswers(answers, itemBank).latent.mean);
});

test('a new assessment chooses and measures with the parameters in use', async () => {
  await use(calibrated);
  const member = await registerMeasurableMember(app);
  const { assessment_id } = await answerAllItems(app, member.token);
  await use(anchored);
  const { latent_mean, answers } = await readMeasurement(member.member_id, calibrated);
  for (const [count, { item_id }] of answers.entries())
    expect(chooseNextItem(answers.slice(0, count), assessment_id, calibratedBank)?.id).toBe(item_id);
  expectMeans(latent_mean, measureAnswers(answers, calibratedBank).latent.mean);
});

async function readMeasurement(member_id: string, parameter_version: string) {
  const vector = await app.sql.one(
    sql<{ latent_mean: number[] }>`
      select latent_mean from trait_vectors where member_id = ${member_id} and parameter_version = ${parameter_version}`,
  );
  const answers = await app.sql.list(
    sql<Answer>`
      select item_id, option from assessments cross join unnest(item_ids, options) with ordinality as given (item_id, option, place)
      where member_id = ${member_id} order by place`,
  );
  return { ...vector, answers };
}

function expectMeans(stored: readonly number[], expected: readonly number[]): void {
  for (const [slot, mean] of expected.entries()) expect(stored[slot]).toBeCloseTo(mean, 4);
}
