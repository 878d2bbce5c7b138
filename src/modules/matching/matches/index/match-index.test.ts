import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { hasMember } from '#test/modules/match-index.ts';
import {
  fillMeans,
  fillSlots,
  insertMembers,
  persistencePriorities,
  remeasureMember,
  runTask,
  tierMeans,
} from '#test/modules/matching.ts';
import { createNormalPopulation, openTerms } from '#test/modules/random-population.ts';
import { matchJobs, type MatchedJob } from '#modules/matching/engine';
import { builtInNorms } from '#modules/measurement/traits';
import { forgetChanges } from './forget-changes.ts';
import { watchMatchIndex } from './report-index.ts';
import { getMatchIndex, openMatchIndex, type MatchIndex } from './match-index.ts';

const app = await startApp();

const job: MatchedJob = { trait_priorities: persistencePriorities, norms: builtInNorms, terms: openTerms };
const strong = { mean: fillMeans(tierMeans.strong), variance: fillSlots(0.15) };

/** Opens an additional index, as another process would. */
function openIndex(service: TestApp = app): MatchIndex {
  const index = openMatchIndex({ database: service.sql, now: service.clock.now });
  onTestFinished(() => index.close());
  return index;
}

async function computeLabel(index: MatchIndex, member_id: string): Promise<string | undefined> {
  await index.refresh();
  const [matches] = await matchJobs(index, [job]);
  return matches!.find((match) => match.member_id === member_id)?.quality;
}

