import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Platform } from '#platform/platform.ts';
import type { Personas } from '#test/web/personas.ts';
import { pageVisits } from '#test/web/visits.ts';
import { signAccessToken } from '../../src/modules/access/accounts/sessions/access-token.ts';
import { additionalRows, specifiedRows } from '../../src/tables/api.ts';
import type { BenchPopulation } from './add-population.ts';

/** A request that is measured. */
export type Visit = {
  readonly name: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Lists the pages as their readers visit them, the lists and single objects of the API, and the exports. */
export async function listVisits(
  platform: Platform,
  client: pg.Client,
  personas: Personas,
  population: BenchPopulation,
): Promise<readonly Visit[]> {
  const tokens = await signTokens(platform, client, population);
  // A share of the people was chosen, so that the report of the organisation can be published.
  await client.query(
    `update matches set match_status = 'org_interested' where org_id = $1 and random() < 0.3`,
    [population.org_id],
  );
  return [...listPages(personas), ...listApi(tokens), ...(await listExports(client, tokens, population))];
}

type Tokens = Readonly<Record<'member' | 'org_admin' | 'platform_admin', string>>;

/** Signs tokens of an administrator of the organisation with all jobs, of the operator, and of a member. */
async function signTokens(
  platform: Platform,
  client: pg.Client,
  { org_id }: BenchPopulation,
): Promise<Tokens> {
  await client.query(
    `insert into users (id, email, password_hash, role, org_id, created_at, last_login, email_verified_at)
     values ($1, 'turns@example.org', '', 'org_admin', $2, now(), now(), now())`,
    [randomUUID(), org_id],
  );
  const { rows } = await client.query<{ id: string; role: keyof Tokens; linked_entity_id: string | null }>(
    `select distinct on (role) id, role, coalesce(org_id, member_id) as linked_entity_id from users
     where role in ('member', 'platform_admin') or email = 'turns@example.org' order by role, email = 'turns@example.org' desc`,
  );
  const ends_at = new Date(Date.now() + 86_400_000);
  const session = { id: randomUUID(), authenticated_at: new Date(), ends_at, by_mfa: true };
  return Object.fromEntries(
    rows.map((user) => [user.role, signAccessToken(platform, user, session).access_token]),
  ) as Tokens;
}

function listPages({ sessions, ids }: Personas): readonly Visit[] {
  const visits = Object.values(pageVisits).flat();
  return visits.map(({ name, as, getAddress }) => ({
    name: `page ${name}`,
    address: getAddress(ids),
    headers: { accept: 'text/html', ...(sessions[as] && { cookie: `tessera-session=${sessions[as]}` }) },
  }));
}

/** Everything that can be read without naming an object. */
function listApi(tokens: Tokens): readonly Visit[] {
  const rows = [...specifiedRows, ...additionalRows].filter(
    ({ method, path }) => method === 'GET' && !path.includes('{') && !path.includes('stream'),
  );
  return rows.flatMap(({ path, operation: { who } }) =>
    Object.entries(tokens)
      .filter(([role]) => who === 'anyone' || who.includes(role as never))
      .map(([role, token]) => ({
        name: `GET ${path} (${role})`,
        address: `/api/v1${path}`,
        headers: { authorization: `Bearer ${token}` },
      })),
  );
}

async function listExports(
  client: pg.Client,
  { org_admin, member }: Tokens,
  { org_id }: BenchPopulation,
): Promise<readonly Visit[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from matches where org_id = $1 and match_status = 'org_interested' limit 1`,
    [org_id],
  );
  const { rows: owners } = await client.query<{ member_id: string }>(
    `select member_id from users where role = 'member' order by id limit 1`,
  );
  const addresses = [
    `org/${org_id}/matches?format=csv`,
    `org/${org_id}/matches?format=xlsx`,
    `org/${org_id}/bias-report`,
    `org/${org_id}/bias-report?format=csv`,
    `org/${org_id}/bias-report?format=pdf`,
    `match/${rows[0]!.id}/detail-report`,
  ];
  const visits = addresses.map((address) => ({
    name: `export ${address.replace(/[0-9a-f-]{36}/, 'id')}`,
    address: `/api/v1/exports/${address}`,
    headers: { authorization: `Bearer ${org_admin}` },
  }));
  const own = `member/${owners[0]!.member_id}/gdpr-data`;
  return [
    ...visits,
    {
      name: 'export gdpr-data',
      address: `/api/v1/exports/${own}`,
      headers: { authorization: `Bearer ${member}` },
    },
  ];
}
