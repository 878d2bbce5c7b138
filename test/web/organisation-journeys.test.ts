import type { Browser, BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { importTemplates } from '#modules/matching/jobs';
import { traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { sql } from '#platform/database/database.ts';
import { findFreePort } from '#test/free-port.ts';
import { sampleDir } from '../../src/demo/load-jobs.ts';
import { createCertificate } from '@tessera/saml/testing';
import { cleanUpAfterFile } from '../clean-up.ts';
import { createColleague } from '../colleague.ts';
import { startApp, type TestApp } from '../harness.ts';
import { bravingDimensions } from '../../src/modules/organisations/culture/questionnaire.ts';
import { buildAnswers, createStaff, submitAnswers } from '../modules/culture.ts';
import {
  createJob,
  fillMeans,
  fillSlots,
  findStoredMatch,
  insertMembers,
  listStoredMatches,
  tierMeans,
} from '../modules/matching.ts';
import { measureGenders } from '../modules/impact.ts';
import { fillJobForm } from './fill-job-form.ts';
import { createEmail, password, type TestOrgUser } from '../users.ts';
import { canBrowse, openBrowser } from './open-browser.ts';
import { registerByPages } from './register.ts';
import { createVisitor, findForm, readText, type SeenPage, unescapeHtml, type Visitor } from './visitor.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  app = await startApp({ TESSERA_PUBLIC_URL: url, TESSERA_PORT: String(port) });
  await app.server.listen({ port, host: '127.0.0.1' });
  await importTemplates(app.platform, { dir: sampleDir });
});

async function logIn({ email }: { readonly email: string }): Promise<Visitor> {
  const visitor = createVisitor(app);
  const page = await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  expect(page.address).toBe('/app');
  return visitor;
}

async function readMailedLink(to: string, page: string): Promise<string> {
  await app.drainQueue();
  const texts = (await app.readMails()).filter((mail) => mail.to === to).map(({ text }) => text);
  const link = texts
    .join('\n')
    .match(new RegExp(`${page}\\?token=\\S+`, 'g'))
    ?.at(-1);
  if (link === undefined) throw new Error(`no link to ${page} was emailed to ${to}`);
  return link;
}

/** The address of a person's page in the list of people. */
function findPerson({ html }: SeenPage, email: string): string {
  const links = [...html.matchAll(/href="(\/app\/people\/[^"]+)"[^>]*>\s*<strong>([^<]*)</g)];
  const link = links.find(([, , name]) => name === email)?.[1];
  if (link === undefined) throw new Error(`${email} is not in the list`);
  return link;
}

const outcome = 'The archive is in order.';
const archivist = { title: 'Archivist', outcome_description: outcome, priority_persistence: '1' };

describe('what priorities do to groups', () => {
  const nursing = { ...archivist, priority_persistence: '0.4', priority_empathic_attunement: '0.8' };

  it('is shown before a job is saved; an alternative moves the sliders, and the log has what was chosen', async () => {
    const visitor = await logIn(await app.registerOrgAdmin());
    const editor = await visitor.open('/app/jobs/new');
    const alone = await visitor.send(editor, 'send', fillJobForm(editor, { ...nursing, choice: 'impact' }));
    expect(readText(alone)).toContain('Too few members have said what groups they belong to.');
    await measureGenders(app.platform.database, app.clock.now());

    const shown = await visitor.send(alone, 'send', fillJobForm(alone, { ...nursing, choice: 'impact' }));
    expect(readText(shown)).toMatch(/Gender Group .* Woman .* Highest rate Man .* Ratio below four fifths/);
    expect(readText(shown)).toContain('Changed As set Instead');
    expect(fillJobForm(shown, {})['priority_empathic_attunement']).toBe('0.8');
    const distance = /name="choice"\s+value="(farther|near)"/.exec(shown.html)![1]!;
    const taken = await visitor.send(shown, 'send', fillJobForm(shown, { choice: distance }));
    expect(readText(taken)).toContain('The sliders now stand at the other priorities.');
    expect(Number(fillJobForm(taken, {})['priority_empathic_attunement'])).toBeLessThan(0.8);
    // A form that is refused still knows what was shown.
    const refused = await visitor.send(
      taken,
      'send',
      fillJobForm(taken, { salary_min: '5', salary_max: '4' }),
    );
    expect(readText(refused)).toMatch(/must not be below/i);
    const job = await visitor.send(refused, 'send', fillJobForm(refused, { salary_max: '6' }));
    expect(job.address).toMatch(/^\/app\/jobs\/[0-9a-f-]{36}/);
    expect(readText(await visitor.open('/app/audit'))).toMatch(
      /Priorities chosen after a preview of their impact the (near|farther) alternative/,
    );
  });

  it('is shown for a job that exists; after a slider was moved, nothing that was shown counts as chosen', async () => {
    const admin = await app.registerOrgAdmin();
    const visitor = await logIn(admin);
    const id = await createJob(app, admin.token, { persistence: 0.4, empathic_attunement: 0.83 });
    const editor = await visitor.open(`/app/jobs/${id}/edit`);
    const shown = await visitor.send(editor, 'send', fillJobForm(editor, { choice: 'impact' }));
    expect(readText(shown)).toContain('What these priorities do to groups of people');
    const moved = fillJobForm(shown, { priority_persistence: '0.7' });
    expect((await visitor.send(shown, 'send', moved)).address).toContain('notice=jobSaved');
    const again = await visitor.open(`/app/jobs/${id}/edit`);
    const kept = await visitor.send(again, 'send', fillJobForm(again, { choice: 'impact' }));
    await visitor.send(kept, 'send', fillJobForm(kept, { title: 'Nurse' }));
    const details = await app.sql.list(sql<{ choice: string | null }>`
      select detail->>'choice' as choice from audit_log
      where action = 'jobs.updated' and detail->>'job_id' = ${id} order by choice nulls first`);
    expect(details.map(({ choice }) => choice)).toEqual([null, 'as_set']);
  });
});