describe('an index', () => {
  test('contains exactly the deployed members after the first refresh', async () => {
    const service = await startApp();
    const ids = await insertMembers(service, createNormalPopulation(4_100, 3).members);
    const undeployed = await service.registerMember();
    const index = openIndex(service);
    await Promise.all([index.refresh(), index.refresh(), index.refresh()]);
    expect(index.countMembers()).toBe(ids.length);
    expect(await Promise.all(ids.map((id) => hasMember(index, id)))).toEqual(ids.map(() => true));
    expect(await hasMember(index, undeployed.member_id)).toBe(false);
  });

  test('is empty without deployed members, and no member matches', async () => {
    const index = openIndex(await startApp());
    await index.refresh();
    expect([index.countMembers(), await matchJobs(index, [job])]).toEqual([0, [[]]]);
  });

  test('contains members who were added, measured again or added in bulk before a refresh', async () => {
    const index = openIndex();
    await index.refresh();
    const before = index.countMembers();
    const [one] = await insertMembers(app, [strong]);
    expect(await computeLabel(index, one!)).toBe('strong');
    await remeasureMember(app, one!, tierMeans.exceptional);
    expect(await computeLabel(index, one!)).toBe('exceptional');
    await remeasureMember(app, one!, tierMeans.none);
    expect(await computeLabel(index, one!)).toBeUndefined();
    await insertMembers(app, createNormalPopulation(5_001, 4).members);
    await index.refresh();
    expect(index.countMembers()).toBe(before + 5_002);
  });

  test('says how large it is, and that it is behind when it was not refreshed for a minute', async () => {
    const service = await startApp();
    await insertMembers(service, [strong, strong]);
    const index = openIndex(service);
    expect(index.readState()).toEqual({
      readiness: 'building',
      members: 0,
      bytes: 0,
      lag_seconds: undefined,
    });
    await index.refresh();
    const built = { readiness: 'ready', members: 2, lag_seconds: 0 };
    expect(index.readState()).toMatchObject(built);
    expect(index.readState().bytes).toBeGreaterThan(2 * 1024 * 1024);
    service.clock.advance(60_000);
    expect(index.readState()).toMatchObject({ ...built, lag_seconds: 60 });
    service.clock.advance(1);
    expect(index.readState()).toMatchObject({ ...built, readiness: 'behind', lag_seconds: 60.001 });
    await index.refresh();
    expect(index.readState()).toMatchObject(built);
  });

  test('removes a member who withdraws consent and adds them when they consent again', async () => {
    const index = openIndex();
    const member = await app.registerDeployedMember({ mean: fillMeans(2) });
    const setConsent = (granted: boolean) =>
      app.request('POST', '/members/me/consent', {
        token: member.token,
        body: { consent_type: 'matching', granted, version: '1.0' },
      });
    for (const granted of [true, false, true]) {
      await setConsent(granted);
      await index.refresh();
      expect(await hasMember(index, member.member_id)).toBe(granted);
    }
  });

  test('removes an erased member, although no record names the member any more', async () => {
    const index = openIndex();
    const member = await app.registerDeployedMember({ mean: fillMeans(2) });
    const [otherMember] = await insertMembers(app, [strong]);
    await index.refresh();
    expect(await hasMember(index, member.member_id)).toBe(true);
    await app.request('DELETE', '/members/me', { token: member.token, body: {} });
    app.clock.advance(40 * 24 * 60 * 60 * 1_000);
    await app.drainQueue();
    const countChanges = sql<{ count: number }>`
      select count(*) as count from matching_changes where member_id = ${member.member_id}`;
    expect((await app.sql.one(countChanges)).count).toBe(0);
    // The clock has advanced so far that the first index will be rebuilt. An index that is refreshed regularly must also see the erasure.
    const follower = openIndex();
    await follower.refresh();
    expect(await Promise.all([index, follower].map((each) => hasMember(each, otherMember!)))).toEqual([
      true,
      true,
    ]);
    await index.refresh();
    expect(await Promise.all([index, follower].map((each) => hasMember(each, member.member_id)))).toEqual([
      false,
      false,
    ]);
  });

  test('removes a deleted member by the last digits of the id', async () => {
    const index = openIndex();
    const [member_id] = await insertMembers(app, [strong]);
    await index.refresh();
    await app.sql.transaction(async (tx) => {
      await tx.run(sql`delete from trait_vectors where member_id = ${member_id!}`);
      await tx.run(sql`delete from matches where member_id = ${member_id!}`);
      await tx.run(sql`delete from members where id = ${member_id!}`);
    });
    expect(await hasMember(index, member_id!)).toBe(true);
    await index.refresh();
    expect(await hasMember(index, member_id!)).toBe(false);
  });

  test('sees a change that is committed after later changes were read', async () => {
    const index = openIndex();
    const [late, early] = await insertMembers(app, [strong, strong]);
    await index.refresh();
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
    const { promise: updated, resolve: reportUpdate } = Promise.withResolvers<void>();
    const slow = app.sql.transaction(async (tx) => {
      await tx.run(sql`update members set account_status = 'suspended' where id = ${late!}`);
      reportUpdate();
      await mayCommit;
    });
    await updated;
    await app.sql.run(sql`update members set account_status = 'suspended' where id = ${early!}`);
    for (let count = 0; count < 3; count += 1) await index.refresh();
    expect([await hasMember(index, late!), await hasMember(index, early!)]).toEqual([true, false]);
    commit();
    await slow;
    await index.refresh();
    expect(await hasMember(index, late!)).toBe(false);
  });

  test('sees a change within a second while it watches', async () => {
    // Only the time between two refreshes is a promise. How long the build and a refresh take depends on the machine.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const index = openIndex();
    index.watch();
    await index.refresh();
    const [member_id] = await insertMembers(app, [strong]);
    vi.advanceTimersByTime(1_000);
    await expect.poll(() => hasMember(index, member_id!)).toBe(true);
  });

  test('has the same contents on every node', async () => {
    const nodes = [openIndex(), openIndex()];
    for (const node of nodes) node.watch(20);
    const ids = await insertMembers(app, [strong, strong]);
    await app.sql.run(sql`update members set account_status = 'suspended' where id = ${ids[1]!}`);
    for (const node of nodes) {
      await node.refresh();
      expect(await Promise.all(ids.map((id) => hasMember(node, id)))).toEqual([true, false]);
    }
  });

  test('recovers after its connections were terminated', async () => {
    const index = openIndex();
    index.watch(20);
    await index.refresh();
    const [before] = await insertMembers(app, [strong]);
    await terminateConnections(app);
    // Queries that were running fail. Later ones succeed, and the index misses no change.
    await app.sql.one(sql`select 1`).catch(() => undefined);
    const [after] = await insertMembers(app, [strong]);
    const checkBoth = async () => {
      await index.refresh().catch(() => undefined);
      return await Promise.all([before, after].map((id) => hasMember(index, id!)));
    };
    await expect.poll(checkBoth).toEqual([true, true]);
  });

  test('is rebuilt if it was not refreshed for longer than changes are stored', async () => {
    const service = await startApp();
    const index = openIndex(service);
    const [member_id] = await insertMembers(service, [strong]);
    await index.refresh();
    await service.sql.run(sql`update members set account_status = 'suspended' where id = ${member_id!}`);
    await service.sql.run(sql`update matching_changes set changed_at = now() - interval '25 hours'`);
    await runTask(service, forgetChanges, {});
    expect(await service.sql.list(sql`select from matching_changes`)).toEqual([]);
    service.clock.advance(25 * 60 * 60 * 1_000);
    await index.refresh();
    expect(await hasMember(index, member_id!)).toBe(false);
  });

  test('is rebuilt if the nodes of the database are others than before', async () => {
    const service = await startApp();
    const index = openIndex(service);
    const [member_id] = await insertMembers(service, [strong]);
    await index.refresh();
    await service.sql.run(sql`update members set account_status = 'suspended' where id = ${member_id!}`);
    await service.sql.run(sql`delete from matching_changes`);
    await index.refresh();
    expect(await hasMember(index, member_id!)).toBe(true);
    await service.sql.run(sql`
      create or replace function find_database_node() returns bigint language sql stable as 'select 7::bigint'`);
    await index.refresh();
    expect(await hasMember(index, member_id!)).toBe(false);
  });

  test('follows every node from a mark of its own, whatever numbers the others have reached', async () => {
    const service = await startApp();
    // Two rows that are on two nodes by their keys; both nodes count their transactions as this server does.
    await service.sql.run(sql`create sequence asked`);
    await service.sql.run(sql`
      create or replace function find_database_node() returns bigint language sql volatile as
        'select (1 + nextval(''asked'') % 2)::bigint'`);
    await service.sql.run(sql`insert into matching_change_shards (shard_key) values (gen_random_uuid())`);
    const index = openIndex(service);
    await index.refresh();
    expect([...index.getSnapshots().keys()].toSorted()).toEqual(['1', '2']);
    const ids = await insertMembers(service, [strong, strong, strong, strong]);
    const nodes = await service.sql.list(sql`select distinct node from matching_changes`);
    expect(nodes).toHaveLength(2);
    await index.refresh();
    expect(await Promise.all(ids.map((id) => hasMember(index, id)))).toEqual([true, true, true, true]);
  });

  test('fails if the database fails, and is built by a later refresh', async () => {
    const [member_id] = await insertMembers(app, [strong]);
    let failures = 2;
    const list: TestApp['sql']['list'] = (statement) => {
      if (failures === 0) return app.sql.list(statement);
      failures -= 1;
      return Promise.reject(new Error('gone'));
    };
    const index = openMatchIndex({ database: { ...app.sql, list }, now: app.clock.now });
    onTestFinished(() => index.close());
    await expect(index.refresh()).rejects.toThrow('gone');
    await expect(index.refresh()).rejects.toThrow('gone');
    await index.refresh();
    expect(await hasMember(index, member_id!)).toBe(true);
  });

  test('cannot be refreshed after it was closed', async () => {
    const index = openIndex();
    await index.close();
    await expect(index.refresh()).rejects.toThrow('aborted');
  });
});

test('a worker process builds one index for all its tasks; other processes build none', async () => {
  const service = await startApp();
  const index = getMatchIndex(service.platform);
  expect(getMatchIndex({ memory: service.platform.memory })).toBe(index);
  expect(getMatchIndex(app.platform)).not.toBe(index);
  const [member_id] = await insertMembers(service, [strong]);
  expect(index.countMembers()).toBe(0);
  await watchMatchIndex(service.platform);
  await expect.poll(() => hasMember(index, member_id!), { interval: 10 }).toBe(true);
  await service.platform.memory.close();
  await expect(index.refresh()).rejects.toThrow('aborted');
});

test('changes of the last day are not deleted', async () => {
  await insertMembers(app, [strong]);
  const count = sql<{ count: number }>`select count(*) as count from matching_changes`;
  const before = await app.sql.one(count);
  await runTask(app, forgetChanges, {});
  expect(await app.sql.one(count)).toEqual(before);
});

async function terminateConnections(service: TestApp): Promise<void> {
  const client = new pg.Client({ ...service.sql.settings, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  } finally {
    await client.end();
  }
}
