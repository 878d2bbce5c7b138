import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createSecrets } from '#platform/security/secrets.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { partEnvironment, startPart } from '#test/modules/index-parts.ts';
import {
  createJob,
  insertMembers,
  listStoredMatches,
  remeasureMember,
  runTask,
  tierMeans,
  type StoredMatch,
} from '#test/modules/matching.ts';
import { createNormalPopulation } from '#test/modules/random-population.ts';
import { computeAllMatches } from '../computing/compute-all-matches.ts';
import { computeJobMatches } from '../computing/compute-job-matches.ts';
import { isInShard } from '#lib/concurrency/index-shard.ts';
import { getIndexReporter } from '../index/report-index.ts';
import { computeIndexVersion } from '../index/index-version.ts';
import { part_path } from './part-path.ts';
import { sealQuestion } from './part-question.ts';

const app = await startApp(partEnvironment);
const organisation = await app.registerOrgAdmin();
const ids = await insertMembers(app, createNormalPopulation(600, 5).members);
const one = await startPart(app, '1/2');
const two = await startPart(app, '2/2');

const compute = async (by: TestApp, job_id: string) => {
  const { org_id } = organisation;
  await runTask(by, computeJobMatches, { job_id, org_id });
};

/** What a computation stored, in order, which is then deleted, so that another one starts from scratch. */
async function takeMatches(job_id: string): Promise<readonly TakenMatch[]> {
  const matches = await listStoredMatches(app, job_id);
  await app.sql.run(sql`delete from matches where job_id = ${job_id}`);
  return matches
    .map(({ member_id, match_quality, confidence_level }) => ({ member_id, match_quality, confidence_level }))
    .toSorted((match, other) => (match.member_id < other.member_id ? -1 : 1));
}

type TakenMatch = Pick<StoredMatch, 'member_id' | 'match_quality' | 'confidence_level'>;

