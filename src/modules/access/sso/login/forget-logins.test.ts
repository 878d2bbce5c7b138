import { expect, test } from 'vitest';
import { domain } from '@tessera/saml/testing';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { completeSsoLogin, createSsoOrganisation, startSsoLogin } from '#test/modules/sso.ts';
import { forgetLogins } from './forget-logins.ts';

const app = await startApp();

const countRows = () =>
  app.sql.one(sql<Record<string, number>>`
    select (select count(*) from sso_requests) as requests, (select count(*) from sso_assertions) as assertions`);

const run = () =>
  forgetLogins.run(
    {
      ...app.platform,
      now: app.clock.now,
      signal: new AbortController().signal,
      reportProgress: async () => undefined,
    },
    {},
  );

test('deletes login requests and assertion ids when they expire, and not earlier', async () => {
  const ours = await createSsoOrganisation(app);
  await startSsoLogin(app, ours);
  expect((await completeSsoLogin(app, ours, { email: `ada@${domain}` })).status).toBe(200);
  expect(await countRows()).toEqual({ requests: 1, assertions: 1 });
  app.clock.advance(600_000 - 1);
  await run();
  expect(await countRows()).toEqual({ requests: 1, assertions: 1 });
  app.clock.advance(1);
  await run();
  expect(await countRows()).toEqual({ requests: 0, assertions: 1 });
  app.clock.advance(60_000);
  await run();
  expect(await countRows()).toEqual({ requests: 0, assertions: 0 });
});
