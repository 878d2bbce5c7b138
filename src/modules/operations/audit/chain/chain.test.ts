import { randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as jose from 'jose';
import { describe, expect, test } from 'vitest';
import { sql, type Statement } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import { noAccounts } from '#test/personal-data.ts';
import { forgetEntries } from '../forget-entries.ts';
import { personalData } from '../personal-data.ts';
import { recordAudit, type NewAuditEntry } from '../record-audit.ts';
import { linkNewEntries } from './link-entries.ts';
import { computeDigest, computeHead, type LinkedEntry } from './rules.ts';
import { signHeads } from './sign-heads.ts';
import { streamAudit } from './stream-entries.ts';
import { describeAuditFaults, verifyAudit } from './verify-chain.ts';

const day_ms = 24 * 3_600_000;

const record = (app: TestApp, entry: Partial<NewAuditEntry>) =>
  app.sql.transaction((tx) =>
    recordAudit(tx, { now: app.clock.now(), actor: null, action: 'test.done', ...entry }),
  );

const link = (app: TestApp) => runTask(app, linkNewEntries, {});

const verify = (app: TestApp, head?: string) =>
  verifyAudit({ ...app.platform, now: app.clock.now }, head === undefined ? {} : { head });

/** An installation with six linked entries, three of an organisation. */
async function startLinked(settings = {}) {
  const app = await startApp(settings);
  const admin = await app.registerOrgAdmin();
  for (const org_id of [null, admin.org_id, admin.org_id, null, admin.org_id, null])
    await record(app, { org_id, detail: { count: 1 } });
  await link(app);
  return { app, admin };
}

/** What somebody with all rights on the database does to it. */
async function tamper(app: TestApp, ...changes: readonly Statement[]) {
  for (const table of ['audit_log', 'audit_links'])
    await app.sql.run(
      table === 'audit_log'
        ? sql`alter table audit_log disable trigger user`
        : sql`alter table audit_links disable trigger user`,
    );
  for (const change of changes) await app.sql.run(change);
}

async function keepHead(app: TestApp, token: string): Promise<string> {
  const reply = await app.request('GET', '/audit-log/head', { token });
  expect(reply.status).toBe(200);
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'tessera-head-')), 'head.json');
  await writeFile(file, JSON.stringify(reply.body));
  return file;
}

const middle = sql`(select entry_id from audit_links order by position offset (select count(*) / 2 from audit_links) limit 1)`;

test('every entry gets a link within a minute, in one chain without gaps, and one for each organisation', async () => {
  const { app, admin } = await startLinked();
  const links = await app.sql.list(sql<{
    position: number;
    org_id: string | null;
    org_position: number | null;
  }>`
    select position, org_id, org_position from audit_links order by position`);
  const [{ count }] = (await app.sql.list(sql<{ count: number }>`select count(*) from audit_log`)) as [
    { count: number },
  ];
  expect(links.map(({ position }) => position)).toEqual(
    Array.from({ length: count }, (_, index) => index + 1),
  );
  const own = links.filter(({ org_id }) => org_id === admin.org_id).map(({ org_position }) => org_position);
  expect(own).toEqual(own.map((_, index) => index + 1));
  expect(await verify(app)).toMatchObject({
    entries: count,
    erased: 0,
    forgotten: 0,
    position: count,
    faults: 0,
  });
  await link(app);
  expect(await verify(app)).toMatchObject({ position: count, faults: 0 });
});

test('two workers at once link each entry once', async () => {
  const { app } = await startLinked();
  await Promise.all(Array.from({ length: 40 }, () => record(app, {})));
  await Promise.all([link(app), link(app), link(app)]);
  expect(await verify(app)).toMatchObject({ faults: 0 });
  expect(
    await app.sql.list(sql`select from audit_log where id not in (select entry_id from audit_links)`),
  ).toEqual([]);
});

