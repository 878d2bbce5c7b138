import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';
import { createCredential, readPayload, requestVerification } from '#test/modules/credentials.ts';
import { findList, isRevoked, recordRevocation } from './revocation-memory.ts';
import { hasBit } from './status-bits.ts';
import { revokePlaces, takePlaces } from './status-lists.ts';

const app = await startApp();

const measureTables = async () => {
  const { bytes } = await app.sql.one(sql<{ bytes: number }>`
    select pg_total_relation_size('status_lists') + pg_total_relation_size('status_list_blocks') as bytes`);
  return bytes;
};

test('a list takes the same space however many entries are taken and revoked', async () => {
  const [first] = await takePlaces(app.platform, 1);
  const opened = await measureTables();
  for (let index = 0; index < 2_000; index++)
    await app.sql.transaction(async (tx) =>
      revokePlaces(tx, [{ ...first!, status_index: (index * 7_919) % 131_072 }]),
    );
  await takePlaces(app.platform, 5_000);
  // The order of the indexes is 0.4 MB. Each revocation used to leave a copy of 16 kB behind, 32 MB in all. What stays of a block of 256 bytes is
  // cleaned up as soon as no other transaction can still read it.
  expect(opened).toBeLessThan(600_000);
  expect((await measureTables()) - opened).toBeLessThan(1_000_000);
  const { set } = await app.sql.one(sql<{ set: number }>`
    select sum(bit_count(bits))::integer as set from status_list_blocks where list_id = ${first!.status_list_id}`);
  expect(set).toBe(2_000);
});

test('revocations of different blocks do not wait for each other, and none of the same block is lost', async () => {
  const { status_list_id } = (await takePlaces(app.platform, 1))[0]!;
  const places = [0, 1, 2, 2_048, 131_071].map((status_index) => ({ status_list_id, status_index }));
  await app.sql.transaction(async (tx) => {
    revokePlaces(tx, [places[0]!]);
    await app.sql.transaction(async (other) => revokePlaces(other, [places[3]!, places[4]!]));
  });
  await Promise.all(places.map((place) => app.sql.transaction(async (tx) => revokePlaces(tx, [place]))));
  await expect
    .poll(async () => Promise.all(places.map(async (place) => isRevoked(app.platform, place))), {
      timeout: 5_000,
    })
    .toEqual(places.map(() => true));
});

test('transactions that revoke the same credentials in different orders do not deadlock', async () => {
  const { status_list_id } = (await takePlaces(app.platform, 1))[0]!;
  const places = Array.from({ length: 64 }, (_, block) => ({
    status_list_id,
    status_index: block * 2_048 + 5,
  }));
  let attempts = 0;
  const revoke = (given: typeof places) =>
    app.sql.transaction(async (tx) => {
      attempts++;
      revokePlaces(tx, given);
    });
  const revoking: Promise<void>[] = [];
  // Both wait while a block in the middle is locked. In opposite orders, each would then have what the other needs next.
  await app.sql.transaction(async (tx) => {
    revokePlaces(tx, [places[32]!]);
    await tx.list(sql`select 1`);
    revoking.push(revoke(places), revoke(places.toReversed()));
    await waitUntilBlocked(app, 2);
  });
  await Promise.all(revoking);
  expect(attempts).toBe(2);
});

test('a revocation that is known here is not undone by a read that began before it', async () => {
  const service = await startApp();
  const { token } = await service.registerMember();
  const { formats } = await createCredential(service, token);
  const { idx, uri } = readPayload(formats.attestation_token).status.status_list;
  const place = { status_list_id: uri.split('/').at(-1), status_index: idx };
  // Begins to read the list for the first time; the database has no revocation.
  const reading = isRevoked(service.platform, place);
  recordRevocation(service.platform, place);
  expect(await reading).toBe(true);
  expect((await requestVerification(service, formats.attestation_token)).body.checks.revocation).toBe(
    'revoked',
  );
  const list = await findList(service.platform, place.status_list_id);
  expect(hasBit(list!.bits, idx)).toBe(true);
});
