import { describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';

const app = await startApp();
const admin = await app.registerOrgAdmin();
const send = (csv: string, token: string | undefined = admin.token) =>
  app.request('POST', '/orgs/me/jobs/import/table', { ...(token && { token }), body: { csv } });
const readReasons = async (csv: string) => {
  const { status, body } = await send(csv);
  return [status, body.code, ...body.errors.map(({ reason }: { reason: string }) => reason)];
};

describe('a table of jobs', () => {
  it('becomes a draft for each row, compared with the job of its reference', async () => {
    const csv = `\uFEFFTitle;outcome_description;external_ref;remote_policy;location_countries;years_experience_min;education_level_min;salary_min;salary_currency
Ward nurse;"You keep calm in emergencies;
and work in a team.";ats-1;remote;AU, NZ;2;bachelors;78000;AUD

Clerk;You are reliable.;;;;;;;AUD
`;
    const { status, body } = await send(csv);
    expect([status, body.left_out, body.drafts.length]).toEqual([200, 0, 2]);
    expect(body.drafts[0]).toMatchObject({
      title: 'Ward nurse',
      outcome_description: 'You keep calm in emergencies;\nand work in a team.',
      external_ref: 'ats-1',
      remote_policy: 'remote',
      constraints: {
        location_countries: ['AU', 'NZ'],
        years_experience_min: 2,
        education_level_min: 'bachelors',
      },
      salary_min: 78_000,
      salary_currency: 'AUD',
      job: null,
    });
    expect(Object.keys(body.drafts[0].trait_priorities)).toContain('pressure_response');
    expect(body.drafts[1]).toMatchObject({ title: 'Clerk', external_ref: null, job: null });
    expect(body.drafts[1]).not.toHaveProperty('salary_currency');
    const { trait_priorities } = body.drafts[0];
    const job = { title: 'Nurse', outcome_description: 'Old.', external_ref: 'ats-1', trait_priorities };
    await app.request('POST', '/orgs/me/jobs', { token: admin.token, body: job });
    expect((await send(csv)).body.drafts[0].job).toMatchObject({
      status: 'active',
      current: { title: 'Nurse', remote_policy: 'hybrid', salary_min: null },
      posted: { title: 'Ward nurse', remote_policy: 'remote', salary_min: 78_000, salary_max: null },
    });
  });

  it('is refused as a whole, with the line and the column of every fault', async () => {
    const csv = `title,outcome_description,external_ref,occupation_code,remote_policy,location_countries,years_experience_min,education_level_min,salary_min,salary_max,salary_currency
Nurse,Care.,a,,,,,,,,
,,a,,,,,,,,
Nurse,Care.,b,nurse,office,Australia,-1,degree,9,3,
${'n'.repeat(201)},Care.,,,,,,,1.5,,aud,more
`;
    expect(await readReasons(csv)).toEqual([
      422,
      'table_faulty',
      'line 3, column title: must be filled in',
      'line 3, column outcome_description: must be filled in',
      'line 3, column external_ref: is that of line 2',
      'line 4, column occupation_code: must be an O*NET code such as 29-1141.00',
      'line 4, column remote_policy: must be one of onsite, hybrid, remote',
      'line 4, column location_countries: must be at most 50 codes of ISO 3166-1 with spaces between them, such as AU NZ',
      'line 4, column years_experience_min: must be a whole number from 0 to 80',
      expect.stringMatching(/^line 4, column education_level_min: must be one of none, secondary/),
      'line 4, column salary_max: must not be below salary_min',
      'line 4, column salary_currency: must be filled in with a salary',
      'line 5, column 12: has no name in the header',
      'line 5, column title: must have at most 200 characters, and no NUL',
      'line 5, column salary_min: must be a whole number from 0 to 1000000000',
      'line 5, column salary_currency: must be an ISO 4217 code such as AUD',
    ]);
    expect(await readReasons('name,title\nx,y\n')).toEqual([
      422,
      'table_faulty',
      expect.stringMatching(/^line 1, column name: is not one of title/),
      'line 1, column outcome_description: must be among the columns',
    ]);
  });

  it('is refused if it is no table, or too long', async () => {
    const header = 'title,outcome_description\n';
    for (const [csv, reason] of [
      [header, 'must have a header and at least one row'],
      [`${header}${'Nurse,Care.\n'.repeat(51)}`, 'must have at most 50 rows'],
      [`${header}"Nurse,Care.\n`, 'cannot be read after line 1'],
    ] as const)
      expect(await readReasons(csv)).toEqual([422, 'field_invalid', expect.stringContaining(reason)]);
    expect((await send('x'.repeat(200_001))).status).toBe(422);
  });

  it('is for administrators of an organisation', async () => {
    const csv = 'title,outcome_description\nNurse,Care.\n';
    expect((await send(csv, '')).status).toBe(401);
    expect((await send(csv, (await app.registerMember()).token)).body.code).toBe('role_not_allowed');
  });
});