describe('a new organisation', () => {
  it('goes from its registration to an accepted match and the contact, with pages alone', async () => {
    const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
    const { visitor, home } = await registerByPages(app, 'Harbour Health', '/register?for=organisation');
    expect(readText(home)).toMatch(/Create your first job .* Invite your colleagues/);

    const editor = await visitor.open('/app/jobs/new');
    const created = await visitor.send(editor, 'send', fillJobForm(editor, archivist));
    expect(created.address).toMatch(/^\/app\/jobs\/[0-9a-f-]+\?task=[0-9a-f-]+&notice=jobCreated$/);
    await app.drainQueue();
    const address = created.address.replace(/\?.*/, '');
    const list = await visitor.open(address);
    expect(readText(list)).toMatch(/Strong match .*Person [B-T]{5}/);
    for (const secret of [member.member_id, member.email]) expect(list.html).not.toContain(secret);

    const asked = await visitor.send(list, 'decide', { note: ' Come and see us. ' });
    expect(asked.address).toMatch(/\?decided=[0-9a-f-]+$/);
    expect(readText(await visitor.open(`${address}?status=org_interested`))).toContain('The answer is open.');
    const person = await logIn(member);
    const link = /href="(\/app\/matches\/[^"]+)"/.exec((await person.open('/app/matches')).html)?.[1];
    await person.send(await person.open(link!), 'accept', { note: 'After five, please.' });

    expect(readText(await visitor.open('/app'))).toContain('Somebody has accepted');
    const reached = await visitor.open(`${address}?status=member_accepted`);
    expect(reached.html).toMatch(/class="people">[\s\S]*>Test Person<\/a/);
    for (const shared of [member.email, 'After five, please.', 'Your note: Come and see us.'])
      expect(readText(reached)).toContain(shared);
    const ended = await visitor.send(reached, 'end');
    expect(ended.address).toContain('notice=contactEnded');
    expect((await visitor.open(`${address}?status=member_accepted`)).html).not.toContain(member.email);
  });

  it('a withdrawal of consent leaves the match among the ended ones of its member', async () => {
    const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
    const { token } = await app.registerOrgAdmin();
    const job_id = await createJob(app, token);
    await app.drainQueue();
    const { id } = await findStoredMatch(app, job_id, member.member_id);
    const body = { status: 'org_interested' };
    expect((await app.request('PUT', `/matches/${id}/status`, { token, body })).status).toBe(200);
    const person = await logIn(member);
    await person.send(await person.open('/app/consent/matching'), 'withdraw');
    await app.drainQueue();
    const page = await person.open('/app/matches');
    expect(readText(page)).toMatch(/Jobs can find you once .* Ended .* at Test Organisation .* Withdrawn\./);
    expect((await person.open(`/app/matches/${id}`)).status).toBe(200);
  });

  it('passes without a note, and a decision that came too late says so', async () => {
    await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
    const org = await app.registerOrgAdmin();
    const address = `/app/jobs/${await createJob(app, org.token)}`;
    await app.drainQueue();
    const visitor = await logIn(org);
    const list = await visitor.open(address);
    const { match_id } = findForm(list, 'decide').hidden;
    const passed = await visitor.send(list, 'decide', { choice: 'pass', note: 'never sent' });
    expect(readText(passed)).toMatch(/You have passed on Person [B-T]{5}\. Undo/);
    const other = await visitor.open('/app/account');
    const { token } = findForm(other, 'rename').hidden;
    const late = await visitor.send(list, 'decide', { token: token!, match_id: match_id! });
    expect([late.status, readText(late).includes('came first')]).toEqual([409, true]);
    expect(readText(await visitor.open(`${address}?status=org_passed`))).toContain('You have passed.');
  });
});

describe('undo', () => {
  async function openShortlist(people: number) {
    await insertMembers(
      app,
      Array.from({ length: people }, () => ({
        mean: fillMeans(tierMeans.strong),
        variance: fillSlots(0.15),
      })),
    );
    const org = await app.registerOrgAdmin();
    const job_id = await createJob(app, org.token);
    await app.drainQueue();
    const visitor = await logIn(org);
    return { job_id, visitor, address: `/app/jobs/${job_id}` };
  }

  const readStatuses = async (job_id: string) =>
    (await listStoredMatches(app, job_id)).map(({ match_status }) => match_status);

  const listEvents = (job_id: string) =>
    app.sql.list(sql`select from events where type like 'match.%' and data->>'job_id' = ${job_id}`);

  it('takes back a slip before anybody is informed, from the next page or from the list of those who were asked', async () => {
    const { job_id, visitor, address } = await openShortlist(2);
    const asked = await visitor.send(await visitor.open(address), 'decide');
    expect(readText(asked)).toMatch(/You are interested in Person [B-T]{5}\. .* Undo/);
    const back = await visitor.send(asked, 'takeBack');
    expect(readText(back)).toContain('The decision is taken back.');
    await visitor.send(await visitor.open(address), 'decide');
    await visitor.send(await visitor.open(`${address}?status=org_interested`), 'takeBack');
    await app.drainQueue();
    expect(await listEvents(job_id)).toEqual([]);
    expect(new Set(await readStatuses(job_id))).toEqual(new Set(['pending_review']));
  });

  it('a colleague with an old list learns that somebody was faster, and replaces nothing', async () => {
    const { job_id, visitor, address } = await openShortlist(2);
    const [list, table] = [await visitor.open(address), await visitor.open(`${address}/table`)];
    const asked = await visitor.send(list, 'decide');
    const { match_id } = findForm(asked, 'takeBack').hidden;
    for (const old of [list, table]) {
      const refused = await visitor.send(old, 'decide', { match_id: match_id!, choice: 'pass' });
      expect([refused.status, readText(refused).includes('came first')]).toEqual([409, true]);
    }
    const ticked = await visitor.send(table, 'decideOnAll', {
      [`chosen_${match_id}`]: 'pending_review',
      choice: 'pass',
    });
    expect(readText(ticked)).toContain('Some of these people stay as they were');
    expect(await readStatuses(job_id)).toContain('org_interested');
    // After the answer, an undo comes too late, says so, and changes nothing.
    await app.sql.run(sql`update matches set match_status = 'member_accepted' where id = ${match_id!}`);
    const undone = await visitor.send(asked, 'takeBack');
    expect([undone.status, readText(undone).includes('came first')]).toEqual([409, true]);
  });

  it('decides on everybody who is ticked, and takes all of it back at once', async () => {
    const { job_id, visitor, address } = await openShortlist(2);
    const list = await visitor.open(address);
    expect(readText(await visitor.send(list, 'decideOnAll'))).toContain('Tick the people');
    const ids = (await listStoredMatches(app, job_id)).map(({ id }) => id);
    const ticked = Object.fromEntries(ids.map((id) => [`chosen_${id}`, 'pending_review']));
    const passed = await visitor.send(await visitor.open(address), 'decideOnAll', {
      ...ticked,
      choice: 'pass',
    });
    expect(new Set(await readStatuses(job_id))).toEqual(new Set(['org_passed']));
    expect(readText(await visitor.send(passed, 'undo'))).toContain('The decision is taken back.');
    expect(new Set(await readStatuses(job_id))).toEqual(new Set(['pending_review']));
    const late = await visitor.send(await visitor.open(passed.address), 'undo');
    expect([late.status, readText(late)]).toEqual([404, expect.stringContaining('may have been undone')]);
  });
});

