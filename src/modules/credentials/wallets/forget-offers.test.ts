import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createCredential } from '#test/modules/credentials.ts';
import {
  createTradedOffer,
  createWalletKey,
  createWalletOffer,
  fetchCredential,
  signProof,
} from '#test/modules/wallets.ts';
import { forgetOffers } from './forget-offers.ts';

const app = await startApp();

const countRows = () =>
  app.sql.one(sql<Record<string, number>>`
    select (select count(*) from wallet_offers) as offers, (select count(*) from wallet_nonces) as nonces`);

const runTask = () =>
  forgetOffers.run(
    {
      ...app.platform,
      now: app.clock.now,
      signal: new AbortController().signal,
      reportProgress: async () => undefined,
    },
    {},
  );

test('offers and used nonces are stored until they expire, and no longer', async () => {
  const { member } = await createTradedOffer(app);
  await createWalletOffer(app, member.token, (await createCredential(app, member.token)).id);
  app.clock.advance(60_000);
  const { access_token } = await createTradedOffer(app);
  await fetchCredential(app, access_token, await signProof(app, await createWalletKey()));
  await runTask();
  expect(await countRows()).toEqual({ offers: 3, nonces: 1 });
  app.clock.advance(5 * 60_000);
  await runTask();
  expect(await countRows()).toEqual({ offers: 3, nonces: 0 });
  app.clock.advance(4 * 60_000);
  await runTask();
  expect(await countRows()).toEqual({ offers: 1, nonces: 0 });
  app.clock.advance(60_000);
  await runTask();
  expect(await countRows()).toEqual({ offers: 0, nonces: 0 });
});
