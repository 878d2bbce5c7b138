import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { queueNotice } from '#modules/access/accounts';
import { recordRead } from '#modules/income/books';
import { sql } from '#platform/database/database.ts';
import { openStages } from '#modules/matching/placements';
import {
  notifyOfRead,
  notifyOfResults,
  remindOfAssessment,
  sendDigests,
} from '#modules/operations/notifications';
import { cleanUpAfterFile } from '../clean-up.ts';
import { startApp, type TestMail } from '../harness.ts';
import { createJob, fillMeans, listStoredMatches, runTask, tierMeans } from '../modules/matching.ts';
import { proveDomain, sendAnswer, sendAttestation } from '../modules/offers.ts';
import { createSubscription } from '../modules/webhooks.ts';
import { createEmail, type TestMember, type TestOrgUser } from '../users.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import { expectNoOverflow } from './expect-no-overflow.ts';
import { canBrowse, openBrowser } from './open-browser.ts';
import { createVisitor } from './visitor.ts';

const publicUrl = 'http://localhost:8420';
const hostileName = '"><img src=x onerror=alert(1)> Ada www.evil.example';

const app = await startApp({ TESSERA_PUBLIC_URL: publicUrl, TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
await sendEverything();
const mails: readonly TestMail[] = await app.readMails();

/** Makes the service send each kind of email at least once. */
async function sendEverything(): Promise<void> {
  const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
  // The link that verifies the address is only sent before.
  await app.drainQueue();
  await app.sql.run(
    sql`update users set email_verified_at = ${app.clock.now()} where id = ${member.user_id}`,
  );
  await app.request('PATCH', '/auth/me', { token: member.token, body: { display_name: hostileName } });
  const org = await app.registerOrgAdmin({ name: 'Harbour Health' });
  await app.request('PATCH', '/auth/me', { token: org.token, body: { display_name: 'Mira Okafor' } });
  await app.request('PUT', '/orgs/me/notifications', {
    token: org.token,
    body: { match_accepted: 'immediately', match_declined: 'immediately' },
  });
  for (const decision of ['accept', 'decline']) {
    const job_id = await createJob(app, org.token, undefined, 'Night nurse www.evil.example');
    await app.drainQueue();
    const match = (await listStoredMatches(app, job_id)).find((each) => each.member_id === member.member_id);
    const status = { status: 'org_interested' };
    await app.request('PUT', `/matches/${match!.id}/status`, { token: org.token, body: status });
    await app.drainQueue();
    await app.request('POST', `/matches/${match!.id}/response`, { token: member.token, body: { decision } });
    await app.drainQueue();
    if (decision === 'accept') await openFeedback(match!.id, org);
    if (decision === 'accept') await revokeCredential(match!.id, member, org);
  }
  const invitation = { email: createEmail(), role: 'org_viewer' };
  await app.request('POST', '/orgs/me/users', { token: org.token, body: invitation });
  await app.request('POST', '/auth/forgot-password', { body: { email: member.email } });
  await app.request('POST', '/auth/change-email', { token: member.token, body: { email: createEmail() } });
  for (const notice of [
    'passkey_added',
    'payout_requested',
    'balance_low',
    'balance_filled',
    'recovery_code_used',
    'role_changed',
    'email_changed',
    'agent_allowed',
  ] as const)
    await app.sql.transaction((tx) => queueNotice(app.platform, tx, member.user_id, notice));
  await failWebhook(org);
  await app.drainQueue();
  await reportRead(member, org);
  await reportAssessment(member);
  await app.request('DELETE', '/members/me', { token: member.token });
  await app.drainQueue();
}

/** Records a placement that began 40 days ago, and lets the service ask for feedback. */
async function openFeedback(match_id: string, { token }: TestOrgUser): Promise<void> {
  const placed_at = new Date(app.clock.now().getTime() - 40 * 86_400_000).toISOString();
  await app.request('POST', `/matches/${match_id}/outcome`, {
    token,
    body: { outcome: 'placed', placed_at },
  });
  await runTask(app, openStages, {});
  await app.drainQueue();
}

/** Lets the organisation attest the member, who accepts, and then revoke it. */
async function revokeCredential(match_id: string, member: TestMember, org: TestOrgUser): Promise<void> {
  await proveDomain(app, org.org_id);
  const { id } = (await sendAttestation(app, { match_id, org })).body;
  await sendAnswer(app, { member }, id);
  const body = { reason: hostileName };
  await app.request('POST', `/orgs/me/credentials/${id}/revoke`, { token: org.token, body });
  await app.drainQueue();
}

/** Records a free read of the member, and sends the digest about it. */
async function reportRead(member: TestMember, org: TestOrgUser): Promise<void> {
  const body = { match_proposed: 'never', data_read: 'immediately' };
  await app.request('PUT', '/members/me/notifications', { token: member.token, body });
  await app.sql.transaction(async (tx) => {
    const { member_id } = member;
    const { org_id, user_id } = org;
    const sides = { id: randomUUID(), member_id, org_id, user_id };
    const terms = { data_type: 'archetype', share_bps: 7500, multiplier_bps: 10_000, payment: null } as const;
    await recordRead(tx, { ...sides, ...terms, created_at: app.clock.now() }, 0);
  });
  await runTask(app, notifyOfRead, { member_id: member.member_id });
  app.clock.advance(2 * 60_000);
  await runTask(app, sendDigests, {});
  await app.drainQueue();
}

/** Sends both emails about the assessment of the member, and the one about new jobs: of two, one was declined and waits again. */
async function reportAssessment({ user_id, member_id, token }: TestMember): Promise<void> {
  const began = app.clock.now().getTime() - 3 * 86_400_000;
  const at = new Date(began).toISOString();
  await app.sql.run(
    sql`update sessions set last_used_at = ${new Date(began - 7_200_000)} where user_id = ${user_id}`,
  );
  const body = { match_proposed: 'never', matches_found: 'weekly' };
  await app.request('PUT', '/members/me/notifications', { token, body });
  await app.sql.run(
    sql`update member_notices set happened_at = ${new Date(0)}, due_at = ${new Date(began)} where user_id = ${user_id}`,
  );
  await app.sql.run(
    sql`update member_matches set match_status = 'pending_review' where member_id = ${member_id} and match_status = 'member_declined'`,
  );
  await runTask(app, notifyOfResults, { member_id, at });
  await runTask(app, remindOfAssessment, { member_id, at });
  const setPhase = (phase: string) =>
    app.sql.run(sql`update members set assessment_phase = ${phase} where id = ${member_id}`);
  await setPhase('in_progress');
  await runTask(app, sendDigests, {});
  await app.drainQueue();
  await setPhase('complete');
}

/** Lets a webhook of the organisation fail for good: its server replies that it is gone. */
async function failWebhook({ token }: TestOrgUser): Promise<void> {
  const receiver = await startWebhookReceiver();
  receiver.reply = (response) => response.writeHead(410).end();
  const { id } = await createSubscription(app, token, { url: receiver.url });
  await app.request('POST', `/webhooks/${id}/test`, { token, body: {} });
}

/** What only programs read: requests, identifiers, tokens, names with underscores, ISO dates, JSON, and addresses in running words. */
const machineWords =
  /\b(?:GET|POST|PUT|PATCH|DELETE|HTTP|JSON)\b|\/api\/|https?:|\b[\da-f]{8}-[\da-f]{4}-|\d{4}-\d\d-\d\d|\b[a-z]+_[a-z_]+\b|\{"|[\w-]{40,}/;

const listHtmlLinks = (html: string) =>
  [...html.matchAll(/ href="([^"]*)"/g)].map(([, address]) => address!.replaceAll('&amp;', '&'));

describe('every email', () => {
  it('is sent in this test', () => {
    expect([...new Set(mails.map(({ subject }) => subject))].toSorted()).toEqual([
      'A credential of yours was revoked',
      'A member accepted your match',
      'A member declined your match',
      'A new job fits you',
      'A passkey was added',
      'A payout was requested',
      'A recovery code was used',
      'A webhook of your organisation was deactivated',
      'An agent was connected',
      'An organisation is interested in you',
      'Choose a new password',
      'How is the placement going?',
      'Verify your email address',
      'Verify your new email address',
      'You are invited to Tessera',
      'Your account will be deleted',
      'Your assessment waits where you left it',
      'Your data was read',
      'Your email address was changed',
      'Your email address will change',
      'Your prepaid balance is low',
      'Your prepaid balance was filled',
      'Your results are ready',
      'Your role was changed',
    ]);
  });

  it('has a text and an HTML part with the same links', () => {
    for (const { subject, text, html } of mails) {
      const links = [...text.matchAll(/^http\S+$/gm)].map(([link]) => link);
      expect([subject, listHtmlLinks(html)]).toEqual([subject, links]);
      expect([subject, links.length > 0]).toEqual([subject, true]);
    }
  });

  it('greets by the name that the account has, and no name becomes markup or a link', () => {
    // Nobody has proven yet whose mailbox these go to.
    const others = new Set([
      'You are invited to Tessera',
      'Verify your email address',
      'Verify your new email address',
    ]);
    for (const { subject, text, html } of mails.filter((mail) => !others.has(mail.subject))) {
      expect([subject, text.split('\n', 1)[0]]).toEqual([
        subject,
        expect.stringMatching(/^Hello .*(Ada|Mira)/),
      ]);
      expect(html).not.toMatch(/<img|evil\.example/);
      expect(text).not.toContain('www.evil.example');
    }
  });

  it('speaks to a person: no request of the API, no time or identifier for machines, no address outside a link', () => {
    for (const { subject, text, html } of mails) {
      const seen = html
        .replace(/<style>[\s\S]*?<\/style>/g, '')
        .replace(/<a [^>]*>https?:\S+<\/a>/g, '')
        .replace(/<[^>]*>/g, '\n');
      const words = text.replace(/^https?:\S+$/gm, '');
      for (const part of [subject, words, seen])
        expect([subject, machineWords.exec(part)?.[0]]).toEqual([subject, undefined]);
    }
  });

  it('recognises each kind of machine voice', () => {
    for (const sample of [
      'send it to POST /auth/verify-email',
      '/api/v1/webhooks',
      '7f0c3f1e-2f0b-4c53-9d7f-0d6a3f1f1b11',
      'on 2026-03-02T09:00:00.000Z',
      'by 2026-03-02',
      'status org_interested',
      'see https://tessera.example/app',
      '{"is_active": true}',
      'HTTP status 410',
      'JKkd83jdlsJ_skd92jdk-lsw0wkd93kdiw9ekdIwke2',
    ])
      expect([sample, machineWords.test(sample)]).toEqual([sample, true]);
  });

  it('has one thing to do where it undoes a deletion', () => {
    const { html } = mails.find(({ subject }) => subject === 'Your account will be deleted')!;
    expect(listHtmlLinks(html)).toEqual([expect.stringContaining('/cancel-deletion?token='), publicUrl]);
  });

  it('has links that open a page, for a stranger and without an error', async () => {
    for (const link of new Set(mails.flatMap(({ html }) => listHtmlLinks(html)))) {
      expect(link.startsWith(publicUrl)).toBe(true);
      const page = await createVisitor(app).open(link.slice(publicUrl.length) || '/');
      expect([link, page.status]).toEqual([link, 200]);
    }
  });
});

describe.runIf(canBrowse)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    cleanUpAfterFile(() => browser.close());
  });

  it('an email fits a phone and a desktop, light and dark, loads nothing, and changes its colours', async () => {
    const folder = process.env['TESSERA_MAIL_PICTURES'];
    for (const subject of [
      'Verify your email address',
      'A passkey was added',
      'An organisation is interested in you',
    ]) {
      const { html } = mails.find((mail) => mail.subject === subject)!;
      const backgrounds = new Set<string>();
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [390, 900]) {
          const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
          const requests: string[] = [];
          page.on('request', (request) => requests.push(request.url()));
          await page.setContent(html);
          await expectNoOverflow(page);
          backgrounds.add(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
          expect(requests).toEqual([]);
          if (folder !== undefined) {
            await mkdir(folder, { recursive: true });
            const name = `${subject.toLowerCase().replaceAll(' ', '-')}-${colorScheme}-${width}.png`;
            await page.screenshot({ path: path.join(folder, name), fullPage: true });
          }
          await page.close();
        }
      expect(backgrounds.size).toBe(2);
    }
  });
});
