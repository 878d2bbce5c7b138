import { randomBytes, randomUUID } from 'node:crypto';
import type { PoolConfig } from 'pg';
import { hashToken } from '#platform/security/hash-token.ts';
import { formatParentId, child_id_bytes } from '#lib/child-id.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import { openKeys } from '#platform/security/keys.ts';
import { createSecrets, loadMasterKey } from '#platform/security/secrets.ts';
import { generateKey } from '../../src/modules/access/service-keys/key-text.ts';
import { signAccessToken } from '../../src/modules/access/accounts/sessions/access-token.ts';

/** An administrator of an organisation with a valid access token and service keys that may read jobs, a job of the organisation, and a member with another token. */
export type CallerPair = Ids & {
  readonly token: string;
  readonly member_token: string;
  /** Each may read the job. */
  readonly service_keys: readonly string[];
};

/** Organisations may have fifty. */
const keys_each = 5;

type Ids = Readonly<Record<'user_id' | 'org_id' | 'job_id' | 'member_user_id' | 'member_id', string>>;

/**
 * Inserts administrators and members into the database of a running service, and signs their tokens with its keys, because logging in
 * would take thousands of password checks.
 */
export async function insertCallers(
  settings: PoolConfig,
  dataDir: string,
  publicUrl: string,
  count: number,
): Promise<readonly CallerPair[]> {
  const database = openDatabase(settings, () => undefined);
  const config = readConfig({ TESSERA_DATA_DIR: dataDir, TESSERA_PUBLIC_URL: publicUrl });
  const keys = await openKeys(
    database,
    createSecrets(await loadMasterKey(config.masterKey, dataDir)),
    systemClock,
  );
  const ids = Array.from({ length: count }, () => ({
    user_id: randomUUID(),
    org_id: randomUUID(),
    job_id: formatParentId(randomBytes(child_id_bytes)),
    member_user_id: randomUUID(),
    member_id: randomUUID(),
  }));
  await insertRows(database, ids);
  const serviceKeys = await insertServiceKeys(database, ids);
  const signToken = (user: User) => {
    const signing = { config, keys, now: systemClock.now };
    const ends_at = new Date(Date.now() + 86_400_000);
    const session = { id: randomUUID(), authenticated_at: new Date(), ends_at, by_mfa: false };
    return signAccessToken(signing, user, session).access_token;
  };
  const callers = ids.map((each, place) => ({
    ...each,
    service_keys: serviceKeys.slice(place * keys_each, (place + 1) * keys_each),
    token: signToken({ id: each.user_id, role: 'org_admin', linked_entity_id: each.org_id }),
    member_token: signToken({ id: each.member_user_id, role: 'member', linked_entity_id: each.member_id }),
  }));
  keys.close();
  await database.close();
  return callers;
}

/** The keys of each organisation, one organisation after the other. */
async function insertServiceKeys(database: Database, given: readonly Ids[]): Promise<readonly string[]> {
  const ids = given.flatMap((each) => Array.from({ length: keys_each }, () => each));
  const keys = ids.map(() => generateKey());
  await database.run(sql`
    insert into service_keys (id, org_id, user_id, name, permissions, networks, hint, key_hash, created_at, expires_at)
    select gen_random_uuid(), org_id, user_id, 'Bench', array['GET /orgs/me/jobs/{job_id}'], '{}', '', key_hash, now(), now() + interval '1 day'
    from unnest(${ids.map(({ org_id }) => org_id)}::uuid[], ${ids.map(({ user_id }) => user_id)}::uuid[], ${keys.map(hashToken)}::bytea[])
      as given (org_id, user_id, key_hash)`);
  return keys;
}

type User = Parameters<typeof signAccessToken>[1];

async function insertRows(database: Database, ids: readonly Ids[]): Promise<void> {
  const org_ids = ids.map(({ org_id }) => org_id);
  await database.run(sql`
    insert into organisations (id, name, created_at) select id, 'Bench Works', now() from unnest(${org_ids}::uuid[]) as id`);
  await database.run(sql`
    insert into users (id, email, password_hash, role, org_id, created_at, last_login, email_verified_at)
    select user_id, 'bench' || place || '@example.org', '', 'org_admin', org_id, now(), now(), now()
    from unnest(${ids.map(({ user_id }) => user_id)}::uuid[], ${org_ids}::uuid[]) with ordinality as given (user_id, org_id, place)`);
  await database.run(sql`
    insert into jobs (id, org_id, title, outcome_description, status, clearance_required, remote_policy, trait_priorities,
      salary_min, salary_max, salary_currency, created_at)
    select job_id, org_id, 'Nurse', 'Patients who are cared for, day and night.', 'active', 'baseline',
      'onsite', ${JSON.stringify({ exploratory_curiosity: 0.8, persistence: 0.5, accountability: 1 })}, 70000, 90000, 'AUD', now()
    from unnest(${ids.map(({ job_id }) => job_id)}::uuid[], ${org_ids}::uuid[]) as given (job_id, org_id)`);
  await database.run(
    sql`insert into job_titles (job_id, org_id, title) select id, org_id, title from jobs on conflict do nothing`,
  );
  await database.run(sql`
    insert into job_versions (job_id, version, org_id, trait_priorities, created_at)
    select id, version, org_id, trait_priorities, created_at from jobs on conflict do nothing`);
  const member_ids = ids.map(({ member_id }) => member_id);
  await database.run(sql`
    insert into members (id, display_name, current_industry, years_experience, education_level, location_country,
      location_state, created_at)
    select id, 'Bench Member', 'Health care', 7, 'bachelors', 'AU', 'NSW', now()
    from unnest(${member_ids}::uuid[]) as id`);
  await database.run(sql`
    insert into users (id, email, password_hash, role, member_id, created_at, last_login)
    select user_id, 'member' || place || '@example.org', '', 'member', member_id, now(), now()
    from unnest(${ids.map(({ member_user_id }) => member_user_id)}::uuid[], ${member_ids}::uuid[])
      with ordinality as given (user_id, member_id, place)`);
  await database.run(sql`analyze organisations, users, jobs, job_titles, members`);
}
