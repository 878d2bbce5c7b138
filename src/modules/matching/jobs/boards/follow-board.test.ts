import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { buildLeverBoard, sendWithoutRights, serveBoards } from '#test/modules/job-boards.ts';
import { computeNextReading, jitter_ms_max } from './rules.ts';
import { planNextReading } from './read-followed.ts';

const app = await startApp();

test('an organisation follows at most ten addresses, each once, and any again that it has given up', async () => {
  const { token } = await app.registerOrgAdmin();
  const follow = (name: string) =>
    app.request('POST', '/orgs/me/boards', { token, body: { url: `https://jobs.lever.co/${name}` } });
  await serveBoards(app, JSON.stringify(buildLeverBoard()), async (limits) => {
    const { body: first } = await follow('board-0');
    expect((await follow('board-0')).body.code).toBe('board_followed');
    for (let board = 1; board < 10; board++) expect((await follow(`board-${board}`)).status).toBe(201);
    expect((await follow('board-10')).body.code).toBe('board_limit_reached');
    expect((await app.request('DELETE', `/orgs/me/boards/${first.id}`, { token })).status).toBe(204);
    expect((await follow('board-0')).status).toBe(201);
    expect(new Set(limits)).toEqual(new Set([16_000_000]));
  });
  const { body } = await app.request('GET', '/orgs/me/boards', { token });
  expect(body.pagination.total_count).toBe(10);
});

test('a large board is read whole, its first thousand jobs with an id are followed, and a larger one is refused', async () => {
  const { token } = await app.registerOrgAdmin();
  const [job] = buildLeverBoard();
  const build = (count: number, text: string) =>
    JSON.stringify(
      Array.from({ length: count }, (_, id) => ({ ...job, id: `job-${id}`, description: text })),
    );
  const follow = (name: string) =>
    app.request('POST', '/orgs/me/boards', { token, body: { url: `https://jobs.lever.co/${name}` } });
  const text = `You keep calm in emergencies. ${'We care. '.repeat(300)}`;
  const { status, body } = await serveBoards(app, build(1_010, `${text}\0\ud800`), () => follow('large'));
  expect([status, body.posting_count, body.left_out]).toEqual([201, 1_000, 10]);
  const { body: changes } = await app.request('GET', '/orgs/me/board-changes?limit=100', { token });
  expect([changes.data.length, changes.pagination.total_count]).toEqual([100, 1_000]);
  const refused = await serveBoards(app, build(5_001, ''), () => follow('larger'));
  expect([refused.status, refused.body.errors[0].reason]).toEqual([422, 'has more than 5,000 jobs']);
});

test('readings that were planned at the same time are spread over two hours around the next day', () => {
  const now = new Date('2026-03-02T09:00:00Z');
  const day = computeNextReading(now, 0).getTime();
  expect(day - now.getTime()).toBe(86_400_000);
  const times = Array.from({ length: 100 }, () => planNextReading(now).getTime());
  expect(new Set(times).size).toBeGreaterThan(90);
  for (const time of times) expect(Math.abs(time - day)).toBeLessThanOrEqual(jitter_ms_max);
});

test('only administrators follow boards, and only addresses that can be read', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const bad = await app.request('POST', '/orgs/me/boards', { token, body: { url: 'no address' } });
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/url']);
  const body = { url: 'https://jobs.lever.co/acme' };
  expect(await sendWithoutRights(app, org_id, ['POST', 'boards', body])).toEqual([401, 403]);
  const member = await app.registerMember();
  expect((await app.request('POST', '/orgs/me/boards', { token: member.token, body })).status).toBe(403);
});