describe('a new job', () => {
  it('shows that people are being compared, and then the people, without a click', async () => {
    await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
    const org = await app.registerOrgAdmin();
    const visitor = await logIn(org);
    const editor = await visitor.open('/app/jobs/new');
    const created = await visitor.send(editor, 'send', fillJobForm(editor, archivist));
    expect(readText(created)).toContain('Everybody is being compared with this job.');
    expect(readText(created)).not.toContain('Nobody is waiting');
    expect(created.html).toContain('data-refresh-seconds');
    await app.drainQueue();
    const arrived = await visitor.open(created.address);
    expect(readText(arrived)).toMatch(/Everybody has been compared with this job\. .*Person [B-T]{5}/);
  });
});

/** The headings under which a form folds fields. */
function listFolds(page: string): readonly string[] {
  return [...page.matchAll(/<details class="folded-fields"[^>]*>\s*<summary>([^<]+)/g)].map(
    ([, heading]) => heading!,
  );
}

function listOpenFolds(page: string): readonly string[] {
  return [...page.matchAll(/<details class="folded-fields"\s+open[^>]*>\s*<summary>([^<]+)/g)].map(
    ([, heading]) => heading!,
  );
}

/** The five strongest priorities of an occupation. */
function selectStrongest(priorities: Readonly<Record<string, number>>) {
  const strongest = Object.entries(priorities).toSorted(([, one], [, other]) => other - one);
  return Object.fromEntries(strongest.slice(0, 5));
}

