import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { sql } from '#platform/database/database.ts';
import { getMatchIndex, openMatchIndex, watchMatchIndex, type MatchIndex } from './match-index.ts';
import { createNormalPopulation, openTerms } from '#test/modules/random-population.ts';
import { matchJob, type MatchedJob } from '../engine/shortlist.ts';
import {
  fillSlots,
  insertMembers,
  remeasureMember,
  runTask,
  persistencePriorities,
  tierMeans,
} from '#test/modules/matching.ts';
import { forgetChanges } from './forget-changes.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const job: MatchedJob = { trait_priorities: persistencePriorities, terms: openTerms };
const strong = { mean: fillSlots(tierMeans.strong), variance: fillSlots(0.15) };

/** An index of its own, as another process has it. */
function opened(own: TestApp = app): MatchIndex {
  const index = openMatchIndex({ database: own.sql, now: own.clock.now });
  onTestFinished(() => index.close());
  return index;
}

async function labelOf(index: MatchIndex, member_id: string): Promise<string | undefined> {
  await index.refresh();
  const matches = await matchJob(index, job);
  return matches.find((match) => match.member_id === member_id)?.quality;
}

describe('an index', () => {
  test('holds everybody deployed when it is refreshed for the first time, and nobody else', async () => {
    const own = await startApp();
    const ids = await insertMembers(own, createNormalPopulation(4_100, 3).members);
    const undeployed = await own.registerMember();
    const index = opened(own);
    await Promise.all([index.refresh(), index.refresh(), index.refresh()]);
    expect(index.countMembers()).toBe(ids.length);
    expect(ids.every((id) => index.hasMember(id))).toBe(true);
    expect(index.hasMember(undeployed.member_id)).toBe(false);
  });

  test('is empty over an empty population, where nobody matches', async () => {
    const index = opened(await startApp());
    await index.refresh();
    expect([index.countMembers(), await matchJob(index, job)]).toEqual([0, []]);
  });

  test('sees who was added, measured anew, or added in bulk before a refresh was asked for', async () => {
    const index = opened();
    await index.refresh();
    const before = index.countMembers();
    const [one] = await insertMembers(app, [strong]);
    expect(await labelOf(index, one!)).toBe('strong');
    await remeasureMember(app, one!, tierMeans.exceptional);
    expect(await labelOf(index, one!)).toBe('exceptional');
    await remeasureMember(app, one!, tierMeans.none);
    expect(await labelOf(index, one!)).toBeUndefined();
    await insertMembers(app, createNormalPopulation(5_001, 4).members);
    await index.refresh();
    expect(index.countMembers()).toBe(before + 5_002);
  });

  test('forgets who withdraws consent, and knows them again when they are back', async () => {
    const index = opened();
    const person = await app.registerDeployedMember({ mean: fillSlots(2) });
    const consent = (granted: boolean) =>
      app.request('POST', '/members/me/consent', {
        token: person.token,
        body: { consent_type: 'matching', granted, version: '1' },
      });
    for (const granted of [true, false, true]) {
      await consent(granted);
      await index.refresh();
      expect(index.hasMember(person.member_id)).toBe(granted);
    }
  });

  test('forgets who is erased, though nothing that names them is left', async () => {
    const index = opened();
    const person = await app.registerDeployedMember({ mean: fillSlots(2) });
    const [bystander] = await insertMembers(app, [strong]);
    await index.refresh();
    expect(index.hasMember(person.member_id)).toBe(true);
    await app.request('DELETE', '/members/me', { token: person.token, body: {} });
    app.clock.advance(40 * 24 * 60 * 60 * 1_000);
    await app.drainQueue();
    const named = sql<{ count: number }>`
      select count(*) as count from matching_changes where member_id = ${person.member_id}`;
    expect((await app.sql.one(named)).count).toBe(0);
    // The clock has moved on so far that the index would be built anew; another that has not looked away must see it as well.
    const follower = opened();
    await follower.refresh();
    expect([index, follower].map((each) => each.hasMember(bystander!))).toEqual([true, true]);
    await index.refresh();
    expect([index, follower].map((each) => each.hasMember(person.member_id))).toEqual([false, false]);
  });

  test('forgets by the tail of an id whom it has not seen leave', async () => {
    const index = opened();
    const [member_id] = await insertMembers(app, [strong]);
    await index.refresh();
    await app.sql.transaction(async (tx) => {
      await tx.run(sql`delete from trait_vectors where member_id = ${member_id!}`);
      await tx.run(sql`delete from matches where member_id = ${member_id!}`);
      await tx.run(sql`delete from members where id = ${member_id!}`);
    });
    expect(index.hasMember(member_id!)).toBe(true);
    await index.refresh();
    expect(index.hasMember(member_id!)).toBe(false);
  });

  test('sees a change that commits late, after younger ones were seen', async () => {
    const index = opened();
    const [late, early] = await insertMembers(app, [strong, strong]);
    await index.refresh();
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
    const { promise: written, resolve: wrote } = Promise.withResolvers<void>();
    const slow = app.sql.transaction(async (tx) => {
      await tx.run(sql`update members set account_status = 'suspended' where id = ${late!}`);
      wrote();
      await mayCommit;
    });
    await written;
    await app.sql.run(sql`update members set account_status = 'suspended' where id = ${early!}`);
    for (let look = 0; look < 3; look += 1) await index.refresh();
    expect([index.hasMember(late!), index.hasMember(early!)]).toEqual([true, false]);
    commit();
    await slow;
    await index.refresh();
    expect(index.hasMember(late!)).toBe(false);
  });

  test('looks by itself, and sees a change within a second', async () => {
    const index = opened();
    index.watch(20);
    const [member_id] = await insertMembers(app, [strong]);
    await vi.waitFor(() => expect(index.hasMember(member_id!)).toBe(true), { timeout: 1_000, interval: 10 });
  });

  test('of another node sees the same', async () => {
    const nodes = [opened(), opened()];
    for (const node of nodes) node.watch(20);
    const ids = await insertMembers(app, [strong, strong]);
    await app.sql.run(sql`update members set account_status = 'suspended' where id = ${ids[1]!}`);
    for (const node of nodes) {
      await node.refresh();
      expect(ids.map((id) => node.hasMember(id))).toEqual([true, false]);
    }
  });

  test('is right again after its connections were cut', async () => {
    const index = opened();
    index.watch(20);
    await index.refresh();
    const [before] = await insertMembers(app, [strong]);
    await cutConnections(app);
    // What the cut met fails; what comes after does not, and nothing that happened meanwhile is missed.
    await app.sql.one(sql`select 1`).catch(() => undefined);
    const [after] = await insertMembers(app, [strong]);
    await vi.waitFor(async () => {
      await index.refresh();
      expect([before, after].map((id) => index.hasMember(id!))).toEqual([true, true]);
    });
  });

  test('begins anew when it has looked away for longer than changes are kept', async () => {
    const own = await startApp();
    const index = opened(own);
    const [member_id] = await insertMembers(own, [strong]);
    await index.refresh();
    await own.sql.run(sql`update members set account_status = 'suspended' where id = ${member_id!}`);
    await own.sql.run(sql`update matching_changes set changed_at = now() - interval '25 hours'`);
    await runTask(own, forgetChanges, {});
    expect(await own.sql.list(sql`select from matching_changes`)).toEqual([]);
    own.clock.advance(25 * 60 * 60 * 1_000);
    await index.refresh();
    expect(index.hasMember(member_id!)).toBe(false);
  });

  test('fails where the database does, and is built by the next that asks', async () => {
    const [member_id] = await insertMembers(app, [strong]);
    let failures = 2;
    const database = new Proxy(app.sql, {
      get: (target, name) => {
        if (name === 'list' && failures > 0) {
          failures -= 1;
          return () => Promise.reject(new Error('gone'));
        }
        return target[name as 'list'];
      },
    });
    const index = openMatchIndex({ database, now: app.clock.now });
    onTestFinished(() => index.close());
    await expect(index.refresh()).rejects.toThrow('gone');
    await expect(index.refresh()).rejects.toThrow('gone');
    await index.refresh();
    expect(index.hasMember(member_id!)).toBe(true);
  });

  test('that is closed builds nothing any more', async () => {
    const index = opened();
    await index.close();
    await expect(index.refresh()).rejects.toThrow('aborted');
  });
});

test('a process that works builds its index by itself, one for all its tasks; one that does not has none', async () => {
  const own = await startApp();
  const index = getMatchIndex(own.platform);
  expect(getMatchIndex({ memory: own.platform.memory })).toBe(index);
  expect(getMatchIndex(app.platform)).not.toBe(index);
  const [member_id] = await insertMembers(own, [strong]);
  expect(index.countMembers()).toBe(0);
  watchMatchIndex(own.platform);
  await vi.waitFor(() => expect(index.hasMember(member_id!)).toBe(true), { interval: 10 });
  await own.platform.memory.close();
  await expect(index.refresh()).rejects.toThrow('aborted');
});

test('changes younger than a day are kept', async () => {
  await insertMembers(app, [strong]);
  const count = sql<{ count: number }>`select count(*) as count from matching_changes`;
  const before = await app.sql.one(count);
  await runTask(app, forgetChanges, {});
  expect(await app.sql.one(count)).toEqual(before);
});

async function cutConnections(own: TestApp): Promise<void> {
  const client = new pg.Client({ ...own.sql.settings, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  } finally {
    await client.end();
  }
}
