import { describe, expect, it } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { nurse } from '#test/modules/jobs.ts';
import { readPostings } from './read-postings.ts';

const app = await startApp();
const org = await app.registerOrgAdmin({ name: 'Harbour Health' });
const createJob = async (fields: object = {}): Promise<string> => {
  const body = { ...nurse, ...fields };
  return (await app.request('POST', '/orgs/me/jobs', { token: org.token, body })).body.id;
};
const exportJob = (job_id: string, token?: string) =>
  app.request('GET', `/orgs/me/jobs/${job_id}/posting`, token === undefined ? {} : { token });

/** What schema.org and search engines require of each JobPosting, as far as a job has it. */
const required = ['@context', '@type', 'title', 'description', 'datePosted', 'hiringOrganization'];

const terms = {
  outcome_description: 'You care for <b>people</b>.\nAt night.\n\nYou write & read.',
  remote_policy: 'remote',
  constraints: {
    location_countries: ['AU', 'NZ'],
    years_experience_min: 2,
    education_level_min: 'bachelors',
  },
  salary_min: 78_000,
  salary_max: 96_000,
  salary_currency: 'AUD',
  occupation_code: '29-1141.00',
};

describe('a job as a JobPosting', () => {
  it('says what the job says publicly, and is read again as the same job', async () => {
    const job_id = await createJob({
      ...terms,
      title: 'Ward nurse </script>',
      external_ref: 'secret-ref',
      metadata: { note: 'secret' },
    });
    const { status, headers, body } = await exportJob(job_id, org.token);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    expect([status, headers['content-type']]).toEqual([200, 'application/ld+json']);
    expect(headers['content-disposition']).toMatch(/attachment; filename="?JOB-[0-9A-Z]{8}\.jsonld/);
    const posting = JSON.parse(text);
    expect(Object.keys(posting)).toEqual(expect.arrayContaining(required));
    expect(posting).toMatchObject({
      description: '<p>You care for &lt;b&gt;people&lt;/b&gt;.<br>At night.</p><p>You write &amp; read.</p>',
      datePosted: app.clock.now().toISOString().slice(0, 10),
      identifier: { name: 'Harbour Health', value: expect.stringMatching(/^JOB-/) },
      hiringOrganization: { '@type': 'Organization', name: 'Harbour Health' },
      jobLocationType: 'TELECOMMUTE',
    });
    const { outcome_description, occupation_code, ...others } = terms;
    expect(readPostings(text, 'job_posting')).toEqual([
      {
        reference: posting.identifier.value,
        title: 'Ward nurse',
        text: outcome_description,
        fields: { ...others, occupation_code },
      },
    ]);
  });

  it('has no priority, no note of a program, and nothing that the job does not say', async () => {
    const nothing = { salary_min: null, salary_max: null, salary_currency: null, clearance_required: 'none' };
    const notes = { external_ref: 'secret-ref', metadata: { note: 'secret' } };
    const job_id = await createJob({ ...nothing, ...notes });
    const { body } = await exportJob(job_id, org.token);
    const posting = typeof body === 'string' ? JSON.parse(body) : body;
    expect(Object.keys(posting).toSorted()).toEqual([...required, 'identifier'].toSorted());
    const text = JSON.stringify(posting);
    for (const hidden of ['secret', ...Object.keys(nurse.trait_priorities)])
      expect(text).not.toContain(hidden);
  });

  it('names states with their country, a clearance, and a doctorate as the degree that search engines know', async () => {
    const job_id = await createJob({
      clearance_required: 'negative_vetting_1',
      constraints: {
        location_countries: ['AU'],
        location_states: ['NSW', 'VIC'],
        education_level_min: 'doctorate',
      },
    });
    const { body } = await exportJob(job_id, org.token);
    expect(typeof body === 'string' ? JSON.parse(body) : body).toMatchObject({
      securityClearanceRequirement: 'negative vetting 1',
      applicantLocationRequirements: [{ name: 'NSW, AU' }, { name: 'VIC, AU' }],
      educationRequirements: { credentialCategory: 'postgraduate degree' },
    });
  });

  it('is refused for a job that is not open, for others, and without a login', async () => {
    const job_id = await createJob();
    const [theirs, member] = [await app.registerOrgAdmin(), await app.registerMember()];
    expect((await exportJob(job_id)).status).toBe(401);
    expect((await exportJob(job_id, member.token)).body.code).toBe('role_not_allowed');
    expect((await exportJob(job_id, theirs.token)).body.code).toBe('job_not_found');
    expect((await exportJob(unknownId, org.token)).body.code).toBe('job_not_found');
    expect((await exportJob('nurse', org.token)).status).toBe(422);
    await app.request('DELETE', `/orgs/me/jobs/${job_id}`, { token: org.token });
    const closed = await exportJob(job_id, org.token);
    expect([closed.status, closed.body.code]).toEqual([409, 'job_closed']);
  });
});
