import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { answerAllItems, answerFirstStage, endCoolingOff } from '../assessment.ts';
import { startApp } from '../harness.ts';
import { createJob, fillMeans, tierMeans } from '../modules/matching.ts';
import { makeArchetypeCertain, verifyEmail } from '../modules/credentials.ts';
import { password, type TestMember } from '../users.ts';
import { createVisitor, findForm, readText, unescapeHtml, type Visitor } from './visitor.ts';

const app = await startApp();

async function logIn({ email }: Pick<TestMember, 'email'>): Promise<Visitor> {
  const visitor = createVisitor(app);
  const home = await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  expect(home.address).toBe('/app');
  return visitor;
}

/** A member with a verified address who consents to the assessment. */
async function registerLearner(): Promise<TestMember> {
  const member = await app.registerMember({ name: 'Ada Lind' });
  await verifyAddress(member);
  await app.request('POST', '/members/me/consent', {
    token: member.token,
    body: { consent_type: 'assessment_data', granted: true, version: '1.0' },
  });
  return member;
}

async function verifyAddress({ user_id, member_id }: TestMember): Promise<void> {
  await app.sql.run(sql`update users set email_verified_at = created_at where id = ${user_id}`);
  await verifyEmail(app, member_id);
}

describe('a new member', () => {
  it('comes from the registration to a credential that anyone can verify', async () => {
    const member = await app.registerMember({ name: 'Ada Lind' });
    const visitor = await logIn(member);
    const early = await visitor.open('/app/credentials/new');
    expect(readText(early)).toContain('A credential needs a verified email address.');
    await verifyAddress(member);
    expect(readText(await visitor.open('/app/credentials/new'))).toContain('Take it first.');

    await visitor.send(await visitor.open('/app/assessment'), 'begin');
    await answerFirstStage(app, member.token);
    const choice = await visitor.open('/app/assessment');
    expect(readText(choice)).toMatch(/Your first results are ready.*about \d+ further statements/);
    const deeper = await visitor.send(choice, 'deepen');
    expect(readText(deeper)).toMatch(/50 of about \d+/);
    const archetype = await visitor.open('/app/archetype');
    expect(readText(archetype)).toMatch(/How certain this is.*This is a first result\./);

    expect(readText(await visitor.open('/app/credentials'))).toContain('You have no credential yet.');
    const form = await visitor.open('/app/credentials/new');
    const wrong = await visitor.send(form, 'send', { content: 'invented', expiry_days: '365' });
    expect([wrong.status, readText(wrong).includes('Choose what the credential says.')]).toEqual([422, true]);
    const [first] = [...form.html.matchAll(/value="((?:archetype|family|coverage)[^"]*)"/g)];
    const issued = await visitor.send(wrong, 'send', { content: first![1]!, expiry_days: '90' });
    expect(issued.address).toMatch(/^\/app\/credentials\/[\w-]{36}\?notice=credentialIssued$/);
    const [, id = ''] = /credentials\/([\w-]{36})/.exec(issued.address)!;

    const hidden = await createVisitor(app).open(`/verify/${id}`);
    expect(readText(hidden)).toContain('Its holder does not share its content');
    const asked = await visitor.open(`/app/consent/credential_sharing?continue=/app/credentials/${id}`);
    const back = await visitor.send(asked, 'give');
    expect(back.address).toBe(`/app/credentials/${id}?notice=consentGiven`);
    const shared = await visitor.send(back, 'visibility');
    expect(shared.address).toBe(`/app/credentials/${id}?notice=visibilityChanged`);
    expect(readText(await createVisitor(app).open(`/verify/${id}`))).toContain('What it says');
    expect(readText(await visitor.open(`/app/credentials/${id}`))).toMatch(
      /How often it was checked 2 times/,
    );
  });
});

