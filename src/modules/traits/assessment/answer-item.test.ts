import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { answerAllItems, registerMeasurableMember } from '#test/assessment.ts';
import { sql } from '#platform/database/database.ts';
import { proves } from '#test/requirements.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

async function started() {
  const person = await registerMeasurableMember(app);
  const { body } = await app.request('POST', '/members/me/assessment', { token: person.token });
  return {
    ...person,
    item_id: body.next_item.item_id as string,
    assessment_id: body.assessment_id as string,
  };
}

const answer = (token: string, body: unknown) =>
  app.request('POST', '/members/me/assessment/answers', { token, body });

test('an answer is taken and the next item asked', async () => {
  const { token, item_id } = await started();
  const { status, body } = await answer(token, { item_id, option: 2 });
  expect(status).toBe(200);
  expect(body.progress.answered).toBe(1);
  expect(body.next_item.item_id).not.toBe(item_id);
});

test('progress never goes back and ends at 100, within 120 items, with a complete vector', async () => {
  proves('assessment-phase-value-complete');
  const { token } = await registerMeasurableMember(app);
  const percents: number[] = [];
  let { body } = await app.request('POST', '/members/me/assessment', { token });
  while (body.next_item) {
    percents.push(body.progress.percent);
    body = (await answer(token, { item_id: body.next_item.item_id, option: percents.length % 2 })).body;
  }
  expect(percents).toEqual(percents.toSorted((one, other) => one - other));
  expect(body.progress.percent).toBe(100);
  expect(body.progress.answered).toBeLessThanOrEqual(120);
  const member = await app.request('GET', '/members/me', { token });
  expect(member.body.assessment_phase).toBe('complete');
  const traits = await app.request('GET', '/members/me/traits', { token });
  expect(traits.body.traits).toHaveLength(18);
  expect(traits.body.categorical_traits).toHaveLength(2);
});

test('of the same answer sent at once many times, exactly one is taken', async () => {
  const { token, item_id, assessment_id } = await started();
  const answers = await Promise.all(Array.from({ length: 10 }, () => answer(token, { item_id, option: 1 })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'item_not_asked')).toHaveLength(9);
  const { count } = await app.sql.one(
    sql<{ count: number }>`select count(*) from assessment_answers where assessment_id = ${assessment_id}`,
  );
  expect(count).toBe(1);
});

test('the response time and the signals of careless answering are kept', async () => {
  const { token, assessment_id, item_id } = await started();
  app.clock.advance(2_500);
  await answer(token, { item_id, option: 0 });
  const kept = await app.sql.one(
    sql<{
      response_time_ms: number;
    }>`select response_time_ms from assessment_answers where assessment_id = ${assessment_id}`,
  );
  expect(kept.response_time_ms).toBe(2_500);
  await answerAllItems(app, token, () => 4);
  const { quality_flags } = await app.sql.one(
    sql<{ quality_flags: string[] }>`select quality_flags from assessments where id = ${assessment_id}`,
  );
  expect(quality_flags).toContain('straight_lining');
});

test('an answer sent again, as after a lost reply, is refused; starting again shows what is asked now', async () => {
  const { token, item_id, assessment_id } = await started();
  const first = await answer(token, { item_id, option: 1 });
  const again = await answer(token, { item_id, option: 3 });
  expect([again.status, again.body.code]).toEqual([409, 'item_not_asked']);
  const resumed = await app.request('POST', '/members/me/assessment', { token });
  expect(resumed.body).toEqual(first.body);
  const kept = await app.sql.list(
    sql`select item_id, option from assessment_answers where assessment_id = ${assessment_id}`,
  );
  expect(kept).toEqual([{ item_id, option: 1 }]);
});

test('the estimated total is never below what was answered, and at the end is what was answered', async () => {
  const { token } = await registerMeasurableMember(app);
  const seen: { answered: number; estimated_total: number }[] = [];
  let { body } = await app.request('POST', '/members/me/assessment', { token });
  while (body.next_item) {
    seen.push(body.progress);
    body = (await answer(token, { item_id: body.next_item.item_id, option: (3 * seen.length) % 5 })).body;
  }
  expect(seen.map(({ answered }) => answered)).toEqual(seen.map((_, index) => index));
  expect(seen.filter(({ answered, estimated_total }) => estimated_total <= answered)).toEqual([]);
  expect(body.progress).toEqual({ answered: seen.length, estimated_total: seen.length, percent: 100 });
});

describe('refused, and nothing changed:', () => {
  test.each([
    ['an item that is not being asked', { item_id: 'sincerity_99', option: 0 }, 409, 'item_not_asked'],
    ['an option that the item does not have', { option: 7 }, 422, 'option_out_of_range'],
    ['an option below zero', { option: -1 }, 422, 'field_invalid'],
    ['an option that is text', { option: '1' }, 422, 'field_invalid'],
    ['a missing option', {}, 422, 'field_invalid'],
    ['a fraction', { option: 1.5 }, 422, 'field_invalid'],
  ])('%s', async (_, wrong, status, code) => {
    const { token, item_id, assessment_id } = await started();
    const refused = await answer(token, { item_id, ...wrong });
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    const { count } = await app.sql.one(
      sql<{ count: number }>`select count(*) from assessment_answers where assessment_id = ${assessment_id}`,
    );
    expect(count).toBe(0);
  });

  test('an answer before the start', async () => {
    const { token } = await registerMeasurableMember(app);
    expect((await answer(token, { item_id: 'x', option: 0 })).body.code).toBe('assessment_not_found');
  });

  test('an answer after the end', async () => {
    const { token } = await registerMeasurableMember(app);
    await answerAllItems(app, token);
    expect((await answer(token, { item_id: 'x', option: 0 })).body.code).toBe('assessment_complete');
  });

  test('an answer after the consent was withdrawn', async () => {
    const { token, item_id } = await started();
    await app.request('POST', '/members/me/consent', {
      token,
      body: { consent_type: 'assessment_data', granted: false, version: '1' },
    });
    expect((await answer(token, { item_id, option: 0 })).body.code).toBe('consent_required');
  });

  test('an answer to what somebody else is being asked', async () => {
    const mine = await started();
    const theirs = await started();
    const next = await answer(theirs.token, { item_id: theirs.item_id, option: 0 });
    // Ids of items are the same for everybody; what counts is the caller's own assessment.
    const askedOfThem = [theirs.item_id, next.body.next_item.item_id as string].find(
      (item_id) => item_id !== mine.item_id,
    );
    const refused = await answer(mine.token, { item_id: askedOfThem, option: 0 });
    expect(refused.body.code).toBe('item_not_asked');
  });

  test('anybody but a member', async () => {
    expect(
      (await app.request('POST', '/members/me/assessment/answers', { body: { item_id: 'x', option: 0 } }))
        .status,
    ).toBe(401);
    const { token } = await app.registerOrgAdmin();
    expect((await answer(token, { item_id: 'x', option: 0 })).status).toBe(403);
  });
});
