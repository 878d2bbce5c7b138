import { describe, expect, test } from 'vitest';
import {
  answerAllItems,
  answerFirstStage,
  answerItems,
  endCoolingOff,
  registerMeasurableMember,
} from '#test/assessment.ts';
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

  test('is suggested after answers that say little, and possible at once', async () => {
    const { token } = await registerMeasurableMember(app);
    const { retake } = await answerAllItems(app, token, () => 4);
    expect(retake.available_at).toBe(addDays(0));
    expect(retake.advice).toMatch(/less certain.*You are welcome/);
    expect(retake.advice).not.toMatch(/careless|wrong|false|honest|flag/i);
    const { body } = await app.request('GET', '/members/me/traits', { token });
    expect(body.quality).toEqual({ flags: ['straight_lining', 'inconsistent'], retake_suggested: true });
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
