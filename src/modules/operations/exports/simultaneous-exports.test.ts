import { request as send, type IncomingMessage } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createCast } from '#test/cast.ts';
import { startApp } from '#test/harness.ts';

/** So many rows that no reply fits into the buffers between the service and a client that reads nothing. */
const [jobs, members, title_length] = [60, 500, 200];

let url: string;
const app = await startApp();
const cast = await createCast(app);
beforeAll(async () => {
  const { org_id, job_id } = cast.ours;
  await app.sql.run(sql`
    insert into members (id, display_name, created_at) select gen_random_uuid(), 'Somebody', now() from generate_series(1, ${members}::integer)`);
  await app.sql.run(sql`
    insert into jobs select (jsonb_populate_record(job, jsonb_build_object('id', gen_random_uuid(), 'title', repeat('Ä', ${title_length}::integer)))).*
    from jobs as job, generate_series(1, ${jobs}::integer) where id = ${job_id}`);
  await app.sql.run(sql`
    insert into matches (id, member_id, job_id, org_id, match_quality, confidence_level, version, provisional, match_status, computed_at, created_at)
    select gen_random_uuid(), member.id, job.id, job.org_id, 'strong', 'high', job.version, false, 'pending_review', now(), now()
    from jobs as job, members as member where job.org_id = ${org_id} and job.id <> ${job_id} and member.display_name = 'Somebody'`);
  url = await app.server.listen({ port: 0, host: '127.0.0.1' });
});

/** Requests an export, and reads nothing of the body. */
function startDownload(token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const path = `/api/v1/exports/org/${cast.ours.org_id}/matches`;
    const request = send(`${url}${path}`, { headers: { authorization: `Bearer ${token}` }, agent: false });
    request.on('error', reject).on('response', (response) => {
      response.on('error', () => undefined);
      resolve(response);
    });
    request.end();
  });
}

/** The bytes of this thread. The resident memory of the process would include what other test files use. */
function measureMemory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const countUsed = () => {
  const { total, idle, waiting } = app.platform.database.countConnections();
  return total - idle + waiting;
};

test('of a hundred exports at once four are served, the others learn when to try again, and clients that leave free their connections', async () => {
  const { ours, platformAdmin } = cast;
  const tokens = [ours.admin, ours.viewer, ours.auditor, platformAdmin].map(({ token }) => token);
  global.gc?.();
  const before = measureMemory();
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, number) => startDownload(tokens[number % tokens.length]!)),
  );
  const served = responses.filter(({ statusCode }) => statusCode === 200);
  const refused = responses.filter(({ statusCode }) => statusCode !== 200);
  expect(served).toHaveLength(4);
  for (const { statusCode, headers } of refused)
    expect([[429, 503].includes(statusCode!), headers['retry-after']]).toEqual([true, '5']);
  await expect.poll(countUsed).toBe(4);
  expect((measureMemory() - before) / 2 ** 20).toBeLessThan(200);
  // Other files need a place as well; reading the report as JSON, as the console does, needs none.
  const report = `/exports/org/${ours.org_id}/bias-report`;
  for (const format of ['pdf', 'csv']) {
    const { status, headers } = await app.request('GET', `${report}?format=${format}`, { token: tokens[0]! });
    expect([[429, 503].includes(status), headers['retry-after']]).toEqual([true, '5']);
  }
  expect((await app.request('GET', report, { token: tokens[0]! })).status).toBe(200);
  // Other requests are served meanwhile.
  expect((await app.request('GET', '/orgs/me', { token: tokens[0]! })).status).toBe(200);
  for (const response of responses) response.destroy();
  await expect.poll(countUsed).toBe(0);
  const next = await startDownload(tokens[0]!);
  expect(next.statusCode).toBe(200);
  let bytes = 0;
  for await (const part of next) bytes += (part as Buffer).length;
  expect(bytes).toBeGreaterThan(jobs * members * 2 * title_length);
});
