import { describe, expect, test } from 'vitest';
import { originRows } from '../src/tables/origin.ts';
import { createCast } from './cast.ts';
import { startApp } from './harness.ts';
import { recordSoldRead, requestAndSendPayout } from './modules/books.ts';
import { createCredential, readPayload } from './modules/credentials.ts';
import { followBoard } from './modules/job-boards.ts';
import { createServiceKey } from './modules/service-keys.ts';
import { createStub } from './modules/stubs.ts';
import { createSubscription } from './modules/webhooks.ts';
import { formatRowName, sendRow } from './row-requests.ts';
import { watchWrites, type WrittenRow } from './watch-writes.ts';
import { apiRows } from './wire-schemas.ts';
import { flushVerifications } from '#modules/credentials/credentials';
import { listPathFields, type Row } from '#platform/http/row.ts';

/** What a GET of the API may write, by its operation. Reading changes nothing else. */
const reads = {
  // Who has read what belongs to others.
  'audit.readAuditLog': 'The audit log says which administrator of the platform has read it.',
  'operator.inspectUser': 'The audit log says which administrator of the platform has read the account.',
  'exports.exportBiasReport':
    'The audit log says who has read the report, and a report that is due is published.',
  'exports.exportMatches': 'The audit log says who has exported the matches.',
  'exports.exportMatchReport':
    'The audit log says who has exported the report, and the task that writes the explanation is started.',
  'matches.readContact': 'The audit log says who has read the contact.',
  // What the reply itself needs.
  'matches.readExplanation':
    'Starts the task that writes the explanation, when it is read for the first time, and records whom the organisation reads about in detail.',
  'matches.readTable':
    'Starts the task that writes the explanations which are missing, and records whom the organisation reads about in detail.',
  'sso.startLogin': 'The request of the login, which its answer must name.',
  'sso.finishOpenidLogin': 'The login that the answer completes, and its session.',
  // A transaction that only reads.
  'rights.exportMemberData': 'Nothing; the transaction reads all tables as they were at one moment.',
};

test('a GET writes only what is listed here, and any other has no transaction', () => {
  const writing = apiRows.flatMap(({ method, operation: { name, writes_on_read } }) =>
    method === 'GET' && writes_on_read !== undefined ? [[name, writes_on_read]] : [],
  );
  expect(Object.fromEntries(writing)).toEqual(reads);
});

test('only operations that are read say what they write then', () => {
  const others = apiRows.filter(
    ({ method, operation }) => method !== 'GET' && operation.writes_on_read !== undefined,
  );
  expect(others.map(({ operation }) => operation.name)).toEqual([]);
});

/** GETs whose object no caller of this test has, so that what is refused writes nothing either. */
const unanswered: readonly string[] = [
  'GET /orgs/me/culture-profile',
  'GET /orgs/{org_id}/sso/configuration',
  'GET /marketplace/transactions/{transaction_id}',
  'GET /orgs/{org_id}/sso/openid',
  'GET /auth/sso/{org_id}/metadata',
  'GET /volunteers/{code}',
  'GET /orgs/me/jobs/{job_id}/invitations/{invitation_id}',
  'GET /sandbox',
  'GET /oauth/interactions/{uid}',
  'GET /orgs/queries/reads/{read_id}/receipt',
  'GET /operator/service-keys/{service_key_id}/requests',
  'GET /operator/banks/{bank}/versions/{version}/preview',
  'GET /operator/policies/{version}/preview',
];

const app = await startApp();
const cast = await createCast(app);
const { ours, deployed, newcomer, platformAdmin } = cast;
const ids = await createObjects();
/** Those who have everything, and those who have nothing yet, for whom a read might begin to compute it. */
const tokens = [
  undefined,
  deployed.token,
  newcomer.token,
  ours.admin.token,
  ours.viewer.token,
  ours.auditor.token,
  (await app.registerOrgAdmin()).token,
  platformAdmin.token,
];
const takeAllWrites = await watchWrites(app);

/** What was written, apart from the counts of verifications, which are collected and added later. */
async function takeWrites(): Promise<readonly WrittenRow[]> {
  await flushVerifications(app.platform);
  return (await takeAllWrites()).filter(
    ({ statement }) => !statement.includes('set verifications = verifications + counted.times'),
  );
}

