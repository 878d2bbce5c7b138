import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { Role } from '#lib/caller.ts';
import { pageRows } from '../../src/tables/pages.ts';
import { createColleague } from '../colleague.ts';
import { startApp } from '../harness.ts';
import { password } from '../users.ts';
import { createVisitor, findForm, type Visitor } from './visitor.ts';

type Caller = Role | 'anonymous';

const visitors = new Map<Caller, { readonly visitor: Visitor; readonly token: string }>();

const app = await startApp();
beforeAll(async () => {
  const org = await app.registerOrgAdmin();
  const users = {
    member: await app.registerMember(),
    org_admin: org,
    org_viewer: await createColleague(app, org.org_id, 'org_viewer'),
    auditor: await createColleague(app, org.org_id, 'auditor'),
    platform_admin: await app.registerPlatformAdmin(),
  };
  const stranger = createVisitor(app);
  const { token } = findForm(await stranger.open('/sign-in'), 'send').hidden;
  visitors.set('anonymous', { visitor: stranger, token: token! });
  for (const [role, { email }] of Object.entries(users)) {
    const visitor = createVisitor(app);
    await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
    const form = findForm(await visitor.open('/app/account'), 'rename');
    visitors.set(role as Role, { visitor, token: form.hidden['token']! });
  }
});

async function request(
  caller: Caller,
  path: string,
  action: string | undefined,
  getId: (name: string) => string = () => randomUUID(),
) {
  const { visitor, token } = visitors.get(caller)!;
  const reply = await app.server.inject({
    method: action === undefined ? 'GET' : 'POST',
    url: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(getId(name))),
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    cookies: Object.fromEntries(visitor.cookies),
    ...(action !== undefined && { payload: new URLSearchParams({ token, action }).toString() }),
  });
  return { status: reply.statusCode, location: String(reply.headers.location), html: reply.payload };
}

const refusals = pageRows.flatMap(({ path, who, page }) => {
  const callers: readonly Caller[] = [
    'anonymous',
    'member',
    'org_admin',
    'org_viewer',
    'auditor',
    'platform_admin',
  ];
  const others = callers.filter((caller) => who !== 'anyone' && !(who as readonly Caller[]).includes(caller));
  const actions = [undefined, ...Object.keys(page.actions ?? {})];
  return others.flatMap((caller) => actions.map((action) => ({ path, caller, action })));
});

it('every page and every form of it leads strangers to the login, and is refused to every other role that its row does not name', async () => {
  expect(refusals.length).toBeGreaterThan(500);
  for (const { path, caller, action } of refusals) {
    const { status, location, html } = await request(caller, path, action);
    const answer =
      caller === 'anonymous'
        ? [status, location.startsWith('/sign-in?continue=')]
        : [status, html.includes('This page is not for your account')];
    const expected = caller === 'anonymous' ? [303, true] : [403, true];
    expect([path, caller, action, ...answer]).toEqual([path, caller, action, ...expected]);
  }
});

// The page of an authorization says itself that it has ended, whatever its address names.
const otherNames = new Set(['uid']);

const namedPages = pageRows.flatMap(({ path, who, page }) => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const actions = [undefined, ...Object.keys(page.actions ?? {})];
  const caller: Caller = who === 'anyone' ? 'anonymous' : who[0]!;
  return names
    .filter((name) => !otherNames.has(name))
    .flatMap((wrong) => actions.map((action) => ({ path, caller, action, wrong })));
});

it('an address with an id that is no id leads to no page, like one with an id that nothing has', async () => {
  expect(namedPages.length).toBeGreaterThan(50);
  for (const { path, caller, action, wrong } of namedPages)
    for (const nonsense of ['nonsense', '1', '’', `${randomUUID()}0`]) {
      const getId = (name: string) => (name === wrong ? nonsense : randomUUID());
      const { status } = await request(caller, path, action, getId);
      expect([path, caller, action, nonsense, status]).toEqual([path, caller, action, nonsense, 404]);
    }
});
