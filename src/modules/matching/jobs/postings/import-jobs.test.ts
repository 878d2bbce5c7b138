import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { upsertTemplates } from '../templates/store.ts';

const app = await startApp();
const admin = await app.registerOrgAdmin();
const path = '/orgs/me/jobs/import';
const send = (body: object, token = admin.token) => app.request('POST', path, { token, body });
await app.platform.database.transaction((tx) =>
  upsertTemplates(tx, [
    {
      onet_code: '29-1141.00',
      title: 'Registered Nurses',
      description: 'Assess patients.',
      trait_priorities: { pressure_response: 0.9, empathic_attunement: 0.8 },
    },
  ]),
);

describe('making drafts of published jobs', () => {
  it('proposes priorities with their words, from which the job can be created, and stores nothing', async () => {
    const document =
      'Registered nurse\nYou keep calm in emergencies, work in a team, and listen to patients.';
    const { status, body } = await send({ document });
    expect(status).toBe(200);
    const [{ title, outcome_description, trait_priorities, reasons, occupation, finding }] = body.drafts;
    expect([finding, title, occupation.words, occupation.template.title]).toEqual([
      'proposed',
      'Registered nurse',
      'Registered nurse',
      'Registered Nurses',
    ]);
    expect(reasons[0]).toEqual({
      trait_name: 'pressure_response',
      words: ['calm', 'emergencies'],
      by_occupation: true,
    });
    expect((await app.sql.one(sql<{ jobs: number }>`select count(*)::int as jobs from jobs`)).jobs).toBe(0);
    const job = {
      title,
      outcome_description,
      trait_priorities,
      occupation_code: occupation.template.onet_code,
    };
    const created = await app.request('POST', '/orgs/me/jobs', { token: admin.token, body: job });
    expect([created.status, created.body.trait_priorities]).toEqual([201, trait_priorities]);
  });

  it('returns what a JobPosting says as the fields of a job', async () => {
    const posting = {
      '@type': 'JobPosting',
      title: 'Nurse',
      description: '<p>You are calm.</p><script>alert(1)</script>',
      jobLocationType: 'TELECOMMUTE',
      applicantLocationRequirements: { name: 'AU' },
    };
    const { body } = await send({ document: JSON.stringify([posting, posting]), format: 'job_posting' });
    expect(body.drafts).toHaveLength(2);
    expect(body.drafts[1]).toMatchObject({
      outcome_description: 'You are calm.',
      remote_policy: 'remote',
      constraints: { location_countries: ['AU'] },
      occupation: null,
    });
  });

  it('says that it reads English only', async () => {
    const document =
      'Pflegekraft\nWir suchen für die Klinik eine Person mit Integrity und Leadership, die mit uns arbeitet.';
    const { body } = await send({ document });
    expect(body.drafts).toMatchObject([{ finding: 'not_english', trait_priorities: {}, reasons: [] }]);
  });

  it('leaves out of a draft what could not be stored in a job', async () => {
    const posting = {
      '@type': 'JobPosting',
      title: 'Night\0nurse \ud800',
      description: '<p>Calm\0people\udc00</p>',
    };
    const { body } = await send({ document: JSON.stringify(posting) });
    expect(body.drafts).toMatchObject([
      { title: 'Night nurse \ufffd', outcome_description: 'Calm people\ufffd' },
    ]);
  });

  it('refuses a document without a job, an unknown format, and what is too long', async () => {
    const cases: readonly (readonly [object, number, string])[] = [
      [{ document: '<p>Nurse</p>', format: 'job_posting' }, 422, '/document'],
      [{ document: '<script>let a</script>' }, 422, '/document'],
      [{ document: ' ' }, 422, '/document'],
      [{}, 422, '/document'],
      [{ document: 'Nurse', format: 'csv' }, 422, '/format'],
      [{ document: 'a '.repeat(100_001) }, 422, '/document'],
      [{ document: 'Nurse', url: 'https://example.org' }, 422, '/url'],
    ];
    for (const [body, status, pointer] of cases) {
      const refused = await send(body);
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([status, pointer]);
    }
    const megabyte = await send({ document: 'calm '.repeat(210_000) });
    expect([megabyte.status, megabyte.body.code]).toEqual([413, 'body_too_large']);
  });

  it('is for administrators of an organisation', async () => {
    expect((await app.request('POST', path, { body: { document: 'Nurse' } })).status).toBe(401);
    const member = await app.registerMember();
    expect((await send({ document: 'Nurse' }, member.token)).body.code).toBe('role_not_allowed');
  });
});