describe('a verification finds', () => {
  const salt = randomUUID();
  test.each<[what: string, changes: readonly Statement[], fault: RegExp]>([
    [
      'a changed action',
      [sql`update audit_log set action = 'test.other' where id = ${middle}`],
      /was changed/,
    ],
    [
      'a changed time',
      [sql`update audit_log set created_at = created_at + interval '1 microsecond' where id = ${middle}`],
      /was changed/,
    ],
    [
      'a changed role',
      [sql`update audit_log set actor_role = 'auditor' where id = ${middle}`],
      /was changed/,
    ],
    [
      'a changed actor',
      [sql`update audit_log set actor_user_id = ${salt} where id = ${middle}`],
      /was changed/,
    ],
    ['a changed member', [sql`update audit_log set member_id = ${salt} where id = ${middle}`], /was changed/],
    [
      'a changed organisation',
      [sql`update audit_log set org_id = ${salt} where id = ${middle}`],
      /was changed/,
    ],
    [
      'a changed fact',
      [sql`update audit_log set detail = '{"count": 2}' where id = ${middle}`],
      /was changed/,
    ],
    ['a changed salt', [sql`update audit_log set salt = ${salt} where id = ${middle}`], /was changed/],
    [
      'facts that stay beside an erasure',
      [sql`update audit_log set salt = null where id = ${middle}`],
      /was changed/,
    ],
    ['a removed entry', [sql`delete from audit_log where id = ${middle}`], /is missing/],
    ['a removed link', [sql`delete from audit_links where entry_id = ${middle}`], /are missing/],
    ['a removed start', [sql`delete from audit_links where position = 1`], /are missing/],
    [
      'two links in another order',
      [
        sql`update audit_links set position = position + 1000 where position in (2, 3)`,
        sql`update audit_links set position = case position when 1002 then 3 else 2 end where position > 1000`,
      ],
      /does not follow/,
    ],
    [
      'another head',
      [sql`update audit_links set head = sha256('x') where entry_id = ${middle}`],
      /does not follow/,
    ],
    [
      'another digest',
      [sql`update audit_links set digest = sha256('x') where entry_id = ${middle}`],
      /does not follow/,
    ],
    [
      'another commitment',
      [sql`update audit_links set commitment = sha256('x') where entry_id = ${middle}`],
      /was changed/,
    ],
    [
      'an entry that was added later',
      [
        sql`insert into audit_log (id, action, detail, created_at) values (gen_random_uuid(), 'test.forged', '{}', timestamptz '2020-01-01')`,
      ],
      /no link/,
    ],
  ])('%s', async (_, changes, fault) => {
    const { app } = await startLinked();
    await tamper(app, ...changes);
    const report = await verify(app);
    expect(report.faults).toBeGreaterThan(0);
    expect(JSON.stringify(report.first_faults)).toMatch(fault);
    expect(describeAuditFaults(report)).toMatch(/^the audit log has \d+ faults?\./);
  });
});

test('a log whose whole chain was computed again agrees with itself, but not with a head that somebody kept', async () => {
  const { app, admin } = await startLinked();
  const kept = await keepHead(app, admin.token);
  expect(await verify(app, kept)).toMatchObject({ faults: 0 });
  await tamper(
    app,
    sql`delete from audit_links`,
    sql`update audit_log set action = 'test.other' where action = 'test.done'`,
  );
  await link(app);
  expect(await verify(app)).toMatchObject({ faults: 0 });
  expect(JSON.stringify((await verify(app, kept)).first_faults)).toMatch(/does not lead to the signed head/);
  await tamper(app, sql`delete from audit_links`, sql`delete from audit_log`);
  expect(JSON.stringify((await verify(app, kept)).first_faults)).toMatch(/no link at the signed head/);
});

test('the erasure of a member leaves the chain valid, and nothing from which the person could be guessed', async () => {
  const { app, admin } = await startLinked();
  const { member_id, user_id } = await app.registerMember();
  await record(app, {
    actor: { user_id, role: 'member' },
    member_id,
    org_id: admin.org_id,
    detail: { match_id: 'm' },
  });
  await link(app);
  const kept = await keepHead(app, admin.token);
  await app.sql.run(sql`update members set account_status = 'pending_deletion' where id = ${member_id}`);
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, member_id, noAccounts));
  const report = await verify(app, kept);
  expect(report).toMatchObject({ faults: 0 });
  expect(report.erased).toBeGreaterThanOrEqual(1);
  expect(
    await app.sql.list(
      sql`select from audit_log where member_id = ${member_id} or (detail = '{}' and salt is not null and action = 'test.done' and actor_role = 'member')`,
    ),
  ).toEqual([]);
});

test('entries that are deleted after their time leave a chain that goes on from the last link before', async () => {
  const { app } = await startLinked({ TESSERA_AUDIT_DAYS: '200' });
  const { position: before } = await verify(app);
  app.clock.advance(201 * day_ms);
  await record(app, {});
  await link(app);
  await app.sql.run(sql`alter table audit_log disable trigger audit_log_forgotten_only`);
  await app.sql.run(sql`alter table audit_links disable trigger audit_links_forgotten_only`);
  await runTask(app, forgetEntries, {});
  const left = await app.sql.list(
    sql<{ position: number }>`select position from audit_links order by position`,
  );
  expect(left.map(({ position }) => position)).toEqual([before, before + 1]);
  expect(await verify(app)).toMatchObject({ entries: 1, forgotten: 1, position: before + 1, faults: 0 });
});

