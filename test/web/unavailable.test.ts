import { beforeAll, expect, it } from 'vitest';
import { cloneDatabase, startApp, type TestApp } from '../harness.ts';
import { openFaultProxy, type FaultProxy } from '../faults/fault-proxy.ts';
import { createVisitor } from './visitor.ts';

let app: TestApp;
let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await openFaultProxy(await cloneDatabase());
  app = await startApp({}, proxy.settings);
  app.platform.log.level = 'silent';
});

it('without its database, the console says that it is back in a moment, and then is, with the session and the form', async () => {
  const { email, password } = await app.registerMember();
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  visitor.cookies.set('tessera-look', 'dark.auto');
  const account = await visitor.open('/app/account');
  proxy.vanish({ reachable: false });

  const [shown, sent] = await Promise.all([
    visitor.open('/app/matches'),
    visitor.send(account, 'rename', { display_name: 'Ada' }),
  ]);
  for (const page of [shown, sent]) {
    expect(page.status).toBe(503);
    expect(Number(page.headers['retry-after'])).toBeGreaterThan(0);
    expect(page.html).toContain('We will be back in a moment');
    expect(page.html).toMatch(/Try again in \d+ seconds?\./);
    expect(page.html).toContain('data-theme="dark"');
    expect(page.html).not.toMatch(/postgres|ECONN|sql/i);
  }
  expect(shown.html).toMatch(/<a class="button" href="\/app\/matches">Try again</);
  // Pages that need no data are still there.
  for (const address of ['/', '/register']) expect((await createVisitor(app).open(address)).status).toBe(200);

  proxy.recover();
  await expect.poll(async () => (await visitor.open('/app/account')).status).toBe(200);
  const renamed = await visitor.send(account, 'rename', { display_name: 'Ada' });
  expect([renamed.status, renamed.html.includes('value="Ada"')]).toEqual([200, true]);
});