describe('consent', () => {
  it('is given and withdrawn after what follows was read, and every decision is in the history', async () => {
    const visitor = await logIn(await registerLearner());
    const page = await visitor.open('/app/consent/matching');
    expect(readText(page)).toMatch(/If you agree.*If you withdraw.*Your open matches end at once/);
    expect((await visitor.send(page, 'give')).address).toBe('/app/consent?notice=consentGiven');
    const withdrawn = await visitor.send(await visitor.open('/app/consent/matching'), 'withdraw');
    expect(withdrawn.address).toBe('/app/consent?notice=consentWithdrawn');
    expect(readText(withdrawn)).toMatch(
      /Your decisions.*Matching: withdrawn.*Matching: given.*Assessment: given/,
    );
    expect((await visitor.open('/app/consent/unknown')).status).toBe(404);
  });

  it('to paid reads is decided by category, and raises the level', async () => {
    const visitor = await logIn(await registerLearner());
    const before = await visitor.open('/app/consent/identity_queries');
    expect(before.html).not.toContain('value="approve"');
    await visitor.send(before, 'give');
    let page = await visitor.open('/app/consent/identity_queries');
    expect(readText(page)).toContain('Level 2 of 3');
    for (let count = 0; count < 4; count++) page = await visitor.send(page, 'approve');
    expect(readText(page)).toContain('Level 3 of 3');
    expect(readText(await visitor.send(page, 'disapprove'))).toContain('Level 2 of 3');
    const withdrawn = await visitor.send(await visitor.open('/app/consent/assessment_data'), 'withdraw');
    expect(readText(withdrawn)).toMatch(/Level 0 of 3.*Paid reads of archetype: stopped/);
  });

  it('is withdrawn as a whole, which closes the account, after the password and what follows', async () => {
    const member = await registerLearner();
    const visitor = await logIn(member);
    app.clock.advance(16 * 60_000);
    const asked = await visitor.open('/app/consent/withdraw-all');
    expect(asked.address).toBe('/app/account/confirm?continue=%2Fapp%2Fconsent%2Fwithdraw-all');
    const page = await visitor.send(asked, 'send', { password });
    expect(readText(page)).toContain('Your consents stay withdrawn');
    const closed = await visitor.send(page, 'send');
    expect(closed.address).toMatch(/^\/account-closed\?until=/);
    const { granted } = await app.sql.one(sql<{ granted: boolean }>`
      select granted from consent_records where member_id = ${member.member_id} order by sequence desc limit 1`);
    expect(granted).toBe(false);
  });
});

describe('a credential', () => {
  async function issue() {
    const member = await registerLearner();
    await answerFirstStage(app, member.token);
    await makeArchetypeCertain(app, member.member_id);
    const { body: own } = await app.request('GET', '/members/me/archetype', { token: member.token });
    const { archetype, archetype_family, name } = own;
    const { body } = await app.request('POST', '/credentials/issue', {
      token: member.token,
      body: { credential_type: 'archetype_attestation', claims: { archetype_family, archetype } },
    });
    return { member, visitor: await logIn(member), id: body.id as string, name: name as string };
  }

  it('is saved as a PDF, offered to a wallet once however often the form is sent, and revoked for good', async () => {
    const { visitor, id, name } = await issue();
    const page = await visitor.open(`/app/credentials/${id}`);
    expect(readText(page)).toContain(`What it says Archetype ${name} Archetype family Craft`);
    expect(readText(page)).toContain('How certain it is');
    const pdf = await visitor.open(`/app/credentials/${id}/pdf`);
    expect([pdf.headers['content-type'], pdf.html.slice(0, 5)]).toEqual(['application/pdf', '%PDF-']);
    expect(pdf.headers['content-disposition']).toBe(`attachment; filename="tessera-credential-${id}.pdf"`);

    for (const [format, start] of [
      ['png', '\ufffdPNG'],
      ['svg', '<svg '],
    ] as const) {
      const picture = await visitor.open(`/app/credentials/${id}/badge/${format}`);
      expect(picture.html.startsWith(start)).toBe(true);
      expect(picture.html).toContain(`"id":"urn:uuid:${id}"`);
      expect(picture.headers['content-disposition']).toBe(
        `attachment; filename="tessera-badge-${id}.${format}"`,
      );
    }
    expect((await visitor.open(`/app/credentials/${id}/badge/gif`)).status).toBe(404);
    expect(unescapeHtml(page.html)).toContain('https://www.linkedin.com/profile/add?startTask=');
    expect(unescapeHtml(page.html)).toContain(`/verify/${id}/badge" title="Credential: `);

    const here = await visitor.send(page, 'offerHere');
    expect(here.html).not.toMatch(/<code>\d{6}<\/code>/);
    expect(unescapeHtml(here.html)).toContain('href="openid-credential-offer://?credential_offer_uri=');

    const wallet = await visitor.open(`/app/credentials/${id}/wallet`);
    const [one, two] = await Promise.all([visitor.send(wallet, 'offer'), visitor.send(wallet, 'offer')]);
    const codes = [one, two].map(({ html }) => /<code>(\d{6})<\/code>/.exec(html)?.[1]);
    expect([codes[0], codes[0] === codes[1]]).toEqual([expect.stringMatching(/^\d{6}$/), true]);
    expect(one.html).toContain('<svg');

    const asked = await visitor.open(`/app/credentials/${id}/revoke`);
    expect(readText(asked)).toContain('This cannot be undone.');
    const tooLong = await visitor.send(asked, 'send', { reason: 'x'.repeat(501) });
    expect([tooLong.status, tooLong.html.includes('id="send-reason-error"')]).toEqual([422, true]);
    const revoked = await visitor.send(tooLong, 'send', { reason: 'No longer true' });
    expect(revoked.address).toBe(`/app/credentials/${id}?notice=credentialRevoked`);
    expect(readText(revoked)).toContain('The reason: No longer true');
    for (const page of ['/revoke', '/pdf', '/badge/png'])
      expect((await visitor.open(`/app/credentials/${id}${page}`)).address).toBe(`/app/credentials/${id}`);
    expect(readText(await createVisitor(app).open(`/verify/${id}`))).toContain('Revoked. Do not rely on it.');
    expect(
      (await visitor.send(wallet, 'offer', { token: findForm(asked, 'send').hidden['token']! })).status,
    ).toBe(409);
  });

  it('is nobody else’s to see, save, offer or revoke', async () => {
    const { id } = await issue();
    const other = await logIn(await registerLearner());
    for (const page of ['', '/pdf', '/badge/png', '/wallet', '/revoke'])
      expect([page, (await other.open(`/app/credentials/${id}${page}`)).status]).toEqual([page, 404]);
    expect((await other.open('/app/credentials/nonsense')).status).toBe(404);
  });
});

