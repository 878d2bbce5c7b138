import { describe, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import {
  answerAllItems,
  answerFirstStage,
  answerItems,
  endCoolingOff,
  registerMeasurableMember,
} from '#test/assessment.ts';
import { startApp } from '#test/harness.ts';
import { listStatements } from '#test/list-statements.ts';
import { noAccounts } from '#test/personal-data.ts';
import { proves } from '#test/requirements.ts';
import { personalData } from '../personal-data.ts';
import { updateTraitStakes } from '../store.ts';
import { traitCodes } from '../taxonomy.ts';
import { computePublicId } from '../items/public-id.ts';

const app = await startApp();

async function startAssessment() {
  const member = await registerMeasurableMember(app);
  const { body } = await app.request('POST', '/members/me/assessment', { token: member.token });
  return {
    ...member,
    item_id: body.next_item.item_id as string,
    assessment_id: body.assessment_id as string,
  };
}

const sendAnswer = (token: string, body: unknown) =>
  app.request('POST', '/members/me/assessment/answers', { token, body });

test('stores an answer and returns the next item', async () => {
  const { token, item_id } = await startAssessment();
  const { status, body } = await sendAnswer(token, { item_id, option: 2 });
  expect(status).toBe(200);
  expect(body.progress.answered).toBe(1);
  expect(body.next_item.item_id).not.toBe(item_id);
});

test('the first stage ends with a preliminary result; the deepening updates it and ends with a complete one', async () => {
  proves('assessment-phase-value-complete');
  const { token, member_id } = await registerMeasurableMember(app);
  const readTraits = async () => (await app.request('GET', '/members/me/traits', { token })).body;
  const offered = await answerFirstStage(app, token);
  expect(offered).toMatchObject({
    stage: 'deepening',
    progress: { answered: 50, estimated_total: 50, percent: 100, minutes_left: 0 },
    next_item: null,
    can_go_back: false,
  });
  expect((await app.request('GET', '/members/me', { token })).body.assessment_phase).toBe('complete');
  const first = await readTraits();
  expect(first).toMatchObject({ version: 1, stage: 'first', preliminary: true });
  expect((await app.request('GET', '/members/me/archetype', { token })).body.preliminary).toBe(true);
  // The member may stop here and resume later.
  expect((await app.request('POST', '/members/me/assessment', { token })).body).toEqual(offered);
  await answerItems(app, token, ({ progress }) => progress.answered < 65);
  const updated = await readTraits();
  expect(updated).toMatchObject({ version: 2, stage: 'deepening', preliminary: true });
  expect(updated.overall_confidence).toBeGreaterThan(first.overall_confidence);
  const last = await answerAllItems(app, token);
  expect(last).toMatchObject({ stage: 'complete', next_item: null, can_go_back: false });
  expect(last.progress).toMatchObject({ percent: 100, minutes_left: 0 });
  expect(last.progress.answered).toBeLessThanOrEqual(120);
  const complete = await readTraits();
  expect(complete).toMatchObject({ stage: 'complete', preliminary: false });
  expect([complete.traits.length, complete.categorical_traits.length]).toEqual([18, 2]);
  // Each preliminary version was replaced.
  const [, , vectors] = await personalData.exportPersonalData(app.sql, member_id, noAccounts);
  expect(vectors!.rows).toHaveLength(1);
  expect((await app.request('GET', '/members/me/traits?version=1', { token })).status).toBe(404);
});

test('progress never decreases within a stage, and never falls below what the stages before it are of the whole', async () => {
  const { token } = await registerMeasurableMember(app);
  const percents: Record<string, number[]> = {};
  const last = await answerItems(app, token, ({ stage, progress, deepening }) => {
    if (!deepening) (percents[stage] ??= []).push(progress.percent);
    return stage !== 'complete';
  });
  expect(percents['deepening']![0]).toBeGreaterThan(40);
  expect(Object.keys(percents)).toEqual(['first', 'deepening', 'complete']);
  for (const stage of Object.values(percents))
    expect(stage).toEqual(stage.toSorted((one, other) => one - other));
  expect(last.progress.percent).toBe(100);
});

test('the item that was shown stays the one to answer when the stakes of the traits change', async () => {
  const { token, member_id } = await registerMeasurableMember(app);
  const { next_item } = await answerItems(
    app,
    token,
    ({ next_item: asked, stage }) => stage === 'first' || !asked,
  );
  const buildStakes = (code: string) => traitCodes.map((each) => Number(each === code));
  for (const code of ['sincerity', 'persistence', 'change_agility'])
    await app.sql.transaction((tx) => updateTraitStakes(tx, member_id, buildStakes(code)));
  expect((await app.request('POST', '/members/me/assessment', { token })).body.next_item).toEqual(next_item);
  expect((await sendAnswer(token, { item_id: next_item.item_id, option: 0 })).status).toBe(200);
});

test('accepts exactly one of ten identical answers that are sent at once', async () => {
  const { token, item_id, assessment_id } = await startAssessment();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => sendAnswer(token, { item_id, option: 1 })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'item_not_asked')).toHaveLength(9);
  const { count } = await app.sql.one(
    sql<{ count: number }>`select count(*) from assessment_answers where assessment_id = ${assessment_id}`,
  );
  expect(count).toBe(1);
});

