import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { isOtherOutput } from '#platform/operation.ts';
import { startApp } from '#test/harness.ts';
import { findOperationFile, listWrittenTables } from '#test/written-tables.ts';
import { additionalRows, specifiedRows } from './api.ts';
import {
  mayNeedRecentAuthentication,
  needsNoRecentAuthentication,
  needsRecentAuthentication,
} from './recent-authentication.ts';

const quarter_hour_ms = 15 * 60_000;

const app = await startApp();

const rows = [...specifiedRows, ...additionalRows];
const [needed, dependent, unneeded] = [
  needsRecentAuthentication,
  mayNeedRecentAuthentication,
  needsNoRecentAuthentication,
].map((list) => Object.values(list).flat()) as [string[], string[], string[]];

test('every operation that writes or sends a file for a caller who is logged in is in exactly one list', () => {
  const deciding = rows.filter(({ method, access, operation }) => {
    const sendsFile = Object.values(operation.output).some(
      (output) => output !== null && isOtherOutput(output),
    );
    return access !== 'public' && (method !== 'GET' || sendsFile);
  });
  const names = deciding.map(({ operation }) => operation.name);
  expect([...needed, ...dependent, ...unneeded].toSorted()).toEqual(names.toSorted());
});

test('everything that the operator changes needs it', () => {
  const changing = rows.filter(({ method, path: at }) => at.startsWith('/operator/') && method !== 'GET');
  expect(needed).toEqual(expect.arrayContaining(changing.map(({ operation }) => operation.name)));
});

/** Who can log in, and where data is sent. An operation that writes one of these has a reason of its own to be in no list of those that need it. */
const decidingTables = [
  'authenticators',
  'recovery_codes',
  'passkeys',
  'invitations',
  'sso_configurations',
  'openid_configurations',
  'organisation_domains',
  'webhook_subscriptions',
  'signing_keys',
];
const listReached = (name: string) => listWrittenTables(findOperationFile(name), decidingTables);
/** They write such a table and are not of the kind: the reasons in the table say why. */
const others = new Set([
  'orgUsers.resendInvitation',
  'accounts.renamePasskey',
  'accounts.reauthenticateUser',
  // They hand over events that their caller can read row by row, and count deliveries.
  'webhooks.openStream',
  'webhooks.fetchDeliveries',
  'webhooks.reportDeliveries',
  // They count deliveries.
  'webhooks.sendTest',
  'webhooks.recoverDeliveries',
  'webhooks.replayDelivery',
  // What exports the data of a module is beside what erases it.
  'rights.startDataExport',
]);

test('no operation that does without reaches a statement that decides who can log in or where data is sent', () => {
  for (const name of unneeded.filter((each) => !others.has(each)))
    expect([name, listReached(name)]).toEqual([name, []]);
  expect(listReached('sso.configureSso')).toContain('sso_configurations');
  expect(listReached('sso.configureOpenid')).toContain('openid_configurations');
  expect(listReached('operator.resetAccountMfa')).toContain('authenticators');
});

test('what depends on the input is asked for by the operation', () => {
  for (const name of dependent)
    expect(readFileSync(findOperationFile(name), 'utf8')).toMatch(/\brequireRecentAuthentication\(/);
});

describe('a recent authentication', () => {
  const guarded = rows.filter(({ options }) => options.recent_authentication);

  it('is what the table says', () => {
    expect(guarded.map(({ operation }) => operation.name).toSorted()).toEqual(needed.toSorted());
  });

  it.each(guarded.map((row) => [`${row.method} ${row.path}`, row] as const))(
    'is required by %s, before anything changes',
    async (_name, { method, path: at, operation }) => {
      const { token } = await registerCaller(operation.who);
      app.clock.advance(quarter_hour_ms + 1_000);
      const { status, body } = await app.request(method, at, {
        token,
        ...(method === 'POST' && { body: {} }),
      });
      expect([status, body.code]).toEqual([403, 'recent_authentication_required']);
      expect((await app.request('GET', '/auth/me', { token })).status).toBe(200);
    },
  );
});

function registerCaller(who: 'anyone' | readonly string[]) {
  if (who.includes('member')) return app.registerMember();
  return who.includes('org_admin') ? app.registerOrgAdmin() : app.registerPlatformAdmin();
}
