import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { Secret, TOTP } from 'otpauth';
import { sql } from '#platform/database/database.ts';
import { findFreePort } from '#test/free-port.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import { startApp, type TestApp } from '../harness.ts';
import { createJob, fillMeans, tierMeans } from '../modules/matching.ts';
import { createEmail, password } from '../users.ts';
import { canBrowse, openBrowser } from './open-browser.ts';
import { registerByPages } from './register.ts';
import { createVisitor, findForm, unescapeHtml, type SeenPage, type Visitor } from './visitor.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  app = await startApp({ TESSERA_PUBLIC_URL: url, TESSERA_PORT: String(port) });
  await app.server.listen({ port, host: '127.0.0.1' });
});

/** The address of a page that was emailed. */
async function readMailedLink(to: string, page: string): Promise<string> {
  await app.drainQueue();
  const links = (await app.readMails())
    .filter((mail) => mail.to === to)
    .flatMap(({ text }) => [...text.matchAll(/^http\S+$/gm)].map(([link]) => link));
  const link = links.find((each) => each.startsWith(`${url}${page}?token=`));
  if (link === undefined) throw new Error(`no link to ${page} was emailed to ${to}: ${links.join(' ')}`);
  return link.slice(url.length);
}

const register = (name?: string, page?: string) => registerByPages(app, name, page);

async function logIn(email: string, secret = password): Promise<{ visitor: Visitor; page: SeenPage }> {
  const visitor = createVisitor(app);
  const page = await visitor.send(await visitor.open('/sign-in'), 'send', { email, password: secret });
  return { visitor, page };
}

describe('the journey of a member', () => {
  it('leads from the registration to being matched, one step at a time', async () => {
    const { visitor, home } = await register();
    expect(home.html).toContain('Step 1 of 4');
    expect(home.html).toContain('href="/app/assessment"');

    const statement = await visitor.send(await visitor.open('/app/assessment'), 'begin');
    expect(statement.html).toContain('0 of about 50');
    await app.sql.run(sql`update members set assessment_phase = 'complete'`);
    const home3 = await visitor.open('/app');
    expect(home3.html).toContain('Step 3 of 4');
    const agreed = await visitor.send(home3, 'agree');
    expect(agreed.address).toBe('/app?notice=consentGiven');
    const wrong = await visitor.send(agreed, 'profile', {
      years_experience: '7.5',
      current_industry: 'Health',
    });
    expect([wrong.status, unescapeHtml(wrong.html).includes('Enter a whole number of years.')]).toEqual([
      422,
      true,
    ]);
    const profile = {
      current_industry: 'Health',
      years_experience: '7',
      education_level: 'bachelors',
      location_country: 'AU',
      location_state: 'nsw',
    };
    expect((await visitor.send(wrong, 'profile', profile)).html).toContain('Step 4 of 4');
  });
});

/** A token for another form of the same visitor. */
async function readFreshToken(visitor: Visitor): Promise<string> {
  return findForm(await visitor.open('/app/account'), 'rename').hidden['token']!;
}