describe('the editor of jobs', () => {
  it('folds what is not needed to begin, and opens what is set or refused', async () => {
    const visitor = await logIn(await app.registerOrgAdmin());
    const editor = await visitor.open('/app/jobs/new');
    expect(listFolds(editor.html)).toEqual([
      'Adapting',
      'Thinking',
      'Working with people',
      'Drive',
      'Integrity and trust',
      'Conditions',
      'What you offer',
    ]);
    expect(listOpenFolds(editor.html)).toEqual([]);
    const entered = { ...archivist, location_countries: 'Atlantis' };
    const refused = await visitor.send(editor, 'send', fillJobForm(editor, entered));
    expect(listOpenFolds(refused.html)).toEqual(['Conditions']);
    expect(refused.html).toMatch(/What this job asks for.*name="priority_persistence".*Adapting/s);
    expect(fillJobForm(refused, {})).toMatchObject(entered);
  });

  it('starts from an occupation with its source, and keeps the exact priorities of sliders that nobody moved', async () => {
    const org = await app.registerOrgAdmin();
    const visitor = await logIn(org);
    const found = await visitor.open('/app/jobs/new?occupation=care');
    const link = unescapeHtml(
      /href="(\/app\/jobs\/new\?occupation=care[^"]*template=[^"]+)"/.exec(found.html)![1]!,
    );
    const editor = await visitor.open(link);
    expect(readText(editor)).toContain('O*NET database');
    expect(readText(editor)).toMatch(/Occupation: important/);
    const created = await visitor.send(editor, 'send', fillJobForm(editor, { outcome_description: outcome }));
    const id = /jobs\/([0-9a-f-]+)/.exec(created.address)![1]!;
    const templates = await app.request('GET', '/job-templates?query=care', { token: org.token });
    const [template] = templates.body.data;
    const job = (await app.request('GET', `/orgs/me/jobs/${id}`, { token: org.token })).body;
    expect([job.title, job.trait_priorities]).toEqual([
      template.title,
      selectStrongest(template.trait_priorities),
    ]);

    const edit = await visitor.open(`/app/jobs/${id}/edit`);
    await visitor.send(edit, 'send', fillJobForm(edit, { title: 'Care coordinator' }));
    const renamed = (await app.request('GET', `/orgs/me/jobs/${id}`, { token: org.token })).body;
    expect(renamed).toEqual({ ...job, title: 'Care coordinator' });
    const limits = await app.request('GET', '/orgs/me/jobs/limits', { token: org.token });
    expect(limits.body.daily_changes.used).toBe(0);
  });

  it('takes over an occupation when a job is changed: its priorities and its code, and a later change keeps both', async () => {
    const org = await app.registerOrgAdmin();
    const visitor = await logIn(org);
    const id = await createJob(app, org.token);
    const readJob = async () => (await app.request('GET', `/orgs/me/jobs/${id}`, { token: org.token })).body;
    expect((await readJob()).occupation_code).toBeNull();
    const [template] = (await app.request('GET', '/job-templates?query=care', { token: org.token })).body
      .data;
    const address = `/app/jobs/${id}/edit?occupation=care&template=${template.onet_code}`;
    const compared = await visitor.open(address);
    await visitor.send(compared, 'send', fillJobForm(compared, {}));
    expect((await readJob()).occupation_code).toBeNull();
    const taken = await visitor.open(`${address}&use=true`);
    await visitor.send(taken, 'send', fillJobForm(taken, {}));
    const job = await readJob();
    expect([job.occupation_code, job.trait_priorities]).toEqual([
      template.onet_code,
      selectStrongest(template.trait_priorities),
    ]);
    const edit = await visitor.open(`/app/jobs/${id}/edit`);
    await visitor.send(edit, 'send', fillJobForm(edit, { title: 'Care coordinator' }));
    expect(await readJob()).toEqual({ ...job, title: 'Care coordinator' });
  });

  it('takes conditions in words, and comes back filled in with a reason beside each field', async () => {
    const org = await app.registerOrgAdmin();
    const visitor = await logIn(org);
    const editor = await visitor.open('/app/jobs/new');
    const fields = fillJobForm(editor, {
      ...archivist,
      location_countries: 'Atlantis',
      years_experience_min: '3',
    });
    const unknown = await visitor.send(editor, 'send', fields);
    expect([unknown.status, readText(unknown).includes('“Atlantis” is not the name of a country')]).toEqual([
      422,
      true,
    ]);
    expect(unknown.html).toContain('value="Atlantis"');
    expect(unknown.html).toMatch(/name="location_countries"\s+autofocus\s+aria-invalid="true"/);
    const tooMany = await visitor.send(unknown, 'send', {
      ...fields,
      location_countries: 'australia, New Zealand',
      location_states: 'nsw',
      years_experience_min: 'three',
      salary_min: '80000',
      salary_currency: '',
    });
    expect(tooMany.status).toBe(422);
    expect(tooMany.html).toContain('id="send-years_experience_min-error"');
    const nothing = await visitor.send(tooMany, 'send', {
      ...fields,
      location_countries: '',
      priority_persistence: '0',
    });
    expect(readText(nothing)).toContain('Move at least one slider');
    const good = await visitor.send(nothing, 'send', {
      ...fields,
      location_countries: 'australia',
      location_states: 'new south wales; vic',
      education_level_min: 'diploma',
      salary_min: '80000',
      salary_currency: 'aud',
    });
    const id = /jobs\/([0-9a-f-]+)/.exec(good.address)![1]!;
    const { body } = await app.request('GET', `/orgs/me/jobs/${id}`, { token: org.token });
    expect(body).toMatchObject({
      constraints: {
        location_countries: ['AU'],
        location_states: ['NSW', 'VIC'],
        years_experience_min: 3,
        education_level_min: 'diploma',
      },
      salary_min: 80_000,
      salary_max: null,
      salary_currency: 'AUD',
    });
    const page = await visitor.open(good.address);
    expect(readText(page)).toContain('New South Wales or Victoria, Australia');
    expect(readText(page)).toContain('no trait has more than 40 %');
  });

  it('says how many people a job reaches without creating it, and refuses to overwrite what another has changed', async () => {
    const org = await app.registerOrgAdmin();
    const visitor = await logIn(org);
    const editor = await visitor.open('/app/jobs/new');
    const first = await visitor.send(editor, 'send', { ...fillJobForm(editor, archivist), choice: 'reach' });
    expect(first.status).toBe(200);
    await app.drainQueue();
    const asked = await visitor.send(first, 'send', { ...fillJobForm(first, {}), choice: 'reach' });
    expect(readText(asked)).toMatch(
      /Fewer than 20 people meet these conditions|Between [\d,]+ and [\d,]+ people/,
    );
    expect(asked.html).toContain('value="Archivist"');
    expect((await app.request('GET', '/orgs/me/jobs', { token: org.token })).body.data).toEqual([]);

    const id = await createJob(app, org.token);
    const edit = await visitor.open(`/app/jobs/${id}/edit`);
    const body = { title: 'Changed meanwhile' };
    await app.request('PATCH', `/orgs/me/jobs/${id}`, { token: org.token, body });
    const stale = await visitor.send(edit, 'send', fillJobForm(edit, { title: 'Mine' }));
    expect([stale.status, readText(stale).includes('has changed this in the meantime')]).toEqual([412, true]);
    const reach = await visitor.send(edit, 'send', fillJobForm(edit, { choice: 'reach' }));
    expect((await visitor.send(reach, 'send', fillJobForm(reach, {}))).status).toBe(412);
    expect((await visitor.send(stale, 'send', fillJobForm(stale, {}))).address).toContain('jobSaved');
    expect((await app.request('GET', `/orgs/me/jobs/${id}`, { token: org.token })).body.title).toBe('Mine');
  });

  it('of two users who save the same job at the same time, one is refused', async () => {
    const org = await app.registerOrgAdmin();
    const visitor = await logIn(org);
    const edit = await visitor.open(`/app/jobs/${await createJob(app, org.token)}/edit`);
    const replies = await Promise.all(
      ['One', 'Other'].map((title) => visitor.send(edit, 'send', fillJobForm(edit, { title }))),
    );
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 412]);
  });

  it('closes a job after its consequences, opens it again, follows it and compares everybody again', async () => {
    await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
    const org = await app.registerOrgAdmin();
    const id = await createJob(app, org.token);
    await app.drainQueue();
    const visitor = await logIn(org);
    const page = await visitor.open(`/app/jobs/${id}`);
    expect((await visitor.send(page, 'unfollow')).html).toContain('You are not emailed about this job.');
    const running = await visitor.send(await visitor.open(`/app/jobs/${id}`), 'recompute');
    expect(running.html).toContain('data-refresh-seconds="3"');
    await app.drainQueue();
    expect(readText(await visitor.open(running.address))).toContain('Everybody has been compared');
    expect((await visitor.open(`/app/jobs/${id}?task=nonsense`)).status).toBe(200);

    const asked = await visitor.open(`/app/jobs/${id}/close`);
    expect(readText(asked)).toMatch(/To review: \d+\. They leave the shortlist\./);
    expect((await visitor.send(asked, 'send')).address).toBe('/app/jobs?notice=jobClosed');
    expect(readText(await visitor.open('/app/jobs?status=closed'))).toContain('Archivist');
    const edit = await visitor.open(`/app/jobs/${id}/edit`);
    await visitor.send(edit, 'send', fillJobForm(edit, { status: 'active' }));
    expect(readText(await visitor.open('/app/jobs'))).toContain('Archivist');
  });
});