/** One object of each kind, by the field that names it. */
async function createObjects(): Promise<Readonly<Record<string, string>>> {
  const { id: credential_id, formats } = await createCredential(app, deployed.token);
  const { id: subscription_id } = await createSubscription(app, ours.admin.token, {
    url: 'https://hooks.example.org/one',
  });
  const sent = await app.request('POST', `/webhooks/${subscription_id}/test`, {
    token: ours.admin.token,
    body: {},
  });
  await recordSoldRead(app, deployed.member_id, { gross: 4_000_000n, hold_seconds: 0 });
  const exported = await app.request('POST', '/members/me/data-export', { token: deployed.token, body: {} });
  const stub = await createStub(app);
  await requestAndSendPayout(app, deployed.token, 1);
  await app.drainQueue();
  const readFirstId = async (path: string) =>
    (await app.request('GET', path, { token: deployed.token })).body.data[0].id as string;
  return {
    member_id: deployed.member_id,
    org_id: ours.org_id,
    service_key_id: (await createServiceKey(app, ours.admin.token)).id,
    user_id: deployed.user_id,
    job_id: ours.job_id,
    match_id: await cast.readMatchId(deployed, ours),
    credential_id,
    list_id: readPayload(formats.attestation_token).status.status_list.uri.split('/').at(-1),
    token: formats.attestation_token,
    subscription_id,
    delivery_id: sent.body.id,
    board_id: (await followBoard(app, ours.admin.token)).board_id,
    task_id: exported.body.task_id,
    claim_code: stub.body.claim_code,
    payout_id: await readFirstId('/members/me/payouts'),
    read_id: await readFirstId('/orgs/queries/earnings/history'),
    handle: 'somebody',
    bank: 'tessera',
    version: 'mvp20-2.correlated',
    q: 'nurse',
  };
}

async function readRow(row: Row): Promise<boolean> {
  const inPath = listPathFields(row.path);
  const isNeeded = (name: string) => inPath.includes(name) || row.operation.input.required?.includes(name);
  const fields = Object.fromEntries(Object.entries(ids).filter(([name]) => isNeeded(name)));
  const statuses: number[] = [];
  for (const token of tokens) statuses.push((await sendRow(app, row, fields, token)).status);
  expect(Math.max(...statuses)).toBeLessThan(500);
  return statuses.some((status) => status < 400);
}

describe('a GET of the API writes no row:', () => {
  const rows = apiRows.filter(
    ({ method, operation }) => method === 'GET' && operation.writes_on_read === undefined,
  );
  const answered = new Set<string>();

  test.each(rows.map((row) => [formatRowName(row), row] as const))('%s', async (name, row) => {
    if (await readRow(row)) answered.add(name);
    expect(await takeWrites()).toEqual([]);
  });

  test('(and each is answered, apart from those that are listed)', () => {
    expect(rows.map(formatRowName).filter((name) => !answered.has(name))).toEqual(unanswered);
  });

  test('(and a write would be seen)', async () => {
    await app.request('POST', '/auth/login', {
      body: { email: deployed.email, password: deployed.password },
    });
    expect((await takeWrites()).map(({ table_name }: WrittenRow) => table_name)).toContain('sessions');
  });
});

/** The tables that a GET with an entry in the list above writes. */
const writtenTables: Readonly<Record<keyof typeof reads, readonly string[]>> = {
  'audit.readAuditLog': ['audit_log'],
  'operator.inspectUser': ['audit_log'],
  'exports.exportBiasReport': ['audit_log', 'bias_counted', 'bias_reports'],
  'exports.exportMatches': ['audit_log'],
  'exports.exportMatchReport': ['audit_log', 'match_explanation_requests', 'tasks'],
  'matches.readContact': ['audit_log'],
  'matches.readExplanation': ['match_explanation_requests', 'tasks'],
  'matches.readTable': ['tasks'],
  'sso.startLogin': [],
  'sso.finishOpenidLogin': [],
  'rights.exportMemberData': [],
};

describe('a GET that writes adds a few rows, however much it reads:', () => {
  const rows = apiRows.filter(
    ({ method, operation }) => method === 'GET' && operation.writes_on_read !== undefined,
  );

  test.each(rows.map((row) => [formatRowName(row), row] as const))('%s', async (_, row) => {
    await readRow(row);
    const written = await takeWrites();
    const allowed: readonly string[] = writtenTables[row.operation.name as keyof typeof reads];
    expect(written.filter(({ table_name }) => !allowed.includes(table_name))).toEqual([]);
    expect(written.length).toBeLessThanOrEqual(tokens.length * allowed.length);
  });
});

describe('a GET of another path writes no row:', () => {
  const paths = originRows.filter(({ method }) => method === 'GET').map(({ path }) => path);
  test.each(paths)('%s', async (path) => {
    await app.request('GET', `/${path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown')}`);
    expect(await takeWrites()).toEqual([]);
  });
});