describe('the link of an email', () => {
  it('verifies the address of an account that a program has registered, once', async () => {
    const email = createEmail();
    await app.request('POST', '/auth/register', { body: { email, password, name: 'Ada' } });
    const { visitor, page: home } = await logIn(email);
    expect(home.html).toContain('Step 1 of 4');
    const verify = await visitor.open(await readMailedLink(email, '/verify-email'));
    const verified = await visitor.send(verify, 'send');
    expect(verified.address).toBe('/app?notice=emailVerified');
    const used = await visitor.send(verify, 'send', { token: await readFreshToken(visitor) });
    expect([used.status, used.html.includes('The verification link is used or expired.')]).toEqual([
      410,
      true,
    ]);
  });

  it('opens an account once, and says to its owner that the address has one', async () => {
    const { email, visitor } = await register();
    await visitor.send(await visitor.open('/app/account'), 'log_out');
    const link = await readMailedLink(email, '/open-account');
    const stranger = createVisitor(app);
    const weak = await stranger.send(await stranger.open(link), 'send', { password: 'weak' });
    expect([weak.status, weak.html.includes('id="send-password-error"')]).toEqual([422, true]);
    const used = await stranger.send(weak, 'send', { password });
    expect([used.status, used.html.includes('This address has an account')]).toEqual([409, true]);
    const altered = await stranger.send(await stranger.open('/open-account?token=abc'), 'send', { password });
    expect([altered.status, unescapeHtml(altered.html).includes('Ask for a new one.')]).toEqual([410, true]);
  });

  it('is all that tells whether an address has an account: the page says the same, and shows all faults at once', async () => {
    const { email: known } = await app.registerMember();
    const ask = async (email: string, name = 'Ada') => {
      const stranger = createVisitor(app);
      const page = await stranger.open('/register?for=organisation');
      return stranger.send(page, 'send', { name, email });
    };
    const strip = ({ html }: SeenPage, email: string) => html.replaceAll(email, '');
    const unknown = createEmail();
    const [one, other] = [await ask(known), await ask(unknown)];
    expect([one.status, one.address]).toEqual([other.status, other.address]);
    expect(strip(one, known)).toBe(strip(other, unknown));
    const wrong = await ask('nonsense', ' ');
    expect([wrong.status, [...wrong.html.matchAll(/class="error" id="send-(\w+)-error"/g)].length]).toEqual([
      422, 2,
    ]);
  });
});

describe('the journey of an organisation', () => {
  it('opens an account, and an invited colleague joins it', async () => {
    const { email, home } = await register('Harbour Health', '/register?for=organisation');
    expect(home.html).toContain('<h1>Harbour Health</h1>');
    const { body } = await app.request('POST', '/auth/login', { body: { email, password } });
    const invited = createEmail();
    const invitation = { email: invited, role: 'org_viewer' };
    await app.request('POST', '/orgs/me/users', { token: body.access_token, body: invitation });
    const visitor = createVisitor(app);
    const page = await visitor.open(await readMailedLink(invited, '/accept-invitation'));
    expect((await visitor.send(page, 'send', { password: 'weak' })).status).toBe(422);
    const joined = await visitor.send(page, 'send', { password });
    expect([joined.address, joined.html.includes('<h1>Harbour Health</h1>')]).toEqual(['/app', true]);
    const stranger = createVisitor(app);
    const wrong = await stranger.open('/accept-invitation?token=unknown');
    expect((await stranger.send(wrong, 'send', { password })).status).toBe(410);
  });
});

describe('the journey of a match', () => {
  it('leads from the shortlist to the contact of both sides, who do not know each other before', async () => {
    const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
    const org = await app.registerOrgAdmin({ name: 'Harbour Health' });
    const job_id = await createJob(app, org.token);
    await app.drainQueue();
    const { visitor: recruiter, page: home } = await logIn(org.email);
    expect(home.html).toContain(`href="/app/jobs/${job_id}"`);
    const list = await recruiter.open(`/app/jobs/${job_id}`);
    expect(list.html).toMatch(/Strong match[\s\S]*Person [B-T]{5}/);
    for (const secret of [member.member_id, member.email, 'Test Person'])
      expect(list.html).not.toContain(secret);
    const asked = await recruiter.send(list, 'decide', { note: 'Come and see us.' });
    expect(asked.address).toMatch(new RegExp(`^/app/jobs/${job_id}\\?decided=`));

    const { visitor: person } = await logIn(member.email);
    const matches = await person.open('/app/matches');
    expect(matches.html).toContain('Waiting for your answer');
    const link = /href="(\/app\/matches\/[^"]+)"/.exec(matches.html)?.[1];
    const accepted = await person.send(await person.open(link!), 'accept', { note: 'After five, please.' });
    expect(accepted.address).toBe(`${link}?notice=responseSaved`);
    for (const shared of [org.email, 'Come and see us.']) expect(accepted.html).toContain(shared);
    const reached = await recruiter.open(`/app/jobs/${job_id}?status=member_accepted`);
    for (const shared of [member.email, 'After five, please.']) expect(reached.html).toContain(shared);
    const other = await logIn((await app.registerOrgAdmin()).email);
    expect((await other.visitor.open(`/app/jobs/${job_id}`)).status).toBe(404);
  });
});

