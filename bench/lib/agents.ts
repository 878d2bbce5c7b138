import { randomUUID } from 'node:crypto';
import type { PoolConfig } from 'pg';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase, sql } from '#platform/database/database.ts';
import { signJws } from '#platform/security/jws.ts';
import { openKeys } from '#platform/security/keys.ts';
import { createSecrets, loadMasterKey } from '#platform/security/secrets.ts';
import type { CallerPair } from './callers.ts';

const tool = 'read_profile';

/** Connects an agent of each member, which may read the profile, and signs its token. Consent pages for thousands would take minutes. */
export async function insertAgents(
  settings: PoolConfig,
  dataDir: string,
  publicUrl: string,
  callers: readonly CallerPair[],
): Promise<readonly string[]> {
  const database = openDatabase(settings, () => undefined);
  const config = readConfig({ TESSERA_DATA_DIR: dataDir, TESSERA_PUBLIC_URL: publicUrl });
  const secrets = createSecrets(await loadMasterKey(config.masterKey, dataDir));
  const keys = await openKeys(database, secrets, systemClock);
  const key = keys.selectActive('access_token', config.token.algorithm);
  const agents = callers.map(({ member_user_id }) => ({ user_id: member_user_id, gid: randomUUID() }));
  const user_ids = agents.map(({ user_id }) => user_id);
  await database.run(sql`
    insert into agent_grants (id, user_id, client_id, client_name, redirect_host, tools, refused_tools, spend_cap_micros,
      created_at, consented_at, expires_at)
    select id, user_id, 'bench', 'Bench', 'bench.example', ${[tool]}::text[], '{}', null, now(), now(), now() + interval '1 day'
    from unnest(${agents.map(({ gid }) => gid)}::uuid[], ${user_ids}::uuid[]) as given (id, user_id)`);
  await database.run(sql`analyze agent_grants`);
  const iat = Math.floor(Date.now() / 1000);
  const tokens = agents.map(({ user_id, gid }) =>
    signJws(
      key,
      { kid: key.kid, typ: 'at+jwt' },
      {
        iss: publicUrl,
        aud: `${publicUrl}/mcp`,
        sub: user_id,
        client_id: 'bench',
        gid,
        jti: randomUUID(),
        scope: `tool:${tool}`,
        iat,
        exp: iat + 600,
      },
    ),
  );
  keys.close();
  await database.close();
  return tokens;
}
