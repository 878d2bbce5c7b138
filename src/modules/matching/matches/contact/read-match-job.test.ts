import { beforeAll, expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { fillSlots, listStoredMatches, persistencePriorities, tierMeans } from '#test/modules/matching.ts';
import { sql } from '#platform/database/database.ts';

let match_id: string;
const app = await startApp();
const org = await app.registerOrgAdmin({ name: 'Harbour Health' });
const member = await app.registerDeployedMember({ mean: fillSlots(tierMeans.strong) });
beforeAll(async () => {
  const { body } = await app.request('POST', '/orgs/me/jobs', {
    token: org.token,
    body: {
      title: 'Night nurse',
      outcome_description: 'Patients sleep safely.',
      trait_priorities: persistencePriorities,
      constraints: { location_countries: ['AU'], location_states: ['NSW'], years_experience_min: 5 },
      remote_policy: 'onsite',
      salary_min: 80_000,
      salary_max: 95_000,
      salary_currency: 'AUD',
    },
  });
  await app.drainQueue();
  match_id = (await listStoredMatches(app, body.id)).find((each) => each.member_id === member.member_id)!.id;
});

const readJob = (token: string, id = match_id) => app.request('GET', `/matches/${id}/job`, { token });

test('a member reads what the job is, what it pays, where it is, and who offers it', async () => {
  const { status, body } = await readJob(member.token);
  expect([status, body]).toEqual([
    200,
    {
      match_id,
      open: true,
      title: 'Night nurse',
      description: 'Patients sleep safely.',
      salary_min: 80_000,
      salary_max: 95_000,
      salary_currency: 'AUD',
      place: { countries: ['AU'], states: ['NSW'] },
      remote_policy: 'onsite',
      organisation: { name: 'Harbour Health', industry: null, website: null, domain: null, culture: null },
      acceptance: {
        organisation_receives: ['display_name', 'email', 'note'],
        member_receives: ['name', 'contact_name', 'contact_email', 'note'],
        until: expect.stringContaining('withdraws'),
      },
    },
  ]);
});

test('the published culture profile appears in words, without a number', async () => {
  const braving = Object.fromEntries(
    ['boundaries', 'reliability', 'accountability', 'vault', 'integrity', 'nonjudgment', 'generosity'].map(
      (dimension) => [dimension, 0.7],
    ),
  );
  await app.sql.run(sql`
    insert into culture_profiles (org_id, version, questionnaire_version, respondents, braving, cvf, computed_at)
    values (${org.org_id}, 1, 'culture-2', 5, ${JSON.stringify(braving)}::jsonb,
      ${JSON.stringify({ clan: 0.2, adhocracy: 0.2, market: 0.2, hierarchy: 0.4 })}::jsonb, ${app.clock.now()})`);
  const { culture } = (await readJob(member.token)).body.organisation;
  expect(culture.values).toEqual(['Order and reliable processes count most here.']);
  expect(culture.trust).toHaveLength(7);
  expect(JSON.stringify(culture)).not.toMatch(/\d/);
});

test('only the member of the match reads it', async () => {
  const other = await app.registerMember();
  expect((await readJob(other.token)).body.code).toBe('match_not_found');
  expect((await readJob(member.token, unknownId)).body.code).toBe('match_not_found');
  expect((await readJob(org.token)).status).toBe(403);
});
