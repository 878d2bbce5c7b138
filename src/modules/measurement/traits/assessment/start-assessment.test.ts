import { describe, expect, test } from 'vitest';
import {
  answerAllItems,
  answerFirstStage,
  answerItems,
  endCoolingOff,
  registerMeasurableMember,
} from '#test/assessment.ts';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { noAccounts } from '#test/personal-data.ts';
import { personalData } from '../personal-data.ts';

const app = await startApp();

test('returns the first item and sets the assessment phase to in_progress', async () => {
  const { token } = await registerMeasurableMember(app);
  const { status, body } = await app.request('POST', '/members/me/assessment', { token, body: {} });
  expect(status).toBe(200);
  expect(body.progress).toMatchObject({ answered: 0, percent: 0 });
  expect(body.next_item.options.length).toBeGreaterThan(1);
  const member = await app.request('GET', '/members/me', { token });
  expect(member.body.assessment_phase).toBe('in_progress');
});

test('starting again resumes the assessment at its current item', async () => {
  const { token } = await registerMeasurableMember(app);
  const first = await app.request('POST', '/members/me/assessment', { token });
  const item_id = first.body.next_item.item_id as string;
  const answered = await app.request('POST', '/members/me/assessment/answers', {
    token,
    body: { item_id, option: 0 },
  });
  const resumed = await app.request('POST', '/members/me/assessment', { token });
  expect(resumed.body).toEqual(answered.body);
});

