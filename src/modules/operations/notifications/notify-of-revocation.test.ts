import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createVouchedMatch, sendAnswer, sendAttestation } from '#test/modules/offers.ts';
import { sql } from '#platform/database/database.ts';

const publicUrl = 'https://tessera.example';
const app = await startApp({ TESSERA_PUBLIC_URL: publicUrl });

type Vouched = Awaited<ReturnType<typeof createVouchedMatch>>;

const long_reason = `It names the wrong season: ${'we have looked it up. '.repeat(20)}See https://evil.example now`;

/** Attests the member of a match, whose address is verified. @returns the offer, and the credential if it is accepted. */
async function attest(match: Vouched, decision: 'accept' | undefined) {
  await app.sql.run(sql`
    update users set email_verified_at = ${app.clock.now()} where id = ${match.member.user_id}`);
  const { id } = (await sendAttestation(app, match)).body;
  const accepted = decision && (await sendAnswer(app, match, id, { decision })).body;
  return { id: id as string, credential_id: accepted?.credential_id as string | undefined };
}

const takeBack = ({ org }: Vouched, id: string, reason = long_reason) =>
  app.request('POST', `/orgs/me/credentials/${id}/revoke`, { token: org.token, body: { reason } });

async function listMails({ member }: Vouched) {
  await app.drainQueue();
  const mails = await app.readMails();
  return mails.filter(({ to, subject }) => to === member.email && subject.includes('was revoked'));
}

test('a member reads by email that an organisation has revoked a credential, who it is, and why', async () => {
  const match = await createVouchedMatch(app);
  const { id, credential_id } = await attest(match, 'accept');
  expect((await takeBack(match, id)).status).toBe(200);
  // A repeated request revokes nothing, and says nothing again.
  expect((await takeBack(match, id)).status).toBe(200);
  const [mail, ...others] = await listMails(match);
  expect(others).toEqual([]);
  const { claims } = (
    await app.request('GET', `/credentials/${credential_id}`, { token: match.member.token })
  ).body;
  expect(mail!.text).toContain(claims.organisation_name);
  expect(mail!.text).toContain(`the internet domain ${match.domain} is its own`);
  expect(mail!.text).toContain(`${'we have looked it up. '.repeat(20)}See`);
  expect(mail!.text).not.toContain(claims.statement);
  // Words of others do not become links; the first link leads to the credential.
  expect(mail!.text).not.toContain('evil.example');
  const [link] = mail!.text.match(/^https:.*$/m)!;
  expect(link).toBe(`${publicUrl}/app/credentials/${credential_id}`);
});

test('nothing is sent about an offer that nobody has accepted, or to a member who wants no such emails', async () => {
  const [match, silent] = [await createVouchedMatch(app), await createVouchedMatch(app)];
  const { id } = await attest(match, undefined);
  expect((await takeBack(match, id)).body.status).toBe('withdrawn');
  const { id: held } = await attest(silent, 'accept');
  await app.request('PUT', '/members/me/notifications', {
    token: silent.member.token,
    body: { match_proposed: 'never', credential_revoked: 'never' },
  });
  expect((await takeBack(silent, held)).body.status).toBe('revoked');
  expect([...(await listMails(match)), ...(await listMails(silent))]).toEqual([]);
});
