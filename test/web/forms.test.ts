import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createDemoLink } from '../../src/web/entrance/demo-link.ts';
import { startApp } from '../harness.ts';
import { requestAccountLink } from '../modules/registrations.ts';
import { createEmail, logInAgain, password } from '../users.ts';
import { createVisitor, findForm, unescapeHtml, type Visitor } from './visitor.ts';

const app = await startApp();

async function logIn(email: string, visitor: Visitor = createVisitor(app)): Promise<Visitor> {
  const page = await visitor.open('/sign-in');
  const home = await visitor.send(page, 'send', { email, password });
  expect(home.address).toBe('/app');
  return visitor;
}

describe('a form of the console', () => {
  it('is refused if a page of another site sent it, and changes nothing', async () => {
    const { email, token } = await app.registerMember({ name: 'Ada' });
    const visitor = await logIn(email);
    const page = await visitor.open('/app/account');
    for (const headers of [
      { origin: 'https://attacker.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const refused = await visitor.send(page, 'rename', { display_name: 'Mallory' }, headers);
      expect([headers, refused.status]).toEqual([headers, 403]);
      expect(refused.html).toContain('<h1>');
    }
    const { body } = await app.request('GET', '/auth/me', { token });
    expect(body.display_name).toBe('Ada');
  });

  it('comes back filled in if its token is missing, invented or of another visitor', async () => {
    const [one, other] = [await app.registerMember({ name: 'One' }), await app.registerMember()];
    const visitor = await logIn(one.email);
    const page = await visitor.open('/app/account');
    const foreign = findForm(await (await logIn(other.email)).open('/app/account'), 'rename');
    for (const token of ['', 'a.b', `${foreign.hidden['token']}`, `${foreign.hidden['token']}.c`]) {
      const again = await visitor.send(page, 'rename', { display_name: 'New & <bold>', token });
      expect([token, again.status]).toEqual([token, 403]);
      expect(again.html).toContain('This form has expired.');
      expect(again.html).toContain('value="New &amp; &lt;bold&gt;"');
    }
    expect((await app.request('GET', '/auth/me', { token: one.token })).body.display_name).toBe('One');
  });

  it('acts once, however often it is sent', async () => {
    const visitor = createVisitor(app);
    const email = createEmail();
    const link = `/open-account?token=${await requestAccountLink(app, email)}`;
    const page = await visitor.open(link);
    const replies = await Promise.all([1, 2, 3].map(() => visitor.send(page, 'send', { password })));
    for (const reply of replies)
      expect([reply.status, reply.address]).toEqual([200, '/app?notice=accountOpened']);
    const { data } = (await app.request('GET', '/auth/sessions', { token: await readToken(email) })).body;
    // The session of the new account, and the one of this test.
    expect(data).toHaveLength(2);
  });

  it('may be sent again after a refusal, which names each field, is announced, and has the focus on the first', async () => {
    const visitor = createVisitor(app);
    const page = await visitor.open('/register');
    const refused = await visitor.send(page, 'send', { name: 'Ada "Lind"', email: 'nonsense' });
    expect(refused.status).toBe(422);
    const text = unescapeHtml(refused.html);
    expect(text).toMatch(/<title>Error: Create your account/);
    expect(text).toContain('role="alert"');
    expect(text).toMatch(/id="send-email-error">Enter an email address, such as ada@example\.org\.</);
    expect(text).toMatch(
      /name="email"\s+required\s+autofocus\s+aria-invalid="true"\s+aria-describedby="send-email-error"/,
    );
    expect(text).toContain('value="nonsense"');
    expect(refused.html).toContain('value="Ada &quot;Lind&quot;"');
    const done = await visitor.send(refused, 'send', { name: 'Ada', email: createEmail() });
    expect(done.html).toContain('Check your inbox');

    const link = `/open-account?token=${await requestAccountLink(app, createEmail())}`;
    const weak = await visitor.send(await visitor.open(link), 'send', { password: 'weak' });
    expect(unescapeHtml(weak.html)).not.toContain('value="weak"');
    expect(weak.html).toMatch(
      /id="send-password-error">Needs at least 12 characters, needs an uppercase letter/,
    );
    expect((await visitor.send(weak, 'send', { password })).address).toBe('/app?notice=accountOpened');
  });

  it('that was sent before a logout logs in again when it is sent once more', async () => {
    const { email } = await app.registerMember();
    const visitor = createVisitor(app);
    const form = await visitor.open('/sign-in');
    await visitor.send(form, 'send', { email, password });
    await visitor.send(await visitor.open('/app/account'), 'log_out');
    expect(visitor.cookies.has('tessera-session')).toBe(false);
    expect((await visitor.send(form, 'send', { email, password })).address).toBe('/app');
  });

  it('can be sent again with values that others have replaced since, from the same view of its page', async () => {
    const { email } = await app.registerMember();
    const visitor = await logIn(email);
    const page = await visitor.open('/app/account');
    for (const display_name of ['One', 'Two', 'One']) {
      await visitor.send(page, 'rename', { display_name });
      expect((await visitor.open('/app/account')).html).toContain(`value="${display_name}"`);
    }
  });

  it('that was sent too late asks for the password, keeps what was entered, and then acts once', async () => {
    const admin = await app.registerOrgAdmin();
    const visitor = await logIn(admin.email);
    const page = await visitor.open('/app/webhooks/new');
    app.clock.advance(16 * 60_000);
    const url = 'https://receiver.example/late';
    const fields = { url, secret: 'A-Secret-Of-Many-Characters', 'match.created': 'true' };
    const asked = await visitor.send(page, 'send', fields);
    expect([asked.status, asked.html.includes('Confirm that it is you')]).toEqual([403, true]);
    expect(asked.html).not.toContain(fields.secret);
    const wrong = await visitor.send(asked, 'send', { password: 'Wrong-Horse-7-Battery' });
    expect([wrong.status, wrong.html.includes('The password is wrong.')]).toEqual([403, true]);
    const [sent, again] = [
      await visitor.send(wrong, 'send', { password }),
      await visitor.send(wrong, 'send', { password }),
    ];
    expect([sent.status, again.address]).toEqual([200, sent.address]);
    const token = await logInAgain(app, admin);
    const { body } = await app.request('GET', '/webhooks/', { token });
    expect(body.data.map((each: { url: string }) => each.url)).toEqual([url]);
  });

  it('that was kept can be neither changed nor replaced by one of another page', async () => {
    const { email } = await app.registerMember();
    const visitor = await logIn(email);
    const page = await visitor.open('/app/account/email');
    app.clock.advance(16 * 60_000);
    const asked = await visitor.send(page, 'send', { email: createEmail() });
    const { kept_form: kept = '' } = findForm(asked, 'send').hidden;
    for (const each of ['', 'none', `${kept.slice(0, -4)}AAAA`])
      expect((await visitor.send(asked, 'send', { password, kept_form: each })).status).toBe(400);
  });

  it('of an unknown name is refused', async () => {
    const visitor = createVisitor(app);
    const page = await visitor.open('/sign-in');
    for (const action of ['nothing', 'constructor'])
      expect((await visitor.send(page, 'send', { action })).status).toBe(400);
  });
});

async function readToken(email: string): Promise<string> {
  const { body } = await app.request('POST', '/auth/login', { body: { email, password } });
  return body.access_token as string;
}

describe('a session of the console', () => {
  it('leads back to the page that asked for a login, and to no other site', async () => {
    const { email } = await app.registerMember();
    const visitor = createVisitor(app);
    const asked = await visitor.open('/app/account/devices?cursor=');
    expect(asked.address).toBe(`/sign-in?continue=${encodeURIComponent('/app/account/devices?cursor=')}`);
    const there = await visitor.send(asked, 'send', { email, password });
    expect(there.address).toBe('/app/account/devices?cursor=');
    for (const target of [
      'https://attacker.example/',
      '//attacker.example/',
      '/\\attacker.example',
      '/app/..//attacker.example',
      '/a/..\\/attacker.example',
      '/./%2e%2e//attacker.example',
      'javascript:alert(1)',
    ]) {
      const other = createVisitor(app);
      const page = await other.open(`/sign-in?continue=${encodeURIComponent(target)}`);
      const { address } = await other.send(page, 'send', { email, password });
      expect([target, address]).toEqual([target, '/app']);
    }
  });

  it('ends at once when its device is logged out, when it expires, and when its user is suspended', async () => {
    const { email, user_id } = await app.registerMember();
    const [here, there] = [await logIn(email), await logIn(email)];
    let page = await here.open('/app/account/devices');
    expect(page.html).toContain('This device');
    while (page.html.includes('value="log_out"')) page = await here.send(page, 'log_out');
    const gone = await Promise.all([here, there].map((each) => each.open('/app/account')));
    expect(gone.map(({ address }) => address)).toEqual([
      '/app/account',
      '/sign-in?continue=%2Fapp%2Faccount',
    ]);

    await here.send(gone[0]!, 'log_out');
    expect(here.cookies.has('tessera-session')).toBe(false);
    const again = await logIn(email);
    await app.sql.run(sql`update users set suspended_at = now() where id = ${user_id}`);
    expect((await again.open('/app')).address).toMatch(/^\/sign-in/);
  });

  it('is extended while it is used, and expires when it is not', async () => {
    const { email } = await app.registerMember();
    const visitor = await logIn(email);
    const day_ms = 86_400_000;
    for (let days = 0; days < 3; days++) {
      app.clock.advance(20 * day_ms);
      expect((await visitor.open('/app/account')).status).toBe(200);
    }
    app.clock.advance(31 * day_ms);
    expect((await visitor.open('/app/account')).address).toMatch(/^\/sign-in/);
  });

  it('asks for the password again before a change that could cost the account, and then returns to it', async () => {
    const { email } = await app.registerMember();
    const visitor = await logIn(email);
    app.clock.advance(16 * 60_000);
    const asked = await visitor.open('/app/account/delete');
    expect(asked.address).toBe('/app/account/confirm?continue=%2Fapp%2Faccount%2Fdelete');
    const wrong = await visitor.send(asked, 'send', { password: 'Wrong-Horse-7-Battery' });
    expect([wrong.status, wrong.html.includes('The password is wrong.')]).toEqual([422, true]);
    expect((await visitor.send(wrong, 'send', { password })).address).toBe('/app/account/delete');
  });

  it('has an HttpOnly cookie that other sites cannot send with forms, on https also bound to this host', async () => {
    const { email } = await app.registerMember();
    const secure = await startApp({ TESSERA_PUBLIC_URL: 'https://tessera.example' });
    const user = await secure.registerMember();
    for (const [service, address, expected] of [
      [app, email, /^tessera-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/],
      [
        secure,
        user.email,
        /^__Host-tessera-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ],
    ] as const) {
      const visitor = createVisitor(service);
      const form = findForm(await visitor.open('/sign-in'), 'send');
      const reply = await service.server.inject({
        method: 'POST',
        url: '/sign-in',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: service.platform.config.publicUrl,
        },
        cookies: Object.fromEntries(visitor.cookies),
        payload: new URLSearchParams({ ...form.hidden, email: address, password }).toString(),
      });
      expect(String(reply.headers['set-cookie'])).toMatch(expected);
    }
  });
});

describe('problems', () => {
  it('are pages for browsers, each with a way on, and problem+json for everyone else and in the API', async () => {
    const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
    const org = await app.registerOrgAdmin();
    const admin = await logIn(org.email);
    const stranger = createVisitor(app);
    const html = { accept: 'text/html,application/xhtml+xml' };
    expect((await stranger.open('/nowhere')).html).toContain('This page does not exist');
    const forbidden = await admin.open('/app/assessment');
    expect([forbidden.status, forbidden.html.includes('This page is not for your account')]).toEqual([
      403,
      true,
    ]);
    const missing = await admin.open('/app/account/nothing');
    expect([missing.status, /<a class="button\s*" href="\/"/.test(missing.html)]).toEqual([404, true]);
    let last = await limited.server.inject({ url: '/sign-in', headers: html });
    for (let count = 0; count < 60 && last.statusCode === 200; count++)
      last = await limited.server.inject({ url: '/sign-in', headers: html });
    expect([last.statusCode, last.headers['retry-after']]).toEqual([429, '60']);
    expect(last.payload).toContain('Try again in 60 seconds.');
    for (const [url, status, words] of [
      ['/app/jobs/%ff', 400, 'That did not work'],
      [`/app/jobs/${'a'.repeat(300)}`, 404, 'This page does not exist'],
    ] as const) {
      const reply = await app.server.inject({ url, headers: html });
      expect([url, reply.statusCode, reply.payload.includes(words)]).toEqual([url, status, true]);
      expect(reply.headers['content-security-policy']).toContain("script-src 'self'");
    }
    for (const [url, headers] of [
      ['/api/v1/%ff', html],
      ['/app/%ff', {}],
      ['/api/v1/nowhere', html],
      ['/nowhere', {}],
      ['/nowhere', { accept: 'application/json' }],
    ] as const) {
      const reply = await app.server.inject({ url, headers });
      expect([url, String(reply.headers['content-type']).split(';')[0]]).toEqual([
        url,
        'application/problem+json',
      ]);
    }
  });

  it('show neither what was in the address nor the cause of a fault', async () => {
    const reply = await createVisitor(app).open('/<script>alert(1)</script>');
    expect(reply.html).not.toContain('<script>alert');
    const notice = await createVisitor(app).open('/sign-in?notice=__proto__');
    expect(notice.html).not.toContain('role="status"');
  });
});

it('a link of the demonstration opens the console once', async () => {
  const { email } = await app.registerMember();
  const { cookies } = await app.request('POST', '/auth/login', { body: { email, password } });
  const { publicUrl } = app.platform.config;
  const link = createDemoLink(app.platform, cookies['refresh_token']!).slice(publicUrl.length);
  expect((await createVisitor(app).open(link)).address).toBe('/app');
  expect((await createVisitor(app).open(link)).address).toBe('/sign-in?notice=demoLinkUsed');
  expect((await createVisitor(app).open('/demo/unknown')).address).toBe('/sign-in?notice=demoLinkUsed');
});

it('every page is sent with a policy that permits only this service, and no frame', async () => {
  const { headers } = await createVisitor(app).open('/');
  const policy = String(headers['content-security-policy']);
  expect(policy).not.toContain('unsafe');
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]),
  );
  expect([headers['referrer-policy'], headers['cache-control']]).toEqual(['same-origin', 'no-store']);
});

it('a visitor at the loopback address continues at the address of the service, where forms are accepted', async () => {
  const reply = await app.server.inject({
    url: '/sign-in?continue=%2Fapp',
    headers: { host: '127.0.0.1:8420' },
  });
  expect([reply.statusCode, reply.headers['location']]).toEqual([
    302,
    'http://localhost:8420/sign-in?continue=%2Fapp',
  ]);
});
