import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '../harness.ts';
import { createStub } from '../modules/stubs.ts';
import { recordSoldRead, sample_destination } from '../modules/books.ts';
import { password, type TestMember } from '../users.ts';
import { createVisitor, readText, type SeenPage, unescapeHtml, type Visitor } from './visitor.ts';

const app = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '0' });

async function logIn({ email }: Pick<TestMember, 'email'>): Promise<Visitor> {
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  return visitor;
}

describe('a person with a claim code, without scripts', () => {
  const account = { email: 'mai.lin@example.org', password };

  it('looks it up, claims it after a correction, and is logged in; the code then no longer works', async () => {
    const { body } = await createStub(app);
    await recordSoldRead(app, body.member_id, { gross: 1_000_000n });
    const visitor = createVisitor(app);
    expect((await visitor.open('/register')).html).toContain('href="/claim"');
    const wrong = await visitor.send(await visitor.open('/claim'), 'send', { claim_code: 'TES-0000000000' });
    expect(wrong.status).toBe(404);
    const typed = body.claim_code.toLowerCase().replace('-', ' ');
    const found = await visitor.send(wrong, 'send', { claim_code: typed });
    for (const words of ['Traits observed 8', 'Earned so far US$0.75', 'fairly well'])
      expect(readText(found)).toContain(words);
    expect(found.address).not.toContain(body.claim_code);
    const refused = await visitor.send(found, 'claim', account);
    expect(refused.status).toBe(422);
    const claimed = await visitor.send(refused, 'claim', { ...account, tos_accepted: 'true' });
    expect(claimed.address).toBe('/app?notice=identityClaimed');
    expect(readText(await visitor.open('/app/income'))).toContain('US$0.75');
    const other = createVisitor(app);
    const late = await other.send(await other.open('/claim'), 'send', { claim_code: body.claim_code });
    expect(late.status).toBe(410);
  });
});

describe('the terms of service and the privacy notice', () => {
  const urls = {
    terms: 'https://tessera.example/terms?v=2&l=en',
    privacy: 'https://tessera.example/privacy',
  };
  const hasLinks = ({ html }: SeenPage) =>
    Object.values(urls).map((url) => unescapeHtml(html).includes(`href="${url}"`));
  const openPages = async (on: TestApp) => {
    const visitor = createVisitor(on);
    const { body } = await createStub(on);
    const claim = await visitor.open('/claim');
    return [
      await visitor.open('/register'),
      await visitor.open('/register?for=organisation'),
      await visitor.send(claim, 'send', { claim_code: body.claim_code }),
      await visitor.open('/oauth/handle?handle=mai-lin'),
      await visitor.open('/'),
    ];
  };

  it('are linked where an account is created and at the foot of public pages, if the operator names their addresses', async () => {
    const own = await startApp({ TESSERA_TERMS_URL: urls.terms, TESSERA_PRIVACY_URL: urls.privacy });
    for (const page of await openPages(own))
      expect([page.address, hasLinks(page)]).toEqual([page.address, [true, true]]);
    const [register] = await openPages(own);
    expect(readText(register!)).toContain('An account is subject to the terms of service .');
  });

  it('are not mentioned otherwise', async () => {
    for (const page of await openPages(app)) {
      expect(hasLinks(page)).toEqual([false, false]);
      expect(readText(page)).not.toContain('Privacy notice');
    }
  });
});

describe('a payout without scripts', () => {
  it('is requested on a page that says what is available, and money that is not there is refused', async () => {
    const member = await app.registerMember();
    await recordSoldRead(app, member.member_id, { gross: 4_000_000n, hold_seconds: 0 });
    const visitor = await logIn(member);
    expect((await visitor.open('/app/income')).html).toContain('href="/app/income/payout"');
    const form = await visitor.open('/app/income/payout');
    expect(readText(form)).toContain('Available: US$3.00.');
    const destination = sample_destination;
    const wrong = await visitor.send(form, 'send', { destination, amount: 'all' });
    expect([wrong.status, readText(wrong)]).toEqual([
      422,
      expect.stringContaining('an amount such as 12.50'),
    ]);
    expect((await visitor.send(wrong, 'send', { destination, amount: '3.01' })).status).toBe(409);
    const requested = await visitor.send(wrong, 'send', { destination, amount: '2.50' });
    expect(requested.address).toBe('/app/income?notice=payoutRequested');
    expect(readText(requested)).toContain('US$2.50');
  });

  it('asks an old session who it is', async () => {
    const visitor = await logIn(await app.registerMember());
    app.clock.advance(3_600_000);
    expect((await visitor.open('/app/income/payout')).address).toMatch(/^\/app\/account\/confirm/);
  });
});

describe('self-identification without scripts', () => {
  it('is asked only after consent, saved question by question, and deleted with the consent', async () => {
    const member = await app.registerMember();
    const visitor = await logIn(member);
    const before = await visitor.open('/app/self-identification');
    expect(before.html).not.toContain('<select');
    const consent = await visitor.open(
      '/app/consent/demographic_self_identification?continue=/app/self-identification',
    );
    const form = await visitor.send(consent, 'give');
    expect(form.address).toBe('/app/self-identification?notice=consentGiven');
    const saved = await visitor.send(form, 'send', {
      'gender.woman': 'true',
      'ethnicity.asian': 'true',
      'ethnicity.white': 'true',
      age_band: '',
      disability: 'no',
    });
    expect(saved.address).toBe('/app/self-identification?notice=selfIdentificationSaved');
    const read = () => app.request('GET', '/members/me/self-identification', { token: member.token });
    expect((await read()).body).toMatchObject({
      gender: ['woman'],
      age_band: null,
      ethnicity: ['asian', 'white'],
      disability: 'no',
    });
    expect((await visitor.send(saved, 'send', { age_band: 'unknown' })).status).toBe(422);
    await visitor.send(await visitor.open('/app/consent/demographic_self_identification'), 'withdraw');
    await app.drainQueue();
    const { count } = await app.sql.one(sql<{ count: number }>`
      select count(*) from self_identifications where member_id = ${member.member_id} and gender is not null`);
    expect(count).toBe(0);
  });
});