describe('preferences', () => {
  it('are saved, come back filled in after an error, and show what is missing for level 4', async () => {
    const member = await registerLearner();
    await answerFirstStage(app, member.token);
    const visitor = await logIn(member);
    const page = await visitor.open('/app/preferences');
    expect(readText(page)).toMatch(/Next, before jobs can find you.*Your consent to matching/);
    const chosen = {
      remote_policies: 'hybrid',
      remote_policies_second: '',
      remote_policies_third: 'remote',
      salary_min: '85000',
      salary_currency: 'aud',
      clearance_held: 'baseline',
      clan: '1',
      adhocracy: '0',
      market: '0',
      hierarchy: '0.5',
    };
    for (const [wrong, sentence] of [
      [{ remote_policies_third: 'hybrid' }, 'Choose each place once.'],
      [{ salary_currency: '' }, 'Enter both the salary and its currency, or neither.'],
      [{ salary_min: '' }, 'Enter both the salary and its currency, or neither.'],
      [{ salary_min: '85000.5' }, 'Enter an amount in whole units, such as 80000.'],
      [{ salary_currency: '$' }, 'Enter the three letters of the currency, such as AUD.'],
    ] as const) {
      const refused = await visitor.send(page, 'preferences', { ...chosen, ...wrong });
      expect([wrong, refused.status, readText(refused).includes(sentence)]).toEqual([wrong, 422, true]);
      expect(refused.html).toMatch(/value="baseline"\s+selected/);
      expect(refused.html).toMatch(/autofocus\s+aria-invalid="true"/);
    }
    const saved = await visitor.send(page, 'preferences', chosen);
    expect(saved.address).toBe('/app/preferences?notice=preferencesSaved');
    const { body } = await app.request('GET', '/members/me/matching-preferences', { token: member.token });
    expect(body).toEqual({
      clearance_held: 'baseline',
      remote_policies: ['hybrid', 'remote'],
      salary_min: 85_000,
      salary_currency: 'AUD',
      values: { clan: 100, adhocracy: 0, market: 0, hierarchy: 50 },
    });
    const empty = await visitor.open('/app/preferences/profile');
    expect(readText(empty)).toContain('Your industry');
    const profile = await visitor.send(empty, 'profile', {
      current_industry: 'Health',
      years_experience: '7',
      education_level: 'bachelors',
      location_country: 'AU',
      location_state: '',
    });
    expect(profile.address).toBe('/app/preferences/profile?notice=profileSaved');
    expect(readText(profile)).not.toContain('Your industry');
  });

  it('name a country and a state as a person types them, and say what is none of them', async () => {
    const member = await registerLearner();
    const visitor = await logIn(member);
    const page = await visitor.open('/app/preferences/profile');
    expect(page.html).toContain('<option value="New Zealand"></option>');
    const facts = { current_industry: 'Health', years_experience: '7', education_level: 'bachelors' };
    for (const [country, state, sentence] of [
      ['Austrlia', '', '“Austrlia” is not the name of a country. Did you mean “Australia”'],
      ['Atlantis', '', '“Atlantis” is not the name of a country.'],
      ['Australia', 'queens', 'is not a state or region of Australia. Did you mean “Queensland”?'],
      ['', 'Queensland', 'Needs a country.'],
    ] as const) {
      const wrong = { ...facts, location_country: country, location_state: state };
      const refused = await visitor.send(page, 'profile', wrong);
      expect([refused.status, unescapeHtml(readText(refused)).includes(sentence)]).toEqual([422, true]);
      expect(refused.html).toContain(`value="${country || state}"`);
    }
    const typed = { ...facts, location_country: 'usa', location_state: 'new york' };
    const saved = await visitor.send(page, 'profile', typed);
    expect(saved.html).toMatch(/value="United States"[^]*value="New York"[^]*<option value="Nebraska">/);
    const { body } = await app.request('GET', '/members/me', { token: member.token });
    expect(body.profile).toMatchObject({ location_country: 'US', location_state: 'NY' });
  });
});

