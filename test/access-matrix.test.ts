import { describe, expect, it } from 'vitest';
import { additionalRows, specifiedRows } from '../src/tables/api.ts';
import { accessMatrix, type Access } from './access-matrix.ts';
import { castJob, createCast } from './cast.ts';
import { startApp, type TestReply } from './harness.ts';
import { createCredential } from './modules/credentials.ts';
import { proves } from './requirements.ts';
import { formatRowName, sendRow } from './row-requests.ts';
import { apiRows } from './wire-schemas.ts';
import { roles, type Role } from '#lib/caller.ts';
import { flushVerifications } from '#modules/credentials/credentials';
import { sql } from '#platform/database/database.ts';
import { listPathFields, type Row } from '#platform/http/row.ts';

const rows = [...specifiedRows, ...additionalRows];
// Logging out ends the session that the other rows need.
const ordered = apiRows.toSorted((one, other) => Number(doesEndSession(one)) - Number(doesEndSession(other)));

const app = await startApp();
const cast = await createCast(app);
/** An organisation that the other rows do not need. */
const suspendable_org_id: string = (await app.registerOrgAdmin()).org_id;
const ids: Readonly<Record<string, string>> = {
  job_id: cast.ours.job_id,
  match_id: await cast.readMatchId(cast.deployed, cast.ours),
  task_id: cast.ours.task_id,
  member_id: cast.deployed.member_id,
  org_id: cast.ours.org_id,
  credential_id: (await createCredential(app, cast.deployed.token)).id,
};

describe('the access matrix', () => {
  it('has each row of the API once, and no other row', () => {
    expect(Object.keys(accessMatrix).toSorted()).toEqual(rows.map(formatRowName).toSorted());
  });

  it('opens to anyone exactly the rows that the specification calls Public', () => {
    proves('surface-auth-column-values');
    for (const row of rows)
      expect([formatRowName(row), accessMatrix[formatRowName(row)] === 'anyone']).toEqual([
        formatRowName(row),
        row.access === 'public',
      ]);
  });

  it('names the same roles as the operation of each built row', () => {
    const toSet = (access: Access | undefined) => (Array.isArray(access) ? new Set<string>(access) : access);
    for (const row of apiRows)
      expect([formatRowName(row), toSet(row.operation.who)]).toEqual([
        formatRowName(row),
        toSet(accessMatrix[formatRowName(row)]),
      ]);
  });
});

describe('the service admits the callers that the access matrix names, and no others:', () => {
  const callers = ['anonymous', ...roles] as const;

  it('(and a change would be seen)', async () => {
    const before = await computeFingerprints();
    await app.request('POST', '/orgs/me/jobs', { token: cast.ours.admin.token, body: castJob });
    const after = await computeFingerprints();
    expect(Object.keys(after).filter((table) => after[table] !== before[table])).toContain('jobs');
  });

  it.each(ordered.map((row) => [formatRowName(row), row] as const))('%s', async (name, row) => {
    proves('error-missing-role-refused');
    const access = accessMatrix[name]!;
    const refused = callers.filter((caller) => access !== 'anyone' && !access.includes(caller as Role));
    await flushVerifications(app.platform);
    const before = await computeFingerprints();
    for (const caller of refused) {
      const { status, body } = await sendAs(caller, row);
      const expected = caller === 'anonymous' ? [401, 'authentication_required'] : [403, 'role_not_allowed'];
      expect([caller, status, body.code]).toEqual([caller, ...expected]);
    }
    expect(await computeFingerprints(), 'a refusal must change nothing').toEqual(before);
    for (const caller of callers.filter((each) => !refused.includes(each))) {
      const { status, body } = await sendAs(caller, row);
      expect(['authentication_required', 'role_not_allowed', 'token_invalid']).not.toContain(body?.code);
      expect(status).toBeLessThan(500);
    }
  });
});

/** Sends a row with the ids of its path only: the service admits a caller, or not, before it reads the content. */
async function sendAs(caller: Role | 'anonymous', row: Row): Promise<TestReply> {
  const inPath = listPathFields(row.path);
  const fields = Object.fromEntries(Object.entries(ids).filter(([name]) => inPath.includes(name)));
  const token =
    doesEndAccount(row) && caller === 'member' ? (await app.registerMember()).token : findToken(caller);
  const subject = doesEndOrganisation(row) ? { org_id: suspendable_org_id } : {};
  return sendRow(app, row, { ...fields, ...subject }, token);
}

function doesEndSession({ operation }: Row): boolean {
  return operation.name === 'accounts.logOut';
}

/** Whether a row suspends the organisation that it names, whose users the other rows need. */
function doesEndOrganisation({ operation }: Row): boolean {
  return operation?.name === 'operator.suspendOrganisation';
}

/** Whether a row ends the account of its caller, whom the other rows need. */
function doesEndAccount({ operation }: Row): boolean {
  return ['rights.deleteAccount', 'rights.withdrawAllConsent'].includes(operation.name);
}

function findToken(caller: Role | 'anonymous'): string | undefined {
  const { ours, deployed, platformAdmin } = cast;
  return {
    anonymous: undefined,
    member: deployed.token,
    org_admin: ours.admin.token,
    org_viewer: ours.viewer.token,
    auditor: ours.auditor.token,
    platform_admin: platformAdmin.token,
  }[caller];
}

/** A fingerprint of each table of the service. */
async function computeFingerprints(): Promise<Readonly<Record<string, string>>> {
  const tables = await app.sql.list(
    sql<{
      table_name: string;
    }>`select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const prints = await Promise.all(
    tables.map(({ table_name }) =>
      app.sql.one(
        sql<{
          print: string;
        }>`select md5(query_to_xml(${`select to_jsonb(stored)::text from "${table_name}" as stored order by 1`}, true, false, '')::text) as print`,
      ),
    ),
  );
  return Object.fromEntries(tables.map(({ table_name }, index) => [table_name, prints[index]!.print]));
}
