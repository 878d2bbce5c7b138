import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { registerMeasurableMember, answerAllItems } from '#test/assessment.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

test('starting asks the first item and moves the member to in_progress', async () => {
  const { token } = await registerMeasurableMember(app);
  const { status, body } = await app.request('POST', '/members/me/assessment', { token, body: {} });
  expect(status).toBe(200);
  expect(body.progress).toMatchObject({ answered: 0, percent: 0 });
  expect(body.next_item.options.length).toBeGreaterThan(1);
  const member = await app.request('GET', '/members/me', { token });
  expect(member.body.assessment_phase).toBe('in_progress');
});

test('starting again resumes where the assessment stands', async () => {
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

test('two starts at once make one assessment', async () => {
  const { token } = await registerMeasurableMember(app);
  const starts = await Promise.all(
    [1, 2, 3, 4].map(() => app.request('POST', '/members/me/assessment', { token })),
  );
  expect(new Set(starts.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(starts.map(({ body }) => body.assessment_id)).size).toBe(1);
});

test('a complete assessment says so, and only `restart` begins a new one', async () => {
  const { token } = await registerMeasurableMember(app);
  const { assessment_id } = await answerAllItems(app, token);
  const again = await app.request('POST', '/members/me/assessment', { token });
  expect(again.body).toMatchObject({ assessment_id, next_item: null, progress: { percent: 100 } });
  const restarted = await app.request('POST', '/members/me/assessment', { token, body: { restart: true } });
  expect(restarted.body.assessment_id).not.toBe(assessment_id);
  expect(restarted.body.progress.answered).toBe(0);
  // The measurement that was made stays valid meanwhile.
  const member = await app.request('GET', '/members/me', { token });
  expect(member.body.assessment_phase).toBe('complete');
});

test('nobody is measured without consent to assessment_data', async () => {
  const { token } = await app.registerMember();
  const { status, body } = await app.request('POST', '/members/me/assessment', { token });
  expect([status, body.code]).toEqual([403, 'consent_required']);
});

test('a field that nobody named is refused', async () => {
  const { token } = await registerMeasurableMember(app);
  const { status, body } = await app.request('POST', '/members/me/assessment', { token, body: { items: 3 } });
  expect([status, body.errors[0].pointer]).toEqual([422, '/items']);
});

test('only a signed-in member may start', async () => {
  expect((await app.request('POST', '/members/me/assessment')).status).toBe(401);
  const { token } = await app.registerOrgAdmin();
  expect((await app.request('POST', '/members/me/assessment', { token })).body.code).toBe('role_not_allowed');
});
