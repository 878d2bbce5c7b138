import { expect, test } from 'vitest';
import {
  answerAllItems,
  answerFirstStage,
  endCoolingOff,
  registerMeasurableMember,
} from '#test/assessment.ts';
import { startApp } from '#test/harness.ts';

const app = await startApp();

const list = (token: string, query = '') =>
  app.request('GET', `/members/me/traits/versions${query}`, { token });

test('lists each version that can be read, newest first, and pages contain each once', async () => {
  const { token, member_id } = await registerMeasurableMember(app);
  await answerAllItems(app, token);
  await endCoolingOff(app, member_id);
  await app.request('POST', '/members/me/assessment', { token, body: { restart: true } });
  await answerFirstStage(app, token);
  const { status, body } = await list(token);
  expect(status).toBe(200);
  expect(body.data).toMatchObject([
    { stage: 'first', preliminary: true },
    { stage: 'complete', preliminary: false },
  ]);
  expect(body.pagination).toEqual({ next_cursor: null, has_more: false, total_count: 2 });
  for (const { version, last_updated } of body.data) {
    const vector = await app.request('GET', `/members/me/traits?version=${version}`, { token });
    expect([vector.status, vector.body.last_updated]).toEqual([200, last_updated]);
  }
  const first = await list(token, '?limit=1');
  const second = await list(token, `?limit=1&cursor=${first.body.pagination.next_cursor}`);
  expect([...first.body.data, ...second.body.data]).toEqual(body.data);
  const other = await registerMeasurableMember(app);
  expect((await list(other.token, `?cursor=${first.body.pagination.next_cursor}`)).body.code).toBe(
    'cursor_invalid',
  );
  expect((await list(other.token)).body.data).toEqual([]);
});

test('rejects an unknown field, and callers who are anonymous or not members', async () => {
  const { token } = await registerMeasurableMember(app);
  expect((await list(token, '?version=1')).status).toBe(422);
  expect((await app.request('GET', '/members/me/traits/versions')).status).toBe(401);
  expect((await list((await app.registerOrgAdmin()).token)).body.code).toBe('role_not_allowed');
});