describe('what each role and each organisation may do', () => {
  it('shows a viewer and an auditor what the API permits them, and who can help with the rest', async () => {
    const { org_id, token } = await app.registerOrgAdmin();
    const job = await createJob(app, token);
    const pages = {
      '/app/jobs/new': ['administrators', 'administrators'],
      [`/app/jobs/${job}/edit`]: ['administrators', 'administrators'],
      [`/app/jobs/${job}/close`]: ['administrators', 'administrators'],
      '/app/people': ['administrators and auditors', 'Who acts for'],
      [`/app/people/${job}`]: ['administrators', 'administrators'],
      '/app/sso': ['administrators and auditors', 'Comes with a higher tier'],
      '/app/audit': ['administrators and auditors', 'Who did what'],
      '/app/organisation': ['Not given', 'Not given'],
      '/app/culture': ['Your answers are missing', 'Your answers are missing'],
      '/app/jobs': ['Archivist', 'Archivist'],
    };
    for (const [index, role] of (['org_viewer', 'auditor'] as const).entries()) {
      const visitor = await logIn(await createColleague(app, org_id, role));
      for (const [address, words] of Object.entries(pages)) {
        const page = await visitor.open(address);
        expect([role, address, page.status]).toEqual([role, address, 200]);
        expect(readText(page)).toContain(words[index]);
        expect(page.html).not.toMatch(/name="action" value="(?:send|invite|decide|recompute)"/);
      }
    }
  });

  it('knows nothing of another organisation', async () => {
    const org = await app.registerOrgAdmin();
    const job = await createJob(app, org.token);
    const stranger = await app.registerOrgAdmin();
    const visitor = await logIn(stranger);
    for (const address of [
      `/app/jobs/${job}`,
      `/app/jobs/${job}/edit`,
      `/app/jobs/${job}/close`,
      `/app/people/${org.user_id}`,
      '/app/jobs/nonsense',
    ]) {
      const { status } = await visitor.open(address);
      expect([address, status]).toEqual([address, 404]);
    }
  });
});

describe('the people of an organisation', () => {
  it('are invited, get the email again, join, change their role and are removed', async () => {
    const org = await app.registerOrgAdmin();
    const visitor = await logIn(org);
    const people = await visitor.open('/app/people');
    const invited = createEmail();
    const wrong = await visitor.send(people, 'invite', { email: 'nonsense', role: 'org_viewer' });
    expect([wrong.status, wrong.html.includes('id="invite-email-error"')]).toEqual([422, true]);
    const sent = await visitor.send(wrong, 'invite', { email: invited, role: 'org_viewer' });
    expect(readText(sent)).toMatch(/The invitation is on its way\..*Invited as viewer/);
    const link = findPerson(sent, invited);
    const early = await visitor.send(await visitor.open(link), 'resend');
    expect(early.status).toBe(429);
    app.clock.advance(11 * 60_000);
    expect((await visitor.send(await visitor.open(link), 'resend')).address).toContain('notice=invited');

    const colleague = createVisitor(app);
    const joined = await colleague.send(
      await colleague.open(await readMailedLink(invited, '/accept-invitation')),
      'send',
      { password },
    );
    expect(joined.address).toBe('/app');
    const { id } = await app.sql.one(sql<{ id: string }>`select id from users where email = ${invited}`);
    // Changes of roles need a recent authentication.
    app.clock.advance(16 * 60_000);
    const asked = await visitor.open(`/app/people/${id}`);
    expect(asked.address).toContain('/app/account/confirm?continue=');
    const person = await visitor.send(asked, 'send', { password });
    const changed = await visitor.send(person, 'role', { role: 'auditor' });
    expect(readText(changed)).toContain('The role is changed.');
    expect((await colleague.open('/app')).address).toMatch(/^\/sign-in/);
    const removed = await visitor.send(await visitor.open(`/app/people/${id}`), 'remove');
    expect(readText(removed)).not.toContain(invited);
  });

  it('can be cancelled before they join', async () => {
    const visitor = await logIn(await app.registerOrgAdmin());
    const invited = createEmail();
    const sent = await visitor.send(await visitor.open('/app/people'), 'invite', {
      email: invited,
      role: 'auditor',
    });
    const link = findPerson(sent, invited);
    const cancelled = await visitor.send(await visitor.open(link), 'cancel');
    expect(cancelled.address).toBe('/app/people?notice=invitationCancelled');
    expect(readText(cancelled)).not.toContain(invited);
  });

  it('keep an administrator: the only one hands over first, and then may leave', async () => {
    const org = await app.registerOrgAdmin();
    const visitor = await logIn(org);
    const own = `/app/people/${org.user_id}`;
    expect(readText(await visitor.open(own))).toContain('Nobody else is active here yet.');
    const colleague = await createColleague(app, org.org_id, 'org_viewer');
    expect((await visitor.open(own)).html).toContain(`href="/app/people/${colleague.user_id}"`);
    const leave = await visitor.open('/app/organisation/leave');
    const refused = await visitor.send(leave, 'send');
    expect([refused.status, readText(refused).includes('needs an administrator')]).toEqual([409, true]);
    await visitor.send(await visitor.open(`/app/people/${colleague.user_id}`), 'role', { role: 'org_admin' });
    const stepped = await visitor.send(await visitor.open(own), 'role', { role: 'org_viewer' });
    expect(stepped.address).toBe('/sign-in?notice=ownRoleChanged');
    const viewer = await logIn(org);
    const gone = await viewer.send(await viewer.open('/app/organisation/leave'), 'send');
    expect(gone.address).toBe('/sign-in?notice=leftOrganisation');
  });
});

