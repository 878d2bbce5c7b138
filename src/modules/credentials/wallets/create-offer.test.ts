import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createCredential, requestRevocation } from '#test/modules/credentials.ts';
import { createWalletOffer, readCode, requestToken } from '#test/modules/wallets.ts';

const app = await startApp();

test('a member receives an offer, its link, the link as QR code and a transaction code', async () => {
  const { token } = await app.registerDeployedMember();
  const { id } = await createCredential(app, token);
  const offer = await createWalletOffer(app, token, id);
  expect(offer.credential_offer).toMatchObject({
    credential_issuer: app.platform.config.publicUrl,
    credential_configuration_ids: ['trait_attestation_sd_jwt', 'trait_attestation_ldp'],
  });
  expect(offer.tx_code).toMatch(/^\d{6}$/);
  expect(Date.parse(offer.expires_at) - app.clock.now().getTime()).toBe(600_000);
  expect(new URL(offer.offer_link).searchParams.get('credential_offer_uri')).toBe(offer.credential_offer_uri);
  expect(offer.offer_qr_svg).toMatch(/^<svg /);
  const fetched = await app.request('GET', `/${new URL(offer.credential_offer_uri).pathname}`);
  expect(fetched).toMatchObject({ status: 200, body: offer.credential_offer });
});

test('an offer for a wallet on the same device has no transaction code and lasts two minutes', async () => {
  const { token } = await app.registerDeployedMember();
  const offer = await createWalletOffer(app, token, (await createCredential(app, token)).id, 'this');
  expect(offer.tx_code).toBe(null);
  expect(Object.values(offer.credential_offer.grants)).toEqual([{ 'pre-authorized_code': readCode(offer) }]);
  expect(Date.parse(offer.expires_at) - app.clock.now().getTime()).toBe(120_000);
  const fetched = await app.request('GET', `/${new URL(offer.credential_offer_uri).pathname}`);
  expect(fetched.body).toEqual(offer.credential_offer);
});

test('a device that does not exist is refused', async () => {
  const { token } = await app.registerDeployedMember();
  const { id } = await createCredential(app, token);
  const { status, body } = await app.request('POST', `/credentials/${id}/offer`, {
    token,
    body: { device: 'fridge' },
  });
  expect([status, body.errors[0].pointer]).toEqual([422, '/device']);
});

test('the database contains no secret of an offer', async () => {
  const { token } = await app.registerDeployedMember();
  const offer = await createWalletOffer(app, token, (await createCredential(app, token)).id);
  const handle = offer.credential_offer_uri.split('/').at(-1)!;
  const { body } = await requestToken(app, offer);
  const rows = JSON.stringify(await app.sql.list(sql`select * from wallet_offers`));
  for (const secret of [handle, readCode(offer), offer.tx_code!, body.access_token as string]) {
    expect(rows).not.toContain(`"${secret}"`);
    expect(rows).not.toContain(JSON.stringify(Buffer.from(secret)));
  }
});

test('a new offer replaces the older one', async () => {
  const { token } = await app.registerDeployedMember();
  const { id } = await createCredential(app, token);
  const older = await createWalletOffer(app, token, id);
  await createWalletOffer(app, token, id);
  expect((await requestToken(app, older)).body.error).toBe('invalid_grant');
});

test('an offer appears in the member’s audit log without its secrets', async () => {
  const { token } = await app.registerDeployedMember();
  const { id } = await createCredential(app, token);
  await createWalletOffer(app, token, id);
  const { body } = await app.request('GET', '/audit-log?action=wallets.offered', { token });
  expect(body.data).toMatchObject([{ action: 'wallets.offered', detail: { credential_id: id } }]);
});

test('revoked and expired credentials cannot be offered', async () => {
  const { token } = await app.registerDeployedMember();
  const revoked = await createCredential(app, token);
  await requestRevocation(app, token, revoked.id);
  const expired = await createCredential(app, token);
  await app.sql.run(sql`update credentials set expires_at = ${app.clock.now()} where id = ${expired.id}`);
  for (const { id } of [revoked, expired]) {
    const { status, body } = await app.request('POST', `/credentials/${id}/offer`, { token });
    expect([status, body.code]).toEqual([409, 'credential_not_active']);
  }
});

test('another member’s credential, an unknown id, anonymous callers and other roles are refused', async () => {
  const [owner, other] = [await app.registerDeployedMember(), await app.registerDeployedMember()];
  const { id } = await createCredential(app, owner.token);
  const requestOffer = (credential_id: string, token?: string) =>
    app.request('POST', `/credentials/${credential_id}/offer`, token === undefined ? {} : { token });
  expect((await requestOffer(id, other.token)).body.code).toBe('credential_not_found');
  expect((await requestOffer(unknownId, owner.token)).body.code).toBe('credential_not_found');
  expect((await requestOffer('nonsense', owner.token)).status).toBe(422);
  expect((await requestOffer(id)).status).toBe(401);
  expect((await requestOffer(id, (await app.registerPlatformAdmin()).token)).status).toBe(403);
  expect((await requestOffer(id, (await app.registerOrgAdmin()).token)).status).toBe(403);
  const rows = await app.sql.list(sql`select 1 from wallet_offers where credential_id = ${id}`);
  expect(rows).toEqual([]);
});
