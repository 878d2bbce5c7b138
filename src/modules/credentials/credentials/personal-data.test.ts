import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { noAccounts } from '#test/personal-data.ts';
import { sql } from '#platform/database/database.ts';
import { personalData } from './personal-data.ts';
import {
  listForms,
  createCredential,
  readPayload,
  requestRevocation,
  requestVerification,
} from '#test/modules/credentials.ts';

const app = await startApp();

test('a member’s data export contains every credential in all its forms', async () => {
  const member = await app.registerMember();
  const credential = await createCredential(app, member.token);
  await requestRevocation(app, member.token, credential.id, { reason: 'An old one.' });
  app.clock.advance(1_000);
  await createCredential(app, member.token);
  await createCredential(app, (await app.registerMember()).token);
  const [section] = await personalData.exportPersonalData(app.sql, member.member_id, noAccounts);
  expect(section).toMatchObject({
    name: 'credentials',
    rows: [{ id: credential.id, revocation_reason: 'An old one.', ...credential.formats }, {}],
  });
});

test('erasure revokes every copy of a credential and deletes everything that identifies the member', async () => {
  const [member, other] = [await app.registerMember(), await app.registerMember()];
  const [erased, remaining] = [
    await createCredential(app, member.token),
    await createCredential(app, other.token),
  ];
  for (const form of listForms(erased)) expect((await requestVerification(app, form)).body.valid).toBe(true);
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, member.member_id, noAccounts));
  expect((await app.request('GET', `/credentials/${erased.id}/verify`)).status).toBe(404);
  await expect
    .poll(
      async () => (await requestVerification(app, erased.formats.attestation_token)).body.checks.revocation,
      {
        timeout: 5_000,
      },
    )
    .toBe('revoked');
  for (const form of listForms(erased)) expect((await requestVerification(app, form)).body.valid).toBe(false);
  for (const form of listForms(remaining))
    expect((await requestVerification(app, form)).body.valid).toBe(true);
  const { uri } = readPayload(erased.formats.attestation_token).status.status_list;
  const list = await app.request('GET', uri.replace('http://localhost:8420', '/'));
  expect(readPayload(list.body).status_list.lst).not.toBe('');
  const { count } = await app.sql.one(
    sql<{ count: number }>`select count(*) from credentials where member_id = ${member.member_id}`,
  );
  expect(count).toBe(0);
});

test('the status index of an erased credential is never used again', async () => {
  const member = await app.registerMember();
  const issueAndReadIndexes = async () => {
    const credentials = await Promise.all(
      Array.from({ length: 40 }, () => createCredential(app, member.token)),
    );
    return credentials.map(
      ({ formats }) => readPayload(formats.attestation_token).status.status_list.idx as number,
    );
  };
  const first = await issueAndReadIndexes();
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, member.member_id, noAccounts));
  const second = await issueAndReadIndexes();
  expect(new Set([...first, ...second]).size).toBe(80);
});