describe('the culture of an organisation', () => {
  const { braving, cvf } = buildAnswers(4);
  const fields: Readonly<Record<string, string>> = Object.fromEntries([
    ...Object.entries(braving).map(([id, option]) => [`item_${id}`, String(option)] as const),
    ...Object.entries(cvf).flatMap(([block, order]) =>
      order.map((id, place) => [`rank_${block}_${id}`, String(place + 1)] as const),
    ),
  ]);
  const listFields = ({ html }: { readonly html: string }) => [
    ...new Set([...html.matchAll(/name="((?:item|rank)_\w+)"/g)].map(([, name]) => name!)),
  ];

  it('is published once five have answered, in steps that are saved and continued on another device', async () => {
    const { admin, users } = await createStaff(app);
    for (const { token } of users.slice(1)) await submitAnswers(app, token, buildAnswers(3));
    const visitor = await logIn(admin);
    expect(readText(await visitor.open('/app/culture'))).toContain('One more person must answer');
    let page = await visitor.open('/app/culture/questionnaire');
    expect(readText(page)).toContain('Step 1 of 10');
    const [first, second] = listFields(page);
    const refused = await visitor.send(page, 'save', { ...fields, [first!]: '' });
    expect(refused.status).toBe(422);
    expect(readText(refused)).toMatch(/One answer is missing\..*Choose one of the five\./);
    expect(refused.html).toMatch(new RegExp(`name="${second}"\\s+value="${fields[second!]}"\\s+checked`));
    // The other three answers of the step are saved, and the questionnaire goes on there.
    const device = await logIn(admin);
    page = await device.open('/app/culture/questionnaire');
    expect(page.html).toMatch(new RegExp(`name="${second}"\\s+value="${fields[second!]}"\\s+checked`));
    for (let step = 2; step <= 10; step += 1) {
      page = await device.send(page, 'save', fields);
      expect(page.address).toBe(`/app/culture/questionnaire?step=${step}`);
    }
    const unclear = await device.send(page, 'save', { ...fields, rank_respect_a: '2' });
    expect(readText(unclear)).toContain('Give each ending a place of its own');
    expect(readText(await visitor.open('/app/culture'))).toMatch(/You have begun.*deleted on/);
    const done = await device.send(unclear, 'save', fields);
    expect(done.address).toBe('/app/culture?notice=questionnaireAnswered');
    expect(readText(done)).toMatch(/Answers of 5 people.*Boundaries.*\d+ %.*Community.*\d+ %/);
    expect(done.html).not.toContain('style=');
  });

  it('loses no step that was left out, and deletes what is saved on request', async () => {
    const visitor = await logIn(await app.registerOrgAdmin());
    const last = await visitor.open('/app/culture/questionnaire?step=10');
    const sent = await visitor.send(last, 'save', fields);
    expect(sent.address).toBe('/app/culture/questionnaire?step=1&notice=answersMissing');
    // What the script sends after each answer needs no complete step.
    const kept = await visitor.send(sent, 'save', { action: 'keep', [listFields(sent)[0]!]: '3' });
    expect(kept.html).toMatch(/value="3"\s+checked/);
    const gone = await visitor.send(kept, 'discard', {});
    expect(readText(gone)).toContain('Your unsent answers are deleted.');
    expect((await visitor.open('/app/culture/questionnaire')).html).not.toContain('checked');
  });

  it('is declared by fewer than five people, and marked as such', async () => {
    const visitor = await logIn(await app.registerOrgAdmin());
    expect(readText(await visitor.open('/app/culture'))).toContain('Declare it together');
    const page = await visitor.open('/app/culture/declaration');
    const steps = Object.fromEntries(bravingDimensions.map((name) => [name, '3']));
    const places = { place_1: 'clan', place_2: 'clan', place_3: 'market', place_4: 'hierarchy' };
    const refused = await visitor.send(page, 'send', { ...steps, vault: '', ...places });
    expect([refused.status, refused.html.match(/class="error"/g)?.length]).toEqual([422, 2]);
    const done = await visitor.send(refused, 'send', { ...steps, ...places, place_2: 'adhocracy' });
    expect(readText(done)).toMatch(/Your declaration is published\..*Declared by your organisation on/);
    expect(readText(done)).not.toContain('Answers of');
    expect(readText(await visitor.open('/app/culture/declaration'))).toContain(
      'You can declare it again from',
    );
  });
});