describe('results', () => {
  it('name the earlier ones, and say when the assessment may be taken again', async () => {
    const member = await registerLearner();
    await answerAllItems(app, member.token);
    const visitor = await logIn(member);
    const traits = await visitor.open('/app/traits');
    expect(readText(traits)).toMatch(/Take it again.*Possible from [^.]* UTC\./);
    expect(traits.html).not.toContain('value="restart"');
    await endCoolingOff(app, member.member_id);
    const started = await visitor.send(await visitor.open('/app/assessment'), 'restart');
    expect(started.html).toContain('0 of about 50');
    await answerFirstStage(app, member.token);
    const latest = await visitor.open('/app/traits');
    const [, link] = /href="(\/app\/traits\?version=\d+)"/.exec(latest.html)!;
    expect(readText(await visitor.open(link!))).toContain('This is an earlier result.');
    for (const version of ['300', 'x'])
      expect((await visitor.open(`/app/traits?version=${version}`)).status).toBeGreaterThan(400);
  });

  it('say in plain words if the answers say little, and offer another assessment after a day', async () => {
    const member = await registerLearner();
    await answerAllItems(app, member.token, () => 1);
    const visitor = await logIn(member);
    const traits = await visitor.open('/app/traits');
    expect(readText(traits)).toMatch(
      /Many statements in a row have the same answer\..*at a quiet moment\. Possible from .* UTC\./,
    );
    expect(traits.html).not.toContain('value="restart"');
    await endCoolingOff(app, member.member_id, 1);
    const started = await visitor.send(await visitor.open('/app/traits'), 'restart');
    expect(started.address).toBe('/app/assessment');
  });
});

describe('a match', () => {
  it('waits on the home page, and ends apart from the open ones', async () => {
    const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
    await verifyAddress(member);
    const org = await app.registerOrgAdmin({ name: 'Harbour Health' });
    const job_id = await createJob(app, org.token);
    await app.drainQueue();
    const visitor = await logIn(member);
    // A new version of a consent comes before what the member could do next.
    expect(readText(await visitor.open('/app'))).toContain(
      'The text of your consent to matching has a new version.',
    );
    const { data } = (await app.request('GET', `/orgs/me/jobs/${job_id}/matches`, { token: org.token })).body;
    const body = { status: 'org_interested' };
    await app.request('PUT', `/matches/${data[0].id}/status`, { token: org.token, body });
    expect(readText(await visitor.open('/app'))).toContain('An organisation would like to talk to you');
    const page = await visitor.open(`/app/matches/${data[0].id}`);
    expect(readText(page)).toMatch(/If you accept, they receive your name your email address your note/);
    const declined = await visitor.send(page, 'decline');
    expect(declined.html).toMatch(/<details class="group">\s*<summary>Ended \(1\)/);
    const ended = await visitor.open(`/app/matches/${data[0].id}`);
    expect(readText(ended)).toContain('Nothing about you is shared any longer.');
    expect(ended.html).not.toContain('value="accept"');
  });
});

it('a session that has ended returns to the page, even if it ended with a form', async () => {
  const member = await registerLearner();
  const visitor = await logIn(member);
  const page = await visitor.open('/app/preferences/profile');
  visitor.cookies.clear();
  const asked = await visitor.send(page, 'profile', { current_industry: 'Health' });
  expect(asked.address).toBe('/sign-in?continue=%2Fapp%2Fpreferences%2Fprofile');
  const back = await visitor.send(asked, 'send', { email: member.email, password });
  expect(back.address).toBe('/app/preferences/profile');
});
