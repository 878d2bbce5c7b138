import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { buildLeverBoard, followBoard } from '#test/modules/job-boards.ts';
import { computeNextReading, jitter_ms_max } from './rules.ts';
import { planNextReading } from './read-followed.ts';

const app = await startApp();

/** Answers requests to boards with this body, without leaving the test. */
async function serve<Result>(body: string, work: () => Promise<Result>): Promise<Result> {
  const { fetchOutbound } = app.platform;
  const limits: number[] = [];
  const reply = async (_url: string, { max_bytes }: { max_bytes: number }) => {
    limits.push(max_bytes);
    return { status: 200, headers: {}, body: Buffer.from(body) };
  };
  Object.assign(app.platform, { fetchOutbound: reply });
  try {
    return await work();
  } finally {
    Object.assign(app.platform, { fetchOutbound });
    expect(limits.every((limit) => limit === 16_000_000)).toBe(true);
  }
}

test('an organisation follows at most ten addresses, each once, and any again that it has given up', async () => {
  const { token } = await app.registerOrgAdmin();
  const follow = (name: string) =>
    app.request('POST', '/orgs/me/boards', { token, body: { url: `https://jobs.lever.co/${name}` } });
  await serve(JSON.stringify(buildLeverBoard()), async () => {
    const { body: first } = await follow('board-0');
    expect((await follow('board-0')).body.code).toBe('board_followed');
    for (let board = 1; board < 10; board++) expect((await follow(`board-${board}`)).status).toBe(201);
    expect((await follow('board-10')).body.code).toBe('board_limit_reached');
    expect((await app.request('DELETE', `/orgs/me/boards/${first.id}`, { token })).status).toBe(204);
    expect((await follow('board-0')).status).toBe(201);
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
  const { status, body } = await serve(build(1_010, `${text}\0\ud800`), () => follow('large'));
  expect([status, body.posting_count, body.left_out]).toEqual([201, 1_000, 10]);
  const { body: change } = await app.request('GET', '/orgs/me/board-changes?limit=100', { token });
  expect([change.data.length, change.pagination.total_count]).toEqual([100, 1_000]);
  const refused = await serve(build(5_001, ''), () => follow('larger'));
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

test('boards and changes of another organisation do not exist, and only administrators follow', async () => {
  const ours = await app.registerOrgAdmin();
  const { token } = await app.registerOrgAdmin();
  const { board_id, change_id } = await followBoard(app, ours.token);
  for (const id of [board_id, unknownId]) {
    for (const [method, path, body] of [
      ['PATCH', `boards/${id}`, { is_active: false }],
      ['DELETE', `boards/${id}`],
      ['POST', `boards/${id}/read`],
    ] as const) {
      const reply = await app.request(method, `/orgs/me/${path}`, { token, ...(body && { body }) });
      expect([reply.status, reply.body.code]).toEqual([404, 'board_not_found']);
    }
  }
  const dismissed = await app.request('DELETE', `/orgs/me/board-changes/${change_id}`, { token });
  expect(dismissed.body.code).toBe('board_changes_not_found');
  const body = { url: 'https://jobs.lever.co/acme' };
  expect((await app.request('POST', '/orgs/me/boards', { body })).status).toBe(401);
  const member = await app.registerMember();
  expect((await app.request('POST', '/orgs/me/boards', { token: member.token, body })).status).toBe(403);
});