test('concurrent starts create one assessment', async () => {
  const { token } = await registerMeasurableMember(app);
  const starts = await Promise.all(
    [1, 2, 3, 4].map(() => app.request('POST', '/members/me/assessment', { token })),
  );
  expect(new Set(starts.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(starts.map(({ body }) => body.assessment_id)).size).toBe(1);
});

test('returns a complete assessment as complete, and starts a new one only with `restart`', async () => {
  const { token, member_id } = await registerMeasurableMember(app);
  const { assessment_id } = await answerAllItems(app, token);
  await endCoolingOff(app, member_id);
  const again = await app.request('POST', '/members/me/assessment', { token });
  expect(again.body).toMatchObject({ assessment_id, next_item: null, progress: { percent: 100 } });
  const restarted = await app.request('POST', '/members/me/assessment', { token, body: { restart: true } });
  expect(restarted.body.assessment_id).not.toBe(assessment_id);
  expect(restarted.body).toMatchObject({ progress: { answered: 0 }, retake: null });
  // The earlier measurement remains valid during the new assessment.
  const member = await app.request('GET', '/members/me', { token });
  expect(member.body.assessment_phase).toBe('complete');
});

test('`restart` during the deepening discards the answers since the last result; that result is valid until the next', async () => {
  const { token, member_id } = await registerMeasurableMember(app);
  const { assessment_id } = await answerFirstStage(app, token);
  await answerItems(app, token, ({ progress }) => progress.answered < 53);
  await endCoolingOff(app, member_id);
  const restarted = await app.request('POST', '/members/me/assessment', { token, body: { restart: true } });
  expect(restarted.body).toMatchObject({ stage: 'first', progress: { answered: 0 } });
  expect(restarted.body.assessment_id).not.toBe(assessment_id);
  expect((await app.request('GET', '/members/me/traits', { token })).body.version).toBe(1);
  const [, answers] = await personalData.exportPersonalData(app.sql, member_id, noAccounts);
  expect(answers!.rows).toHaveLength(50);
});

describe('the deepening', () => {
  test('is a choice: nothing is asked after the first stage until `deepen`, which goes on once', async () => {
    const { token } = await registerMeasurableMember(app);
    const send = (path: string, body: object) =>
      app.request('POST', `/members/me/assessment${path}`, { token, body });
    const early = await send('', { deepen: true });
    expect(early.body).toMatchObject({ stage: 'first', deepening: null, progress: { percent: 0 } });
    const offered = await answerFirstStage(app, token);
    expect(offered).toMatchObject({ stage: 'deepening', next_item: null, can_go_back: false });
    expect(offered.deepening.items).toBeGreaterThan(0);
    for (const body of [{}, { deepen: false }]) expect((await send('', body)).body).toEqual(offered);
    const guessed = await send('/answers', { item_id: 'x', option: 0 });
    expect([guessed.status, guessed.body.code]).toEqual([409, 'item_not_asked']);
    const opened = (await send('', { deepen: true })).body;
    expect(opened).toMatchObject({ stage: 'deepening', deepening: null, progress: { answered: 50 } });
    expect(opened.progress.estimated_total).toBe(50 + offered.deepening.items);
    for (const body of [{}, { deepen: true }]) expect((await send('', body)).body).toEqual(opened);
  });

  test('that ten requests choose at once begins once', async () => {
    const { token } = await registerMeasurableMember(app);
    await answerFirstStage(app, token);
    const opened = await Promise.all(
      Array.from({ length: 10 }, () =>
        app.request('POST', '/members/me/assessment', { token, body: { deepen: true } }),
      ),
    );
    expect(new Set(opened.map(({ status, body }) => `${status} ${body.next_item.item_id}`)).size).toBe(1);
  });

  test('that has no item left to ask completes the assessment', async () => {
    const { token, member_id } = await registerMeasurableMember(app);
    await answerAllItems(app, token);
    // As after the first stage by a rule that asked more.
    await app.sql.run(sql`
      update assessments set stage = 'deepening', next_item_id = null where member_id = ${member_id}`);
    await app.sql.run(sql`update trait_vectors set stage = 'deepening' where member_id = ${member_id}`);
    const { body } = await app.request('POST', '/members/me/assessment', { token, body: { deepen: true } });
    expect(body).toMatchObject({ stage: 'complete', next_item: null, deepening: null });
    const traits = await app.request('GET', '/members/me/traits', { token });
    expect(traits.body).toMatchObject({ stage: 'complete', preliminary: false });
  });
});

test('`restart` before the first result resumes the assessment', async () => {
  const { token } = await registerMeasurableMember(app);
  const { assessment_id } = await answerItems(app, token, ({ progress }) => progress.answered < 2);
  const { body } = await app.request('POST', '/members/me/assessment', { token, body: { restart: true } });
  expect([body.assessment_id, body.progress.answered]).toEqual([assessment_id, 2]);
});

describe('taking the assessment again', () => {
  test('is possible after 30 days, and the reply says so', async () => {
    const { token } = await registerMeasurableMember(app);
    const { assessment_id, retake } = await answerAllItems(app, token);
    expect(retake).toEqual({ available_at: addDays(30), advice: null });
    const refused = await restart(token);
    expect([refused.status, refused.body.code]).toEqual([409, 'assessment_cooling_off']);
    expect(Number(refused.headers['retry-after'])).toBe(30 * 86_400);
    const resumed = await app.request('POST', '/members/me/assessment', { token });
    expect(resumed.body).toMatchObject({ assessment_id, retake });
  });

  test('is refused during the deepening, and nothing is discarded', async () => {
    const { token } = await registerMeasurableMember(app);
    const { retake } = await answerFirstStage(app, token);
    expect(retake.available_at).toBe(addDays(30));
    const { progress } = await answerItems(app, token, (body) => body.progress.answered < 52);
    expect((await restart(token)).body.code).toBe('assessment_cooling_off');
    const resumed = await app.request('POST', '/members/me/assessment', { token });
    expect(resumed.body.progress).toEqual(progress);
  });

  test('is suggested after answers that say little, and possible after one day', async () => {
    const { token, member_id } = await registerMeasurableMember(app);
    const { retake } = await answerAllItems(app, token, () => 4);
    expect(retake.available_at).toBe(addDays(1));
    expect(retake.advice).toMatch(/less certain.*You are welcome/);
    expect(retake.advice).not.toMatch(/careless|wrong|false|honest|flag/i);
    const { body } = await app.request('GET', '/members/me/traits', { token });
    expect(body.quality).toEqual({ flags: ['straight_lining', 'inconsistent'], retake_suggested: true });
    const refused = await restart(token);
    expect([refused.status, refused.body.code]).toEqual([409, 'assessment_cooling_off']);
    expect(refused.body.detail).toContain(retake.available_at);
    expect(Number(refused.headers['retry-after'])).toBe(86_400);
    await endCoolingOff(app, member_id, 1);
    expect((await restart(token)).status).toBe(200);
  });

  test('is not possible early a second time, by any way through the API', async () => {
    const { token, member_id } = await registerMeasurableMember(app);
    const chooseSame = () => 4;
    await answerFirstStage(app, token, chooseSame);
    await endCoolingOff(app, member_id, 1);
    // Two sessions that restart at once get one assessment.
    const restarts = await Promise.all([restart(token), restart(token)]);
    expect(new Set(restarts.map(({ body }) => body.assessment_id)).size).toBe(1);
    const { assessment_id } = restarts[0].body;
    // Without a result, an assessment cannot be exchanged for another, not even with all of its answers undone.
    await answerItems(app, token, ({ progress }) => progress.answered < 2, chooseSame);
    for (const path of ['/members/me/assessment/back', '/members/me/assessment/back'])
      expect((await app.request('POST', path, { token, body: {} })).status).toBe(200);
    expect((await restart(token)).body).toMatchObject({ assessment_id, progress: { answered: 0 } });
    const { retake } = await answerFirstStage(app, token, chooseSame);
    expect(retake).toEqual({ available_at: addDays(30), advice: expect.stringContaining('You are welcome') });
    await endCoolingOff(app, member_id, 29);
    expect((await restart(token)).body.code).toBe('assessment_cooling_off');
    await endCoolingOff(app, member_id, 1);
    expect((await restart(token)).status).toBe(200);
  });

  const restart = (token: string) =>
    app.request('POST', '/members/me/assessment', { token, body: { restart: true } });

  const addDays = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000).toISOString();
});

test('rejects a member without consent to assessment_data', async () => {
  const { token } = await app.registerMember();
  const { status, body } = await app.request('POST', '/members/me/assessment', { token });
  expect([status, body.code]).toEqual([403, 'consent_required']);
});

test('rejects an unknown field', async () => {
  const { token } = await registerMeasurableMember(app);
  const { status, body } = await app.request('POST', '/members/me/assessment', { token, body: { items: 3 } });
  expect([status, body.errors[0].pointer]).toEqual([422, '/items']);
});

test('rejects callers who are not members', async () => {
  expect((await app.request('POST', '/members/me/assessment')).status).toBe(401);
  const { token } = await app.registerOrgAdmin();
  expect((await app.request('POST', '/members/me/assessment', { token })).body.code).toBe('role_not_allowed');
});
