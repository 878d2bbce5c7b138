import type pg from 'pg';

/**
 * Adds members who can be matched, with one statement for each table. Their vectors have the numbers that matching reads, and no others, so nobody else
 * gets one: a member whose results are read needs a real measurement.
 */
export async function addMembers(client: pg.Client, count: number): Promise<void> {
  const { rows } = await client.query<{ count: string }>('select count(*) from members');
  const first = Number(rows[0]!.count);
  await client.query(
    `insert into members (id, display_name, assessment_phase, email_verified, assessment_consented, matching_consented,
       current_industry, years_experience, education_level, location_country, location_state, created_at)
     select gen_random_uuid(), 'Somebody', 'complete', true, true, true, 'health', place % 40, 'masters',
       'AU', 'NSW', now() from generate_series($1::integer, $2::integer) as place`,
    [first + 1, first + count],
  );
  const buildArrayExpression = (each: string) =>
    `array[${Array.from({ length: 20 }, () => each).join()}]::real[]`;
  await client.query(
    `insert into trait_vectors (member_id, version, item_bank_version, vector, latent_mean, latent_variance, created_at)
     select id, 1, 'bench', '{}', ${buildArrayExpression('random_normal(0, 0.92)')}, ${buildArrayExpression('0.1 + 0.06 * random()')}, now()
     from members where display_name = 'Somebody' and not exists (select from trait_vectors where member_id = members.id)`,
  );
  await client.query('vacuum analyze members');
  await client.query('vacuum analyze trait_vectors');
}
