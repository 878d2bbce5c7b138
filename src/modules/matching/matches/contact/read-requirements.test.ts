import { beforeEach, expect, test } from 'vitest';
import { startApp, unknownId, type TestApp } from '#test/harness.ts';
import {
  fillSlots,
  forceMatchStatus,
  listStoredMatches,
  persistencePriorities,
  tierMeans,
} from '#test/modules/matching.ts';
import { sql } from '#platform/database/database.ts';

const constraints = {
  location_countries: ['AU', 'NZ'],
  years_experience_min: 5,
  education_level_min: 'bachelors',
};

let member: Awaited<ReturnType<TestApp['registerDeployedMember']>>;
let job_id: string;
let match_id: string;
const app = await startApp();
const org = await app.registerOrgAdmin();
beforeEach(async () => {
  member = await app.registerDeployedMember({ mean: fillSlots(tierMeans.strong) });
  const { body } = await app.request('POST', '/orgs/me/jobs', {
    token: org.token,
    body: {
      title: 'Archivist',
      outcome_description: 'The archive is in order.',
      trait_priorities: persistencePriorities,
      constraints,
    },
  });
  job_id = body.id;
  await app.drainQueue();
  match_id = (await listStoredMatches(app, job_id)).find((each) => each.member_id === member.member_id)!.id;
});

const readRequirements = (token = org.token, id = match_id) =>
  app.request('GET', `/matches/${id}/requirements`, { token });

const listMet = async () =>
  ((await readRequirements()).body.requirements as { requirement: string; met: boolean }[]).map(
    ({ requirement, met }) => [requirement, met],
  );

const changeYears = (years_experience_min: number) =>
  app.request('PATCH', `/orgs/me/jobs/${job_id}`, {
    token: org.token,
    body: { constraints: { ...constraints, years_experience_min } },
  });

test('an organisation reads which of the job’s requirements the member meets, and no value or other fact', async () => {
  const { status, body } = await readRequirements();
  expect([status, body.requirements]).toEqual([
    200,
    [
      {
        requirement: 'location_countries',
        asked: 'Lives in Australia or New Zealand.',
        met: true,
      },
      {
        requirement: 'years_experience_min',
        asked: 'Has at least 5 years of experience.',
        met: true,
      },
      {
        requirement: 'education_level_min',
        asked: 'Has a bachelor’s degree, or more.',
        met: true,
      },
    ],
  ]);
  // The member has 7 years of experience and lives in NSW; the job asked for neither.
  expect(JSON.stringify(body)).not.toMatch(/NSW|7 years|health/);
});

test('a requirement that the member no longer meets is reported as not met', async () => {
  await app.request('PUT', `/matches/${match_id}/status`, {
    token: org.token,
    body: { status: 'org_interested' },
  });
  await app.sql.run(sql`update members set years_experience = 4 where id = ${member.member_id}`);
  expect(await listMet()).toEqual([
    ['location_countries', true],
    ['years_experience_min', false],
    ['education_level_min', true],
  ]);
});

test('after the organisation has acted, changing the job does not reveal the value step by step', async () => {
  await app.request('PUT', `/matches/${match_id}/status`, {
    token: org.token,
    body: { status: 'org_interested' },
  });
  for (const years of [6, 8, 20]) {
    expect((await changeYears(years)).status).toBe(200);
    await app.request('PUT', `/matches/${match_id}/status`, {
      token: org.token,
      body: { status: 'org_interested' },
    });
    expect(await listMet()).toContainEqual(['years_experience_min', true]);
  }
});

test('once the match has ended or the member has withdrawn, nothing is reported', async () => {
  for (const status of ['org_passed', 'member_declined', 'closed', 'expired', 'withdrawn']) {
    await forceMatchStatus(app, match_id, status);
    expect([status, (await readRequirements()).body.code]).toEqual([status, 'match_ended']);
  }
  await forceMatchStatus(app, match_id, 'org_interested');
  await app.sql.run(sql`update members set matching_consented = false where id = ${member.member_id}`);
  expect((await readRequirements()).body.code).toBe('match_ended');
});

test('only the organisation of the match reads them', async () => {
  const other = await app.registerOrgAdmin();
  expect((await readRequirements(other.token)).body.code).toBe('match_not_found');
  expect((await readRequirements(org.token, unknownId)).body.code).toBe('match_not_found');
  expect((await readRequirements(member.token)).status).toBe(403);
});