/** Listens in the place of the second part. @returns the address. */
async function listenInstead(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Asks the second part what this request asks. @returns its answer. */
async function forward(request: IncomingMessage): Promise<Buffer> {
  const body = await new Response(request).arrayBuffer();
  const headers = { 'content-type': 'application/octet-stream' };
  const answer = await fetch(two.address + part_path, { method: 'POST', headers, body });
  return Buffer.from(await answer.arrayBuffer());
}

const announce = (address: string) => getIndexReporter(two.app.platform).announce(address);

/** Expects that a computation waits for this reason and stores nothing. */
async function expectToWait(job_id: string, reason: RegExp): Promise<void> {
  const waiting = compute(one.app, job_id);
  await expect(waiting).rejects.toMatchObject({ message: expect.stringMatching(reason) });
  await expect(waiting).rejects.not.toMatchObject({ message: expect.stringContaining('\n') });
  expect(await listStoredMatches(app, job_id)).toEqual([]);
}

test('several processes with a part each store what one process with the whole stores, whichever of them computes', async () => {
  const job_id = await createJob(app, organisation.token, { empathic_attunement: 1, accountability: 0.4 });
  await compute(app, job_id);
  const whole = await takeMatches(job_id);
  expect(whole.length).toBeGreaterThan(200);
  for (const { app: worker } of [one, two]) {
    await compute(worker, job_id);
    expect(await takeMatches(job_id)).toEqual(whole);
  }
});

test('parts have what was committed before, and delete the matches of members who no longer fit', async () => {
  const job_id = await createJob(app, organisation.token);
  await compute(one.app, job_id);
  const [first] = await listStoredMatches(app, job_id);
  await remeasureMember(app, first!.member_id, tierMeans.none);
  await app.sql.run(sql`update members set account_status = 'suspended' where id = ${ids[7]!}`);
  const [added] = await insertMembers(app, createNormalPopulation(1, 6).members);
  await remeasureMember(app, added!, tierMeans.exceptional);
  await compute(two.app, job_id);
  const stored = await takeMatches(job_id);
  expect(stored.map(({ member_id }) => member_id)).not.toContain(first!.member_id);
  expect(stored.map(({ member_id }) => member_id)).toContain(added);
  await compute(app, job_id);
  expect(await takeMatches(job_id)).toEqual(stored.filter(({ member_id }) => member_id !== ids[7]));
});

test('all jobs are computed in passes over the parts', async () => {
  const job_ids: string[] = [];
  for (let number = 0; number < 3; number += 1)
    job_ids.push(await createJob(app, organisation.token, { persistence: 1, discretion: number / 3 }));
  await runTask(app, computeAllMatches, {});
  const whole = [];
  for (const job_id of job_ids) whole.push(await takeMatches(job_id));
  await runTask(one.app, computeAllMatches, {});
  for (const [place, job_id] of job_ids.entries()) expect(await takeMatches(job_id)).toEqual(whole[place]);
});

test('a part that stops amid a computation delays it and falsifies nothing', async () => {
  const job_id = await createJob(app, organisation.token);
  const dying = createServer((request) => request.socket.destroy());
  await announce(await listenInstead(dying));
  await expectToWait(
    job_id,
    /^part 2\/2 of the match index at .+ cannot be asked: no answer \(unreachable\)$/,
  );
  await announce(two.address);
  await compute(one.app, job_id);
  const found = await takeMatches(job_id);
  await compute(app, job_id);
  expect(await takeMatches(job_id)).toEqual(found);
});

test('a member who changes after a part has answered has no match of the earlier state', async () => {
  const job_id = await createJob(app, organisation.token);
  await compute(one.app, job_id);
  const stored = await takeMatches(job_id);
  const changed = stored.find(({ member_id }) => isInShard({ shard: 2, shards: 2 }, member_id))!.member_id;
  const forwarding = createServer((request, response) => {
    void (async () => {
      const bytes = await forward(request);
      await remeasureMember(app, changed, tierMeans.none);
      response.end(bytes);
    })();
  });
  await announce(await listenInstead(forwarding));
  await compute(one.app, job_id);
  expect(await takeMatches(job_id)).toEqual(stored.filter(({ member_id }) => member_id !== changed));
  await announce(two.address);
});

test('an answer that is not that of the part is refused: of another part, cut off, repeated, or of another key', async () => {
  const job_id = await createJob(app, organisation.token);
  await announce(one.address);
  await expectToWait(job_id, /it holds another part$/);
  let earlier: Buffer | undefined;
  const recording = createServer((request, response) => {
    void (async () => {
      const bytes = await forward(request);
      response.end(earlier ?? bytes.subarray(1));
      earlier ??= bytes;
    })();
  });
  await announce(await listenInstead(recording));
  await expectToWait(job_id, /no answer \(unreadable\)$/);
  await expectToWait(job_id, /no answer \(unreadable\)$/);
  const { platform } = one.app;
  const stranger = { ...platform, secrets: createSecrets(Buffer.alloc(32, 9)) };
  await announce(two.address);
  const computing = runTask(
    one.app,
    computeJobMatches,
    { job_id, org_id: organisation.org_id },
    { secrets: stranger.secrets },
  );
  await expect(computing).rejects.toThrow(/it has another TESSERA_MASTER_KEY$/);
  expect(await listStoredMatches(app, job_id)).toEqual([]);
});

test('a missing part, and one of another version, are named', async () => {
  const job_id = await createJob(app, organisation.token);
  const setTwo = (statement: ReturnType<typeof sql>) => app.sql.run(statement);
  await setTwo(sql`update match_index_nodes set reported_at = now() - interval '2 minutes' where shard = 2`);
  await expectToWait(job_id, /lacks part 2\/2 \(no worker has reported that it holds it\)$/);
  await setTwo(
    sql`update match_index_nodes set reported_at = now(), version = ${'b'.repeat(64)} where shard = 2`,
  );
  await expectToWait(job_id, /lacks part 2\/2 \(.+ has another version of the service\)$/);
  await setTwo(sql`update match_index_nodes set version = ${await computeIndexVersion()} where shard = 2`);
  await compute(one.app, job_id);
  expect((await takeMatches(job_id)).length).toBeGreaterThan(0);
});

test('more parts come up beside others, and are used once all of them are ready', async () => {
  const job_id = await createJob(app, organisation.token);
  await compute(one.app, job_id);
  const found = await takeMatches(job_id);
  const three = [await startPart(app, '1/3'), await startPart(app, '2/3')];
  await compute(three[0]!.app, job_id);
  expect(await takeMatches(job_id)).toEqual(found);
  three.push(await startPart(app, '3/3'));
  // Nobody asks the two any more.
  await announce('http://127.0.0.1:1');
  for (const { app: worker } of [one, ...three]) {
    await compute(worker, job_id);
    expect(await takeMatches(job_id)).toEqual(found);
  }
  for (const { app: worker } of three) await worker.close();
  await announce(two.address);
});

test('only the master key opens the route, and it says nothing about members without', async () => {
  const warned = { 'content-type': 'application/octet-stream' };
  const post = async (body: Buffer | string, headers: Readonly<Record<string, string>> = warned) => {
    const { statusCode, payload } = await two.app.internalServer.inject({
      method: 'POST',
      url: part_path,
      headers,
      payload: body,
    });
    return [statusCode, payload];
  };
  const question = {
    id: randomUUID(),
    version: await computeIndexVersion(),
    shard: 2,
    shards: 2,
    vectors: null,
    limit: 1_000,
    jobs: [],
  };
  const refused = [401, '{"code":"unauthenticated"}'];
  const { secrets } = two.app.platform;
  expect(await post('')).toEqual(refused);
  expect(await post('', {})).toEqual(refused);
  expect(await post(JSON.stringify(question), { 'content-type': 'application/json' })).toEqual(refused);
  expect(await post(sealQuestion(createSecrets(Buffer.alloc(32, 9)), question))).toEqual(refused);
  expect(await post(secrets.encrypt('another purpose', JSON.stringify(question)))).toEqual(refused);
  expect(await post(sealQuestion(secrets, { ...question, jobs: [{}] as never }))).toEqual(refused);
  expect((await post(Buffer.alloc(1_048_577)))[0]).toBe(413);
  expect((await post(sealQuestion(secrets, question)))[0]).toBe(200);
  const ask = async (changes: object) => post(sealQuestion(secrets, { ...question, ...changes }));
  expect(await ask({ shard: 1 })).toEqual([503, '{"code":"other_part"}']);
  expect(await ask({ version: 'b'.repeat(64) })).toEqual([503, '{"code":"other_version"}']);
  expect(await ask({ vectors: '2.0' })).toEqual([503, '{"code":"other_vectors"}']);
  const { statusCode } = await app.server.inject({ method: 'POST', url: part_path });
  expect(statusCode).toBe(404);
  const whole = await app.internalServer.inject({
    method: 'POST',
    url: part_path,
    headers: warned,
    payload: sealQuestion(secrets, question),
  });
  expect([whole.statusCode, whole.payload]).toEqual([503, '{"code":"other_part"}']);
});
