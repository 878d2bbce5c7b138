import { randomUUID } from 'node:crypto';
import type { PoolConfig } from 'pg';
import { signAccessToken } from '../../src/modules/auth/access-token.ts';
import { systemClock } from '#platform/clock.ts';
import { configFrom } from '#platform/config.ts';
import { openDatabase, sql, type Database } from '#platform/database.ts';
import { openKeys } from '#platform/keys.ts';
import { loadMasterKey, secretsFrom } from '#platform/secrets.ts';

/** An organisation's administrator with a valid access token, and a job of the organisation. */
export type Person = {
  readonly user_id: string;
  readonly org_id: string;
  readonly job_id: string;
  readonly token: string;
};

/** Makes administrators in a running service's database, and signs their tokens with its keys: logging in would take 2,000 password checks. */
export async function populate(
  settings: PoolConfig,
  dataDir: string,
  publicUrl: string,
  count: number,
): Promise<readonly Person[]> {
  const database = openDatabase(settings, () => undefined);
  const config = configFrom({ TESSERA_DATA_DIR: dataDir, TESSERA_PUBLIC_URL: publicUrl });
  const keys = await openKeys(
    database,
    secretsFrom(await loadMasterKey(config.masterKey, dataDir)),
    systemClock,
  );
  const ids = Array.from({ length: count }, () => ({
    user_id: randomUUID(),
    org_id: randomUUID(),
    job_id: randomUUID(),
  }));
  await insertAll(database, ids);
  const people = await Promise.all(
    ids.map(async (each) => {
      const user = { id: each.user_id, role: 'org_admin', linked_entity_id: each.org_id } as const;
      const { access_token } = await signAccessToken(
        { config, keys, now: systemClock.now },
        user,
        randomUUID(),
      );
      return { ...each, token: access_token };
    }),
  );
  keys.close();
  await database.close();
  return people;
}

async function insertAll(database: Database, ids: readonly Omit<Person, 'token'>[]): Promise<void> {
  const org_ids = ids.map(({ org_id }) => org_id);
  await database.run(sql`
    insert into organisations (id, name, created_at) select id, 'Bench Works', now() from unnest(${org_ids}::uuid[]) as id`);
  await database.run(sql`
    insert into users (id, email, password_hash, role, org_id, created_at, last_login)
    select user_id, 'bench' || place || '@example.org', '', 'org_admin', org_id, now(), now()
    from unnest(${ids.map(({ user_id }) => user_id)}::uuid[], ${org_ids}::uuid[]) with ordinality as given (user_id, org_id, place)`);
  await database.run(sql`
    insert into jobs (id, external_id, org_id, title, outcome_description, status, clearance_required, remote_policy, trait_priorities,
      salary_min, salary_max, salary_currency, created_at)
    select job_id, 'JOB-' || lpad(place::text, 8, '0'), org_id, 'Nurse', 'Patients who are cared for, day and night.', 'active', 'baseline',
      'onsite', ${JSON.stringify({ exploratory_curiosity: 0.8, persistence: 0.5, accountability: 1 })}, 70000, 90000, 'AUD', now()
    from unnest(${ids.map(({ job_id }) => job_id)}::uuid[], ${org_ids}::uuid[]) with ordinality as given (job_id, org_id, place)`);
  await database.run(sql`analyze organisations, users, jobs`);
}
