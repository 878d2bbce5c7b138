import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerAllItems } from '../assessment.ts';
import { unknownId, startApp, type TestReply } from '../harness.ts';
import { filledProfile, password } from '../users.ts';
import { proves } from '../requirements.ts';
import { importTemplates } from '#modules/matching/jobs';
import { findItem, isGraded } from '#modules/measurement/traits';

const sample = path.join(import.meta.dirname, '../../src/demo/onet-sample');

const app = await startApp();

/** One story: each step depends on the steps before. */
describe('the main job, over REST alone: an organisation and a member are matched, until the member withdraws', () => {
  const organisation = { email: 'jobs@harbour.example', token: '', jobs: [] as string[] };
  const member = { email: 'ada@members.example', token: '', id: '', match_id: '', wanted: [] as string[] };
  const createClient = (token: string) => ({
    get: (at: string) => app.request('GET', at, { token }),
    post: (at: string, body: object = {}) => app.request('POST', at, { token, body }),
    put: (at: string, body: object) => app.request('PUT', at, { token, body }),
  });

  /** Opens the link in the verification email. */
  const verifyEmail = async (address: string) => {
    await app.drainQueue();
    const mail = (await app.readMails()).find(({ to }) => to.includes(address));
    const token = /token=([\w-]+)/.exec(mail!.text)![1];
    expect((await app.request('POST', '/auth/verify-email', { body: { token } })).status).toBe(204);
  };

  it('the organisation registers, and is then logged in', async () => {
    proves('version-url-prefix-api-v1');
    const body = { email: organisation.email, password, name: 'Harbour Health', role: 'org_admin' };
    const registered = await app.request('POST', '/auth/register', { body });
    expect(registered.status).toBe(201);
    organisation.token = registered.body.access_token;
    const { status, body: own } = await createClient(organisation.token).get('/orgs/me');
    expect([status, own.name, own.tier]).toEqual([200, 'Harbour Health', 'E1 Explorer']);
  });

  it('the organisation sees no matches until its administrator has verified the email address', async () => {
    const refused = await createClient(organisation.token).get('/orgs/me/matches');
    expect([refused.status, refused.body.code]).toEqual([403, 'email_not_verified']);
    await verifyEmail(organisation.email);
    expect((await createClient(organisation.token).get('/orgs/me/matches')).status).toBe(200);
  });

  it('the organisation creates jobs from templates of occupations that the operator imported', async () => {
    const { imported } = await importTemplates(app.platform, { dir: sample });
    const { get, post } = createClient(organisation.token);
    const templates = await get('/job-templates?limit=3');
    expect(templates.body.pagination.total_count).toBe(imported);
    expect(templates.body.data).toHaveLength(Math.min(3, imported));
    for (const { title, description, trait_priorities } of templates.body.data) {
      const job = await post('/orgs/me/jobs', {
        title,
        outcome_description: description,
        trait_priorities,
        remote_policy: 'hybrid',
      });
      expect([job.status, job.body.status, job.body.trait_priorities]).toEqual([
        201,
        'active',
        trait_priorities,
      ]);
      organisation.jobs.push(job.body.id);
    }
    const [first] = templates.body.data;
    member.wanted = Object.keys(first.trait_priorities).filter((code) => first.trait_priorities[code] >= 0.5);
    const listed = await get('/orgs/me/jobs?status=active');
    expect(listed.body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      organisation.jobs.toSorted(),
    );
  });

  it('without members a job has no matches', async () => {
    await app.drainQueue();
    for (const job of organisation.jobs) expect(await readShortlist(job)).toEqual([]);
  });

  it('the member registers, and verifies the email address with the emailed link', async () => {
    const body = { email: member.email, password, name: 'Ada Lind' };
    const registered = await app.request('POST', '/auth/register', { body });
    expect([registered.status, registered.body.user.role, registered.body.verification_email_sent]).toEqual([
      201,
      'member',
      true,
    ]);
    member.token = registered.body.access_token;
    await expectLevel(1, ['email_verified', 'assessment_data_consented']);
    await verifyEmail(member.email);
    await expectLevel(1, ['assessment_data_consented']);
  });

  it('the member is measured only after consenting to it', async () => {
    proves('error-missing-consent-refused');
    const { get, post } = createClient(member.token);
    const refused = await post('/members/me/assessment');
    expect([refused.status, refused.body.code]).toEqual([403, 'consent_required']);
    expect(
      (
        await post('/members/me/consent', {
          consent_type: 'assessment_data',
          granted: true,
          version: '1.0',
        })
      ).status,
    ).toBe(201);
    await expectLevel(2, ['assessment_complete']);
    expect((await get('/members/me/traits')).status).toBe(404);
  });

  it('the member completes the adaptive assessment, and only the member sees the numbers', async () => {
    const done = await answerAllItems(app, member.token, (item) => chooseOption(item.item_id, member.wanted));
    expect([done.next_item, done.progress.percent]).toEqual([null, 100]);
    expect(done.progress.answered).toBeLessThanOrEqual(120);
    const traits = await createClient(member.token).get('/members/me/traits');
    expect(traits.body.traits).toHaveLength(18);
    expect(traits.body.categorical_traits).toHaveLength(2);
    const wanted = traits.body.traits.filter(({ trait_name }: { trait_name: string }) =>
      member.wanted.includes(trait_name),
    );
    for (const { score } of wanted) expect(score).toBeGreaterThan(0.5);
    await expectLevel(3, [
      'matching_consented',
      'current_industry_given',
      'years_experience_given',
      'education_level_given',
      'location_country_given',
    ]);
    expect((await createClient(organisation.token).get('/members/me/traits')).status).toBe(403);
  });

  it('matching needs engagement level 4, which the member reaches with consent to matching and a complete profile', async () => {
    proves('match-member-list-needs-engagement-level-4');
    const { get, post, put } = createClient(member.token);
    const refused = await get('/members/me/matches');
    expect([refused.status, refused.body.code]).toEqual([403, 'engagement_level_too_low']);
    await app.drainQueue();
    for (const job of organisation.jobs) expect(await readShortlist(job)).toEqual([]);
    await post('/members/me/consent', { consent_type: 'matching', granted: true, version: '1.0' });
    const { body } = await put('/members/me/profile', filledProfile);
    expect([body.engagement_level, body.assessment_phase, body.account_status]).toEqual([
      4,
      'complete',
      'active',
    ]);
    await expectLevel(4, []);
    member.id = body.id;
  });

  it('matches are computed in the background, and both sides see the same ones, as tiers and never as numbers', async () => {
    proves('match-computed-between-members-and-jobs', 'match-members-see-tier-labels-only');
    await app.drainQueue();
    const [wanted] = organisation.jobs as [string];
    const [match, ...more] = await readShortlist(wanted);
    expect(more).toEqual([]);
    expect(match).toEqual({
      id: expect.any(String),
      // An alias: the organisation does not know who this is before the member accepts.
      member_id: expect.not.stringContaining(member.id),
      member_name: null,
      job_id: wanted,
      org_id: expect.any(String),
      match_quality: expect.stringMatching(/^(exceptional|strong|moderate)$/),
      match_status: 'pending_review',
      provisional: true,
      computed_at: expect.any(String),
    });
    member.match_id = match!.id;
    const own = await createClient(member.token).get('/members/me/matches');
    expectNoNumbers(own.body.data);
    const seen = own.body.data.find(({ id }: { id: string }) => id === match!.id);
    expect([seen.match_tier, seen.status, seen.org_name]).toEqual([
      match!.match_quality,
      'pending_review',
      'Harbour Health',
    ]);
    const ofMine = (await Promise.all(organisation.jobs.map(readShortlist))).flat().map(({ id }) => id);
    expect(own.body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(ofMine.toSorted());
  });

  it('both parties read the match, and other users cannot find out that it exists', async () => {
    const strangers = [
      (await app.registerMember()).token,
      (await app.registerOrgAdmin()).token,
      (await app.registerPlatformAdmin()).token,
    ];
    for (const token of [member.token, organisation.token]) {
      const { status, body } = await createClient(token).get(`/matches/${member.match_id}`);
      expect([status, body.id]).toEqual([200, member.match_id]);
    }
    for (const token of strangers) {
      const selectContent = ({ status, body: { code, detail } }: TestReply) => [status, code, detail];
      expect(selectContent(await createClient(token).get(`/matches/${member.match_id}`))).toEqual(
        selectContent(await createClient(token).get(`/matches/${unknownId}`)),
      );
    }
  });

  it('the organisation starts a new computation, and can read when it is done', async () => {
    proves('match-async-task-state-queued', 'error-async-operations-answer-202');
    const { get, post } = createClient(organisation.token);
    const [wanted] = organisation.jobs as [string];
    const { status, body } = await post(`/orgs/me/jobs/${wanted}/recompute-matches`);
    expect([status, body.status]).toEqual([202, 'queued']);
    expect((await get(`/tasks/${body.task_id}`)).body.status).toBe('queued');
    await app.drainQueue();
    expect((await get(`/tasks/${body.task_id}`)).body.status).toBe('succeeded');
    expect((await readShortlist(wanted)).map(({ id }) => id)).toEqual([member.match_id]);
  });

  it('the member withdraws: the member no longer sees matches, and the organisation’s matches end', async () => {
    const { get, post } = createClient(member.token);
    await post('/members/me/consent', { consent_type: 'matching', granted: false, version: '1.0' });
    await expectLevel(3, ['matching_consented']);
    const refused = await get('/members/me/matches');
    expect([refused.status, refused.body.code]).toEqual([403, 'engagement_level_too_low']);
    await app.drainQueue();
    for (const job of organisation.jobs) {
      expect((await readShortlist(job)).filter(({ match_status }) => match_status !== 'withdrawn')).toEqual(
        [],
      );
      expect(
        (await createClient(organisation.token).get(`/orgs/me/jobs/${job}/matches?status=pending_review`))
          .body.data,
      ).toEqual([]);
    }
    expect((await get(`/matches/${member.match_id}`)).body.match_status).toBe('withdrawn');
  });

  it('a computation that starts meanwhile does not restore the member', async () => {
    const [wanted] = organisation.jobs as [string];
    await createClient(organisation.token).post(`/orgs/me/jobs/${wanted}/recompute-matches`);
    await app.drainQueue();
    expect((await readShortlist(wanted)).filter(({ match_status }) => match_status !== 'withdrawn')).toEqual(
      [],
    );
  });

  it('a member who consents again is matched again', async () => {
    const { get, post } = createClient(member.token);
    await post('/members/me/consent', { consent_type: 'matching', granted: true, version: '1.0' });
    await app.drainQueue();
    const { status, body } = await get('/members/me/matches?status=pending_review');
    expect(status).toBe(200);
    expect(body.data.length).toBeGreaterThan(0);
  });

  async function expectLevel(level: number, missing: readonly string[]): Promise<void> {
    const { body } = await createClient(member.token).get('/members/me/engagement');
    expect([body.engagement_level, body.missing.map(({ code }: { code: string }) => code)]).toEqual([
      level,
      missing,
    ]);
  }

  async function readShortlist(job: string): Promise<readonly Shortlisted[]> {
    const { status, body } = await createClient(organisation.token).get(
      `/orgs/me/jobs/${job}/matches?limit=100`,
    );
    expect(status).toBe(200);
    expectNoNumbers(body.data);
    return body.data;
  }
});

type Shortlisted = { readonly id: string; readonly match_status: string; readonly match_quality: string };

/** Chooses the option of a member who is high on these traits and in the middle of the others. */
function chooseOption(item_id: string, high: readonly string[]): number {
  const item = findItem(item_id);
  if (!item || !isGraded(item)) return 0;
  if (!high.includes(item.trait)) return 2;
  return item.reversed ? 0 : 4;
}

function expectNoNumbers(value: unknown): void {
  expect(typeof value).not.toBe('number');
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(expectNoNumbers);
}