describe('single sign-on', () => {
  let org: TestOrgUser;
  beforeAll(async () => {
    org = await app.registerOrgAdmin();
    await app.sql.run(sql`update organisations set tier = 'E3 Operator' where id = ${org.org_id}`);
  });
  const rest = {
    email_domains: 'harbour.example harbour-health.org',
    attribute_email: 'email',
    default_role: 'org_viewer',
    enabled: 'true',
  };

  it('is set up by hand or by XML, shows the record of each domain, and links to a test that comes back', async () => {
    const visitor = await logIn(org);
    const page = await visitor.open('/app/sso?by=fields');
    expect(readText(page)).toContain(`/api/v1/auth/sso/${org.org_id}/acs`);
    const { certificate } = createCertificate();
    const provider = {
      idp_entity_id: 'https://idp.example/saml',
      idp_sso_url: 'https://idp.example/saml/login',
    };
    const wrong = await visitor.send(page, 'send', { ...rest, ...provider, idp_certificates: 'nonsense' });
    expect([wrong.status, wrong.html.includes('id="send-idp_certificates-error"')]).toEqual([422, true]);
    expect(wrong.html).toContain('value="https://idp.example/saml/login"');
    const saved = await visitor.send(wrong, 'send', { ...rest, ...provider, idp_certificates: certificate });
    expect(saved.address).toBe('/app/sso?notice=ssoSaved');
    expect(readText(saved)).toMatch(/harbour-health\.org Not verified .* tessera-verification=/);
    const test = unescapeHtml(/href="([^"]+relay_state=[^"]+)"/.exec(saved.html)![1]!);
    const started = await app.server.inject({ url: test.replace(url, '') });
    expect([started.statusCode, started.headers.location]).toEqual([
      302,
      expect.stringMatching(/^https:\/\/idp\.example\/saml\/login\?SAMLRequest=.*RelayState=%2Fapp%2Fsso/),
    ]);
    expect(readText(await visitor.open('/app/sso?notice=ssoTested'))).toContain('The test worked');

    const unproven = await visitor.send(saved, 'verify', { domain: 'harbour-health.org' });
    expect([unproven.status >= 409, unproven.html.includes('role="alert"')]).toEqual([true, true]);
    const xml = await visitor.open('/app/sso?by=xml');
    const broken = await visitor.send(xml, 'send', { ...rest, idp_metadata_xml: '<nothing/>' });
    expect([broken.status, broken.html.includes('&lt;nothing/&gt;')]).toEqual([422, true]);
  });

  it('is set up by an address only if that address may be asked', async () => {
    const visitor = await logIn(org);
    const page = await visitor.open('/app/sso?by=url');
    const refused = await visitor.send(page, 'send', {
      ...rest,
      idp_metadata_url: 'http://127.0.0.1/metadata',
    });
    expect([refused.status, refused.html.includes('id="send-idp_metadata_url-error"')]).toEqual([422, true]);
  });
});

describe('the audit log and the profile', () => {
  it('show who did what, by action, person and day, page by page', async () => {
    const org = await app.registerOrgAdmin();
    const visitor = await logIn(org);
    const job = await createJob(app, org.token);
    const { title } = (await app.request('GET', '/orgs/me/jobs', { token: org.token })).body.data[0];
    expect(title).toBe('Archivist');
    const created = await visitor.open('/app/audit?action=jobs.created');
    expect(readText(created)).toContain('A job was created');
    expect(readText(created)).toContain(org.email);
    const today = app.clock.now().toISOString().slice(0, 10);
    const day = await visitor.open(`/app/audit?since=${today}&until=${today}&actor=${org.user_id}`);
    expect(readText(day)).toContain('A job was created');
    const before = await visitor.open('/app/audit?until=2020-01-01');
    expect(readText(before)).toContain('No entry matches this filter.');
    const ever = await visitor.open('/app/audit?until=9999-12-31');
    expect([ever.status, readText(ever).includes('A job was created')]).toEqual([200, true]);
    const odd = await visitor.open('/app/audit?action=%27&since=yesterday&until=9999-99-99&actor=x');
    expect([odd.status, readText(odd).includes('A job was created')]).toEqual([200, true]);
    expect(created.html).toContain('href="/app/audit/head" download');
    const head = await visitor.open('/app/audit/head');
    expect(JSON.parse(head.html)).toMatchObject({ org_id: org.org_id, statement: expect.any(String) });
    const body = { title: 'Head archivist' };
    await app.request('PATCH', `/orgs/me/jobs/${job}`, { token: org.token, body });
    const changed = await visitor.open('/app/audit?action=jobs.updated');
    expect(readText(changed)).toContain('What changed title');
    for (let each = 0; each < 60; each++)
      await app.sql.run(sql`
        insert into audit_log (id, action, org_id, detail, created_at)
        select gen_random_uuid(), 'orgs.profile_updated', ${org.org_id}, '{}', ${app.clock.now()}`);
    const first = await visitor.open('/app/audit?action=orgs.profile_updated');
    const older = unescapeHtml(/href="(\/app\/audit\?[^"]*cursor=[^"]+)"/.exec(first.html)![1]!);
    const second = await visitor.open(older);
    expect([first, second].map(({ html }) => html.match(/<strong>The profile/g)?.length)).toEqual([50, 10]);
    expect(second.html).toContain('Back to the newest');
  });

  it('change the profile, and name each field that is wrong', async () => {
    const org = await app.registerOrgAdmin({ name: 'Harbour' });
    const visitor = await logIn(org);
    const page = await visitor.open('/app/organisation');
    expect(readText(page)).toMatch(/E1 Explorer.*0 of 25 used.*0 of 50 used/);
    const profile = { name: 'Harbour Health', industry: '', size: 'small', headquarters_country: 'AU' };
    const wrong = await visitor.send(page, 'send', { ...profile, website: 'harbour.example' });
    expect([wrong.status, wrong.html.includes('id="send-website-error"')]).toEqual([422, true]);
    const saved = await visitor.send(wrong, 'send', { ...profile, website: 'https://harbour.example' });
    expect(saved.address).toBe('/app/organisation?notice=organisationSaved');
    const { body } = await app.request('GET', '/orgs/me', { token: org.token });
    expect(body).toMatchObject({ ...profile, industry: null, website: 'https://harbour.example' });
    // The first page shows an older version, and still does after a refusal for another reason.
    const again = await visitor.send(page, 'send', { ...profile, website: 'wrong' });
    const stale = await visitor.send(again, 'send', { ...profile, website: '' });
    expect([stale.status, readText(stale).includes('has changed this in the meantime')]).toEqual([412, true]);
    expect((await visitor.send(stale, 'send', { ...profile, website: '' })).status).toBe(200);
  });
});