test('the database refuses to change or delete links', async () => {
  const { app } = await startLinked();
  for (const change of [
    sql`update audit_links set head = sha256('x')`,
    sql`delete from audit_links`,
    sql`truncate audit_links`,
  ])
    await expect(app.sql.run(change)).rejects.toMatchObject({ code: '23000' });
});

test('a file that is no head of this installation is refused in one line', async () => {
  const { app, admin } = await startLinked();
  const kept = await keepHead(app, admin.token);
  const folder = path.dirname(kept);
  const files: readonly (readonly [text: string, reason: RegExp])[] = [
    ['', /no head that this installation signed/],
    ['{', /no head that this installation signed/],
    ['{"statement": 1}', /no head that this installation signed/],
    [admin.token, /no head that this installation signed|does not have/],
    ['x'.repeat(100_001), /too large/],
  ];
  for (const [index, [text, reason]] of files.entries()) {
    const file = path.join(folder, String(index));
    await writeFile(file, text);
    await expect(verify(app, file)).rejects.toThrow(reason);
  }
  await expect(verify(app, path.join(folder, 'absent'))).rejects.toThrow('cannot be read (ENOENT)');
  await app.platform.keys.revoke(app.platform.keys.selectActive('credential').kid);
  await expect(verify(app, kept)).rejects.toThrow(/was revoked, so the head proves nothing/);
});

test('once a day the signed heads are written to the log, which is out of reach of the database', async () => {
  const { app, admin } = await startLinked();
  await record(app, { now: new Date(app.clock.now().getTime() - 2 * 3_600_000), org_id: admin.org_id });
  const lines: { readonly audit_head: string }[] = [];
  const log = { ...app.platform.log, info: (line: { readonly audit_head: string }) => lines.push(line) };
  await runTask(app, signHeads, {}, { log: log as never });
  const heads = lines.map(({ audit_head }) => jose.decodeJwt<{ org_id: string | null }>(audit_head));
  expect(heads.map(({ org_id }) => org_id)).toEqual(expect.arrayContaining([null, admin.org_id]));
  expect(
    await app.sql.list(sql`select from audit_log where id not in (select entry_id from audit_links)`),
  ).toEqual([]);
});

test('a collector reads each entry once, in the order of the chain, and goes on where it was', async () => {
  const { app } = await startLinked();
  type Event = {
    readonly class_uid: number;
    readonly type_uid: number;
    readonly metadata: { readonly uid: string; readonly sequence: number };
  };
  const read = async (after: number) => {
    const events: Event[] = [];
    for await (const event of await streamAudit(app.platform, { after: String(after) }))
      events.push(event as Event);
    return events;
  };
  const first = await read(0);
  expect(first.map(({ metadata }) => metadata.sequence)).toEqual(first.map((_, index) => index + 1));
  expect(first[0]).toMatchObject({
    class_uid: 3004,
    type_uid: 300_499,
    category_uid: 3,
    severity_id: 1,
    entity: {},
  });
  await record(app, {});
  expect(await read(first.length)).toEqual([]);
  await link(app);
  expect((await read(first.length)).map(({ metadata }) => metadata.sequence)).toEqual([first.length + 1]);
  await expect(streamAudit(app.platform, { after: '-1' })).rejects.toThrow(/--after must be a position/);
});

test('a digest covers everything that stays of an entry, and a head everything before it', () => {
  const entry: LinkedEntry = {
    id: 'a',
    sequence: '1',
    action: 'b.c',
    actor_role: null,
    org_id: null,
    created_us: '5',
    salt: null,
    actor_user_id: null,
    member_id: null,
    detail: '{}',
  };
  const digest = computeDigest(entry, 'ff');
  const others: readonly Partial<LinkedEntry>[] = [
    { id: 'b' },
    { sequence: '2' },
    { action: 'b.d' },
    { actor_role: '' },
    { org_id: '' },
    { created_us: '6' },
  ];
  for (const other of others) expect(computeDigest({ ...entry, ...other }, 'ff')).not.toBe(digest);
  expect(computeDigest(entry, 'fe')).not.toBe(digest);
  expect(computeHead(digest, digest)).not.toBe(computeHead('00'.repeat(32), digest));
});