describe('the account', () => {
  it('gets a new password by email, which logs out every device', async () => {
    const { visitor, email } = await register();
    const stranger = createVisitor(app);
    const sent = await stranger.send(await stranger.open('/forgot-password'), 'send', { email });
    expect(sent.html).toContain('If the address has an account');
    const link = await readMailedLink(email, '/reset-password');
    const next = 'Another-Horse-8-Battery';
    const done = await stranger.send(await stranger.open(link), 'send', { new_password: next });
    expect(done.address).toBe('/sign-in?notice=passwordReset');
    expect((await visitor.open('/app')).address).toMatch(/^\/sign-in/);
    const wrong = await logIn(email);
    expect(wrong.page.html).toContain('The email address or handle, or the password, is wrong.');
    expect((await logIn(email, next)).page.address).toBe('/app');
  });

  it('changes its name, password and address, and what is emailed', async () => {
    const { visitor, email } = await register();
    const renamed = await visitor.send(await visitor.open('/app/account'), 'rename', {
      display_name: 'Ada L.',
    });
    expect([renamed.address, renamed.html.includes('value="Ada L."')]).toEqual([
      '/app/account?notice=nameChanged',
      true,
    ]);
    const next = 'Another-Horse-8-Battery';
    const passwords = { current_password: password, new_password: next };
    const page = await visitor.open('/app/account/password');
    expect((await visitor.send(page, 'send', { ...passwords, current_password: next })).html).toContain(
      'id="send-current_password-error"',
    );
    expect((await visitor.send(page, 'send', passwords)).address).toBe('/app/account?notice=passwordChanged');
    const choice = await visitor.open('/app/account/notifications');
    await visitor.send(choice, 'send', { match_proposed: 'weekly' });
    expect((await visitor.open('/app/account/notifications')).html).toMatch(/value="weekly"\s+checked/);
    const address = createEmail();
    await visitor.send(await visitor.open('/app/account/email'), 'send', { email: address });
    await visitor.send(await visitor.open(await readMailedLink(address, '/verify-email')), 'send');
    expect((await visitor.open('/app/account')).html).toContain(address);
    expect((await logIn(email, next)).page.status).toBe(401);
  });

  it('turns MFA on, logs in with a code and with a recovery code, and turns it off', async () => {
    const { visitor, email } = await register();
    const begun = await visitor.send(await visitor.open('/app/account/mfa'), 'begin');
    const secret = Secret.fromBase32(findForm(begun, 'enable').hidden['secret']!);
    expect(begun.html).toContain('aria-label="QR code for your authenticator app"');
    const wrong = await visitor.send(begun, 'enable', { code: '000000' });
    expect([wrong.status, wrong.html.includes('QR code for your')]).toEqual([422, true]);
    const generate = () => new TOTP({ secret }).generate({ timestamp: app.clock.now().getTime() });
    const enabled = await visitor.send(wrong, 'enable', { code: generate() });
    const codes = [...enabled.html.matchAll(/<li><code>([^<]+)<\/code><\/li>/g)].map(([, code]) => code!);
    expect(codes).toHaveLength(10);

    app.clock.advance(30_000);
    const first = await logIn(email);
    expect(first.page.html).toContain('Enter your code');
    const mistyped = await first.visitor.send(first.page, 'code', { code: '000000' });
    expect(mistyped.html).toContain('The code is wrong or was already used.');
    expect((await first.visitor.send(mistyped, 'code', { code: generate() })).address).toBe('/app');
    const second = await logIn(email);
    const recovered = await second.visitor.send(second.page, 'recovery', { code: codes[0]! });
    expect(recovered.address).toBe('/app');

    app.clock.advance(30_000);
    const off = await second.visitor.open('/app/account/mfa');
    const disabled = await second.visitor.send(off, 'disable', { code: generate() });
    expect(disabled.address).toBe('/app/account?notice=mfaDisabled');
    expect((await logIn(email)).page.address).toBe('/app');
  });

  it('gives out all of its data, with the progress', async () => {
    const { visitor } = await register();
    const page = await visitor.open('/app/account/data');
    const running = await visitor.send(page, 'send');
    expect(running.html).toContain('data-refresh-seconds="3"');
    await app.drainQueue();
    const ready = await visitor.open(running.address);
    const link = /href="(\/app\/account\/data\/[^"]+)"/.exec(ready.html)?.[1];
    const file = await visitor.open(link!);
    expect([file.status, file.headers['content-type']]).toEqual([200, 'application/zip']);
    expect(String(file.headers['content-disposition'])).toMatch(
      /^attachment; filename="tessera-data-[\d-]+\.zip"$/,
    );
    const other = await register('Other');
    expect((await other.visitor.open(link!)).status).toBe(404);
  });

  it('is deleted after its owner has read what follows, and a link in an email undoes it', async () => {
    const { visitor, email } = await register();
    const asked = await visitor.open('/app/account/delete');
    expect(asked.html).toContain('You are logged out everywhere at once');
    const closed = await visitor.send(asked, 'send');
    expect(closed.address).toMatch(/^\/account-closed\?until=/);
    // Thirty days from the time of the test.
    const until = new Date(app.clock.now().getTime() + 30 * 86_400_000);
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(until);
    expect(closed.html).toContain(`You can undo this until ${day} at`);
    const forged = await createVisitor(app).open('/account-closed?until=soon');
    expect([forged.status, forged.html]).toEqual([200, expect.stringContaining('Only a link in an email')]);
    expect((await logIn(email)).page.html).toContain('This account is marked for deletion.');
    const stranger = createVisitor(app);
    const kept = await stranger.send(
      await stranger.open(await readMailedLink(email, '/cancel-deletion')),
      'send',
    );
    expect(kept.address).toBe('/account-kept');
    expect((await logIn(email)).page.address).toBe('/app');
  });
});

