import { Secret, TOTP } from 'otpauth';
import { createClient, fetchRefreshToken, type Client } from '../../src/demo/client.ts';
import { createUser, changeOrganisationFromCommand, changeUserFromCommand } from '#modules/access/accounts';
import { rotateSigningKeys } from '#modules/operations/operator';
import { insertCandidate } from '../modules/learning.ts';
import { sql } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { filledProfile } from '../users.ts';
import { addMoneyTroubles } from './paid-read-rows.ts';
import type { VisitIds } from './visits.ts';

const email = 'operator@example.org';
const password = 'Correct-Horse-7-Battery';

/** The session of the operator, and the ids of what the operator looks at. */
export type OperatorPersona = {
  readonly session: string;
  readonly ids: Pick<
    VisitIds,
    'user' | 'protected_user' | 'organisation' | 'suspended_organisation' | 'key' | 'operator_service_key'
  >;
};

/** Creates the operator, and things to look after: an account with MFA, a suspended one, failed tasks, older keys and versions. */
export async function createOperatorPersona(
  url: string,
  platform: Platform,
  { member, org_admin }: { readonly member: string; readonly org_admin: string },
): Promise<OperatorPersona> {
  const { database } = platform;
  await createUser(platform, { email, password, role: 'platform_admin', org_id: undefined, name: undefined });
  const session = await fetchRefreshToken(url, { email, password });
  const protectedUser = await registerProtected(url, platform);
  const suspended = await registerMember(url, 'adam.smart@example.org', 'Adam Smart');
  await changeUserFromCommand(platform, { user: suspended.email }, true);
  const { org_id } = await database.one(
    sql<{ org_id: string }>`select org_id from users where email = ${org_admin}`,
  );
  const suspended_organisation = await createSuspendedOrganisation(url, platform);
  await addDomains(platform, org_id);
  await addFailures(platform);
  await addMoneyTroubles(platform, org_id);
  await addVersion(platform);
  await addFindings(platform);
  await insertCandidate(database);
  await rotateSigningKeys(platform);
  const { id: user } = await database.one(sql<{ id: string }>`select id from users where email = ${member}`);
  const key = platform.keys.selectActive('credential').kid;
  return {
    session,
    ids: {
      user,
      protected_user: protectedUser,
      organisation: org_id,
      suspended_organisation,
      key,
      operator_service_key: await createMonitoringKey(url),
    },
  };
}

/** @returns the id of a key of the operator. */
async function createMonitoringKey(url: string): Promise<string> {
  const { access_token } = await createClient(url).post('/auth/login', { email, password });
  const { id } = await createClient(url, access_token as string).post('/operator/service-keys', {
    name: 'Monitoring',
    permissions: ['GET /operator/health', 'GET /operator/queue'],
  });
  return id as string;
}

/** @returns the id of an organisation that is suspended. */
async function createSuspendedOrganisation(url: string, platform: Platform): Promise<string> {
  const address = 'office@quay-works.example.org';
  await createClient(url).post('/auth/register', {
    email: address,
    password,
    name: 'Quay Works',
    role: 'org_admin',
  });
  const { org_id } = await platform.database.one(
    sql<{ org_id: string }>`select org_id from users where email = ${address}`,
  );
  await changeOrganisationFromCommand(platform, { org: org_id }, true);
  return org_id;
}

async function registerMember(
  url: string,
  address: string,
  name: string,
): Promise<{ api: Client; email: string }> {
  const { access_token } = await createClient(url).post('/auth/register', { email: address, password, name });
  const api = createClient(url, access_token as string);
  await api.put('/members/me/profile', filledProfile);
  return { api, email: address };
}

/** @returns the id of a member with MFA. */
async function registerProtected(url: string, platform: Platform): Promise<string> {
  const { api } = await registerMember(url, 'ines.moreau@example.org', 'Ines Moreau');
  const { secret } = await api.post('/auth/mfa/setup');
  const totp = new TOTP({ secret: Secret.fromBase32(secret as string) });
  await api.post('/auth/mfa/verify', { code: totp.generate({ timestamp: platform.now().getTime() }) });
  return (await api.get('/auth/me')).id as string;
}

async function addDomains({ database, now }: Platform, org_id: string): Promise<void> {
  const challenge = 'x'.repeat(43);
  await database.run(sql`
    insert into organisation_domains (org_id, domain, challenge, verified_at, verified_by, created_at) values
      (${org_id}, 'harbour-health.example', ${challenge}, ${now()}, 'dns', ${now()}),
      (${org_id}, 'clinic.harbour-health.example', ${challenge}, null, null, ${now()})`);
  await database.run(sql`
    insert into probing_reports (org_id, pattern, first_reported_at, last_reported_at, report_count)
    values (${org_id}, 'narrow_jobs', ${now()}, ${now()}, 3)`);
}

async function addFailures({ database, now }: Platform): Promise<void> {
  for (const message of [
    'Error: connect ECONNREFUSED 192.0.2.25:587',
    'Error: Message failed: 550 5.1.1 The mailbox does not exist',
  ])
    await database.run(sql`
      insert into tasks (id, name, status, attempt, error, created_at, updated_at)
      values (gen_random_uuid(), 'accounts.sendNotice', 'failed', 5, ${message}, ${now()}, ${now()})`);
}

async function addVersion({ database, now }: Platform): Promise<void> {
  await database.run(sql`
    insert into item_parameter_versions (version, item_bank_version, provisional, parameters, respondents, report, created_at)
    values ('2.0.5f0c1a9be3d27764', '2.0', false, '{"items": {}, "correlations": null}', 1284, '{}', ${now()})`);
}

/** Adds a finding of each kind, and one about which somebody has decided. */
async function addFindings({ database, now }: Platform): Promise<void> {
  await database.run(sql`
    insert into item_findings (id, kind, item_ids, subject, compared_with, size, answered, respondents, parameter_version, found_at,
      decision, decided_at)
    select gen_random_uuid(), kind, string_to_array(item_ids, ' '), subject, compared_with, size, 640, 1284, '2.0.5f0c1a9be3d27764',
      ${now()}, decision, case when decision is not null then ${now()}::timestamptz end
    from (values
      ('weak', 'sincerity_03', '', '', 0.41, null),
      ('misfit', 'discretion_05', '', '', 1.36, null),
      ('dependent', 'persistence_01 persistence_02', '', '', 0.34, null),
      ('differs', 'empathic_attunement_01', 'gender woman', 'man', 0.27, null),
      ('drifted', 'sincerity_05', 'location', '2.0.0a1b2c3d4e5f6071', 0.52, null),
      ('weak', 'discretion_01', '', '', 0.52, 'dismiss'),
      ('dependent', 'sincerity_01 sincerity_02', '', '', 0.28, 'enemies')
    ) as given (kind, item_ids, subject, compared_with, size, decision)`);
}