describe.runIf(canBrowse)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    cleanUpAfterFile(() => browser.close());
  });

  async function openAs(visitor: Visitor, options: { javaScriptEnabled?: boolean } = {}) {
    const context: BrowserContext = await browser.newContext(options);
    const value = visitor.cookies.get('tessera-session')!;
    await context.addCookies([{ name: 'tessera-session', value, url }]);
    return { context, page: await context.newPage() };
  }

  it('the shortlist is decided by keys alone', async () => {
    await insertMembers(
      app,
      Array.from({ length: 4 }, () => ({
        mean: fillMeans(tierMeans.exceptional),
        variance: fillSlots(0.15),
      })),
    );
    const org = await app.registerOrgAdmin();
    const job = await createJob(app, org.token);
    await app.drainQueue();
    const { context, page } = await openAs(await logIn(org));
    await page.goto(`${url}/app/jobs/${job}`);
    await settle(page);
    const first = await readCandidate(page);
    await sendKey(page, 'j');
    const second = await readCandidate(page);
    expect(second).not.toBe(first);
    await sendKey(page, 'k');
    expect(await readCandidate(page)).toBe(first);
    await sendKey(page, 'i');
    // The next person is chosen, and the first one was asked.
    expect(await readCandidate(page)).toBe(second);
    await sendKey(page, 'p');
    expect(await readCandidate(page)).not.toBe(second);
    // A key in the note is a letter, and Tab and Enter decide as well.
    await page.getByLabel('A note').focus();
    await page.keyboard.type('pick ij');
    expect(await page.getByLabel('A note').inputValue()).toBe('pick ij');
    await page.keyboard.press('Tab');
    await sendKey(page, 'Enter');
    const statuses = await app.sql.list(sql<{ match_status: string; count: number }>`
      select match_status, count(*) as count from matches where job_id = ${job} and match_status <> 'pending_review' group by 1 order by 1`);
    expect(statuses).toEqual([
      { match_status: 'org_interested', count: 2 },
      { match_status: 'org_passed', count: 1 },
    ]);
    await context.close();
  });

  it('sliders say their words while they move', async () => {
    const { context, page } = await openAs(await logIn(await app.registerOrgAdmin()));
    await page.goto(`${url}/app/jobs/new`);
    const family = page.locator('details', { has: page.locator('[name="priority_persistence"]') });
    await family.locator('summary').click();
    const slider = page.getByRole('slider', { name: 'Persistence' });
    expect(await slider.getAttribute('aria-valuetext')).toBe('not asked for');
    await slider.focus();
    await page.keyboard.press('End');
    expect(await slider.getAttribute('aria-valuetext')).toBe('essential');
    expect(await page.locator('output[for="send-priority_persistence"]').textContent()).toBe('essential');
    await context.close();
  });

  it('answers about the culture are saved as they come, before anything is sent', async () => {
    const visitor = await logIn(await app.registerOrgAdmin());
    const { context, page } = await openAs(visitor);
    const address = `${url}/app/culture/questionnaire`;
    await page.goto(address);
    await page.getByLabel('Agree', { exact: true }).first().check();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.goto(`${address}?step=8`);
    for (const [index, place] of ['First', 'Second', 'Third', 'Fourth'].entries())
      await page.getByRole('combobox').nth(index).selectOption(place);
    await expect
      .poll(
        async () =>
          (await visitor.open('/app/culture/questionnaire?step=8')).html.match(/ selected/g)?.length,
      )
      .toBe(4);
    await page.goto(address);
    expect(await page.getByLabel('Agree', { exact: true }).first().isChecked()).toBe(true);
    await context.close();
  });

  it('the essential path of an organisation works with scripts off', async () => {
    const org = await app.registerOrgAdmin({ name: 'Harbour Health' });
    const { body } = await app.request('GET', '/job-templates?query=care', { token: org.token });
    const asked: TraitPriorities = body.data[0].trait_priorities;
    await app.registerDeployedMember({ mean: traitCodes.map((code) => 3 * (asked[code] ?? 0) - 1) });
    const { context, page } = await openAs(await logIn(org), { javaScriptEnabled: false });
    await page.goto(`${url}/app`);
    await page.getByRole('link', { name: 'New job' }).first().click();
    await page.getByRole('searchbox').fill('care');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Neighbourhood Care' }).click();
    await page.getByLabel('Title').fill('Archivist');
    await page.getByLabel('What the work achieves').fill(outcome);
    await page.getByRole('button', { name: 'Create the job' }).click();
    await page.getByText('The job is created.').waitFor();
    await app.drainQueue();
    await page.reload();
    await page.getByRole('link', { name: 'Developing match' }).click();
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByLabel('A note').fill('Come and see us.');
    await page.getByRole('button', { name: 'Interested' }).click();
    await page.getByText('You are interested in').waitFor();
    await page.getByRole('link', { name: 'Asked' }).click();
    await page.getByText('The answer is open.').first().waitFor();
    expect(page.url()).toContain('status=org_interested');
    await context.close();
  });
});

/** The name of the chosen person. */
async function readCandidate(page: Page): Promise<string | null> {
  return page.locator('#candidate').textContent();
}

/** Presses a key that opens another page, and lets the reasons of the next person be written. */
async function sendKey(page: Page, key: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.keyboard.press(key)]);
  await settle(page);
}

/** Writes the reasons that a page waits for, so that it does not load itself again while keys are pressed. */
async function settle(page: Page): Promise<void> {
  await app.drainQueue();
  await page.reload();
}