describe.runIf(canBrowse)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    cleanUpAfterFile(() => browser.close());
  });

  it('everything essential works with scripts off', async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
    });
    const page = await context.newPage();
    const email = createEmail();
    await page.goto(url);
    await page.getByRole('link', { name: 'Create your account' }).click();
    await page.getByLabel('Your name').fill('Ada Lind');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send me the link' }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await page.goto(`${url}${await readMailedLink(email, '/open-account')}`);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Open my account' }).click();
    await page.getByRole('heading', { name: 'Hello, Ada Lind' }).waitFor();
    await page.getByRole('link', { name: 'Begin' }).click();
    await page.getByRole('button', { name: 'I agree, let us begin' }).click();
    await page.getByText('0 of about').waitFor();
    await page.getByRole('button').nth(3).click();
    await page.getByText('1 of about').waitFor();
    await page.getByRole('link', { name: 'Pause' }).click();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByText('1 of about').waitFor();
    await page.goto(`${url}/app/account`);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Hello, Ada Lind' }).waitFor();
    expect(page.url()).toBe(`${url}/app`);
    await context.close();
  });

  it('the assessment is answered by keys alone', async () => {
    const { visitor } = await register();
    await visitor.send(await visitor.open('/app/assessment'), 'begin');
    const context = await browser.newContext();
    await context.addCookies([
      { name: 'tessera-session', value: visitor.cookies.get('tessera-session')!, url },
    ]);
    const page = await context.newPage();
    await page.goto(`${url}/app/assessment`);
    for (const [answered, key] of ['1', '5', '3', '2'].entries()) {
      await page.getByText(`${answered} of about`).waitFor();
      await page.keyboard.press(key);
    }
    await page.getByText('4 of about').waitFor();
    await page.keyboard.press('Backspace');
    await page.getByText('3 of about').waitFor();
    await page.keyboard.press('4');
    await page.getByText('4 of about').waitFor();
    // Without scripts, the same by Tab and Enter.
    await moveFocus(page, 'button[value="1"]');
    await page.keyboard.press('Enter');
    await page.getByText('5 of about').waitFor();
    expect((await visitor.open('/app/assessment')).html).toContain('5 of about');
    await context.close();
  });
});

/** Moves the focus with the Tab key until it is on an element. */
async function moveFocus(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement.matches('${selector}')`)) return;
  }
  throw new Error(`the Tab key does not reach ${selector}`);
}