test('takes three reads and one write, and the transaction around them', async () => {
  const { token, item_id } = await startAssessment();
  const answer = await sendAnswer(token, { item_id, option: 0 });
  const statements = await listStatements(() =>
    sendAnswer(token, { item_id: answer.body.next_item.item_id, option: 1 }),
  );
  expect(statements.map((each) => each.trim().split(' ', 1)[0])).toEqual([
    'begin',
    'select',
    'select',
    'select',
    'insert',
    'commit',
  ]);
});

test('going back asks the same items again, to the first one', async () => {
  const { token, item_id } = await startAssessment();
  const asked = [item_id];
  for (let option = 0; option < 3; option++) {
    const { body } = await sendAnswer(token, { item_id: asked.at(-1)!, option });
    asked.push(body.next_item.item_id);
  }
  for (const expected of asked.slice(0, -1).toReversed()) {
    const { body } = await app.request('POST', '/members/me/assessment/back', { token });
    expect(body.next_item.item_id).toBe(expected);
    const resumed = await app.request('POST', '/members/me/assessment', { token });
    expect(resumed.body.next_item.item_id).toBe(expected);
  }
});

test('stores the response time and the signals of careless answering', async () => {
  const { token, assessment_id, item_id } = await startAssessment();
  app.clock.advance(2_500);
  await sendAnswer(token, { item_id, option: 0 });
  const { response_time_ms } = await app.sql.one(
    sql<{
      response_time_ms: number;
    }>`select response_time_ms from assessment_answers where assessment_id = ${assessment_id}`,
  );
  expect(response_time_ms).toBe(2_500);
  await answerAllItems(app, token, () => 4);
  const { quality_flags } = await app.sql.one(
    sql<{ quality_flags: string[] }>`select quality_flags from assessments where id = ${assessment_id}`,
  );
  expect(quality_flags).toContain('straight_lining');
});

test('rejects an answer that is sent again after a lost reply; resuming returns the current item', async () => {
  const { token, item_id, assessment_id } = await startAssessment();
  const first = await sendAnswer(token, { item_id, option: 1 });
  const again = await sendAnswer(token, { item_id, option: 3 });
  expect([again.status, again.body.code]).toEqual([409, 'item_not_asked']);
  const resumed = await app.request('POST', '/members/me/assessment', { token });
  expect(resumed.body).toEqual(first.body);
  const stored = await app.sql.list(sql<{ item_id: string; option: number }>`
    select item_id, option from assessment_answers where assessment_id = ${assessment_id}`);
  expect(stored.map(({ item_id: id, option }) => [computePublicId(id), option])).toEqual([[item_id, 1]]);
});

test('a complete assessment keeps its answers in one row, in their order, and can be read as before', async () => {
  const { token, member_id } = await registerMeasurableMember(app);
  await answerAllItems(app, token, () => 2);
  const before = (await app.request('POST', '/members/me/assessment', { token })).body;
  const { answers, ...stored } = await app.sql.one(sql<{
    rows: number;
    answers: number;
    times: number;
    places: number;
  }>`
    select (select count(*) from assessment_answers where member_id = ${member_id}) as rows, cardinality(item_ids) as answers,
      cardinality(answer_times) as times, cardinality(response_times_ms) as places
    from assessments where member_id = ${member_id}`);
  expect(stored).toEqual({ rows: 0, times: answers, places: answers });
  expect([before.progress.answered, before.next_item]).toEqual([answers, null]);
  const { completed, given } = await findStoredAnswers(member_id);
  expect(given).toHaveLength(answers);
  expect(given.map(({ position }) => position)).toEqual([...given.keys()]);
  expect(given.every(({ option }) => option === 2)).toBe(true);
  // A second assessment is stored by the answer until there is a result.
  await endCoolingOff(app, member_id);
  const again = await app.request('POST', '/members/me/assessment', { token, body: { restart: true } });
  await sendAnswer(token, { item_id: again.body.next_item.item_id, option: 1 });
  const both = await findStoredAnswers(member_id);
  expect([both.completed, both.given.length]).toEqual([completed, answers + 1]);
});

