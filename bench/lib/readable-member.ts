import { randomBytes } from 'node:crypto';
import { formatMatchId, formatMatchIdFromHex, match_id_bytes } from '#lib/match-id.ts';
import { readConfig } from '#platform/config.ts';
import { sql, type Database } from '#platform/database/database.ts';
import { createSecrets, loadMasterKey } from '#platform/security/secrets.ts';
import type { CallerPair } from './callers.ts';

/** An administrator of an organisation, with the id by which it may read the member. */
export type Reader = CallerPair & { readonly alias: string };

/** Makes the member one who is measured and sells everything. */
export async function prepareMember(database: Database, member_id: string): Promise<void> {
  await database.run(sql`
    update members set assessment_phase = 'complete', email_verified = true, assessment_consented = true, matching_consented = true
    where id = ${member_id}`);
  const [mean, variance] = [0.4, 0.15].map((value) => Array<number>(20).fill(value));
  await database.run(sql`
    insert into trait_vectors (member_id, version, item_bank_version, provisional, vector, latent_mean, latent_variance, created_at)
    values (${member_id}, 1, 'bench', false, '{}', ${mean}, ${variance}, now())`);
  await database.run(sql`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), ${member_id}, consent_type, true, '1.0', now()
    from unnest(array['assessment_data', 'matching', 'identity_queries']) as consent_type`);
  await database.run(sql`
    insert into query_category_records (id, member_id, category, approved, created_at)
    select gen_random_uuid(), ${member_id}, category, true, now()
    from unnest(array['archetype', 'trait_profile', 'values_profile', 'alignment']) as category`);
}

/** Gives the member a match with the job of every caller, and quotes every organisation the price. */
export async function insertMatches(
  database: Database,
  dataDir: string,
  callers: readonly CallerPair[],
  member_id: string,
): Promise<readonly Reader[]> {
  const { masterKey } = readConfig({ TESSERA_DATA_DIR: dataDir });
  const secrets = createSecrets(await loadMasterKey(masterKey, dataDir));
  const { version } = await database.one(
    sql<{ version: number }>`select max(version) as version from job_versions`,
  );
  await database.run(sql`
    insert into matches (id, member_id, job_id, org_id, match_quality, confidence_level, match_status, version, computed_at, created_at)
    select id, ${member_id}, job_id, org_id, 'strong', 'high', 'pending_review', ${version}, now(), now()
    from unnest(${callers.map(({ job_id }) => formatMatchId(job_id, randomBytes(match_id_bytes)))}::uuid[],
      ${callers.map(({ job_id }) => job_id)}::uuid[], ${callers.map(({ org_id }) => org_id)}::uuid[]) as given (id, job_id, org_id)`);
  await database.run(sql`
    insert into read_quotes (member_id, org_id, data_type, price_micros, expires_at)
    select ${member_id}, org_id, 'trait_profile', 500000, now() + interval '1 day' from matches`);
  await database.run(
    sql`analyze members, matches, trait_vectors, consent_records, query_category_records, read_quotes`,
  );
  return callers.map((caller) => {
    const encryptId = secrets.createIdCipher('match-alias', `${caller.job_id} ${version}`);
    const alias = formatMatchIdFromHex(caller.job_id, encryptId(member_id.replaceAll('-', '')));
    return { ...caller, alias };
  });
}