async function findStoredAnswers(member_id: string) {
  const [assessments, answers] = await personalData.exportPersonalData(app.sql, member_id, noAccounts);
  const completed = assessments!.rows.filter(({ completed_at }) => completed_at !== null).length;
  return { completed, given: answers!.rows };
}

test('the estimated total is above the number of answers until it equals it at the end', async () => {
  const { token } = await registerMeasurableMember(app);
  const progress: { answered: number; estimated_total: number }[] = [];
  let { body } = await app.request('POST', '/members/me/assessment', { token });
  while (body.next_item) {
    progress.push(body.progress);
    const option = (3 * progress.length) % 5;
    body = (await sendAnswer(token, { item_id: body.next_item.item_id, option })).body;
    if (body.deepening)
      ({ body } = await app.request('POST', '/members/me/assessment', { token, body: { deepen: true } }));
  }
  const count = progress.length;
  expect(progress.map(({ answered }) => answered)).toEqual([...progress.keys()]);
  expect(progress.filter(({ answered, estimated_total }) => estimated_total <= answered)).toEqual([]);
  expect(body.progress).toEqual({ answered: count, estimated_total: count, percent: 100, minutes_left: 0 });
});

describe('rejects', () => {
  test.each([
    ['an item that is not the current one', { item_id: 'sincerity_99', option: 0 }, 409, 'item_not_asked'],
    ['an option that the item does not have', { option: 7 }, 422, 'option_out_of_range'],
    ['a negative option', { option: -1 }, 422, 'field_invalid'],
    ['an option that is text', { option: '1' }, 422, 'field_invalid'],
    ['a missing option', {}, 422, 'field_invalid'],
    ['a fraction', { option: 1.5 }, 422, 'field_invalid'],
  ])('%s, and stores nothing', async (_, wrong, status, code) => {
    const { token, item_id, assessment_id } = await startAssessment();
    const refused = await sendAnswer(token, { item_id, ...wrong });
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    const { count } = await app.sql.one(
      sql<{ count: number }>`select count(*) from assessment_answers where assessment_id = ${assessment_id}`,
    );
    expect(count).toBe(0);
  });

  test('an answer before the assessment starts', async () => {
    const { token } = await registerMeasurableMember(app);
    expect((await sendAnswer(token, { item_id: 'x', option: 0 })).body.code).toBe('assessment_not_found');
  });

  test('an answer after the assessment is complete', async () => {
    const { token } = await registerMeasurableMember(app);
    await answerAllItems(app, token);
    expect((await sendAnswer(token, { item_id: 'x', option: 0 })).body.code).toBe('assessment_complete');
  });

  test('an answer after the consent is withdrawn', async () => {
    const { token, item_id } = await startAssessment();
    await app.request('POST', '/members/me/consent', {
      token,
      body: { consent_type: 'assessment_data', granted: false, version: '1.0' },
    });
    expect((await sendAnswer(token, { item_id, option: 0 })).body.code).toBe('consent_required');
  });

  test('an answer to the current item of another member', async () => {
    const mine = await startAssessment();
    const theirs = await startAssessment();
    const next = await sendAnswer(theirs.token, { item_id: theirs.item_id, option: 0 });
    // All members have the same items, so only the assessment of the caller decides.
    const askedOfThem = [theirs.item_id, next.body.next_item.item_id as string].find(
      (item_id) => item_id !== mine.item_id,
    );
    const refused = await sendAnswer(mine.token, { item_id: askedOfThem, option: 0 });
    expect(refused.body.code).toBe('item_not_asked');
  });

  test('callers who are not members', async () => {
    expect(
      (await app.request('POST', '/members/me/assessment/answers', { body: { item_id: 'x', option: 0 } }))
        .status,
    ).toBe(401);
    const { token } = await app.registerOrgAdmin();
    expect((await sendAnswer(token, { item_id: 'x', option: 0 })).status).toBe(403);
  });
});
