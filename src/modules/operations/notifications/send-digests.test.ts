import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import {
  createJob,
  fillSlots,
  forceMatchStatus,
  listStoredMatches,
  runTask,
  tierMeans,
} from '#test/modules/matching.ts';
import { sql } from '#platform/database/database.ts';
import { sendDigest, sendDigests } from './send-digests.ts';

const publicUrl = 'https://tessera.example';
const week_ms = 7 * 86_400_000;

let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
let member: Awaited<ReturnType<TestApp['registerDeployedMember']>>;
let job_id: string;
let match_id: string;
let before: number;
const app = await startApp({ TESSERA_PUBLIC_URL: publicUrl });
beforeEach(async () => {
  org = await app.registerOrgAdmin({ name: 'Harbour Health' });
  await verifyAddress(org.user_id);
  member = await app.registerDeployedMember({ mean: fillSlots(tierMeans.strong) });
  job_id = await createJob(app, org.token, undefined, 'Night nurse www.evil.example');
  await app.drainQueue();
  match_id = (await listStoredMatches(app, job_id)).find((each) => each.member_id === member.member_id)!.id;
  before = (await app.readMails()).length;
});

const verifyAddress = (user_id: string) =>
  app.sql.run(sql`update users set email_verified_at = ${app.clock.now()} where id = ${user_id}`);

const recordInterest = (id = match_id, token = org.token) =>
  app.request('PUT', `/matches/${id}/status`, { token, body: { status: 'org_interested' } });

const respond = (decision: string) =>
  app.request('POST', `/matches/${match_id}/response`, { token: member.token, body: { decision } });

const setMemberSetting = (match_proposed: string) =>
  app.request('PUT', '/members/me/notifications', { token: member.token, body: { match_proposed } });

const setUserSettings = (match_accepted: string, match_declined = 'never') =>
  app.request('PUT', '/orgs/me/notifications', {
    token: org.token,
    body: { match_accepted, match_declined },
  });

/** The emails of this test, after all tasks that are waiting. */
async function listMails() {
  await app.drainQueue();
  return (await app.readMails()).slice(before);
}

/** Runs the scheduled task, and the tasks that it queues. */
async function runDigests() {
  await runTask(app, sendDigests, {});
  return listMails();
}

test('a member is emailed when an organisation is interested, with what to do and without a link from a title', async () => {
  await recordInterest();
  const [mail, ...others] = await listMails();
  expect(others).toEqual([]);
  expect([mail!.to, mail!.subject]).toEqual([member.email, 'An organisation is interested in you']);
  expect(mail!.text).toContain('Harbour Health');
  // The job in its own words, and how well the member fits it, without a number.
  expect(mail!.text).toContain('Night nurse');
  expect(mail!.text).toMatch(/match.*this job asks for/);
  expect(mail!.text.replace(/^http.*$/gm, '')).not.toMatch(/\d/);
  expect(mail!.text).not.toContain('www.evil.example');
});

test('each address in an email exists', async () => {
  await setUserSettings('immediately', 'immediately');
  await recordInterest();
  await app.drainQueue();
  await respond('accept');
  const text = (await listMails()).map((mail) => mail.text).join('\n');
  const pages = [...text.matchAll(/^https:\/\/tessera\.example(\S*)$/gm)].map(([, where]) => where!);
  expect(pages).toContain(`/app/matches/${match_id}`);
  expect(pages).toContain(`/app/jobs/${job_id}?status=member_accepted`);
  expect(pages).toContain('/app/account/notifications');
  // The last link of each email is the service itself.
  for (const url of new Set(pages.filter((each) => each !== ''))) {
    const { statusCode, headers } = await app.server.inject({ url, headers: { accept: 'text/html' } });
    // The page exists, and asks a stranger to log in.
    expect([url, statusCode, String(headers['location']).split('=', 1)]).toEqual([
      url,
      303,
      ['/sign-in?continue'],
    ]);
  }
});

test('those who follow the job are emailed about acceptance and decline, and nobody else', async () => {
  const follower = await createColleague(app, org.org_id, 'org_viewer');
  const other = await createColleague(app, org.org_id, 'org_viewer');
  for (const { user_id } of [follower, other]) await verifyAddress(user_id);
  const following = { following: true };
  const follow = `/orgs/me/jobs/${job_id}/following`;
  await app.request('PUT', follow, { token: follower.token, body: following });
  await setMemberSetting('never');
  await recordInterest();
  await respond('accept');
  const mails = await listMails();
  expect(mails.map(({ to }) => to).toSorted()).toEqual([follower.email, org.email].toSorted());
  expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill('A member accepted your match'));
  expect(mails[0]!.text).toContain(`/app/jobs/${job_id}?status=member_accepted`);
  // The email itself names no one: the contact is read where the read is audited.
  expect(mails[0]!.text).not.toContain(member.email);
});

test('a decline waits for the weekly digest by default, which comes once, on Monday', async () => {
  await recordInterest();
  await respond('decline');
  before += (await listMails()).length;
  expect(await runDigests()).toEqual([]);
  app.clock.advance(week_ms);
  const [digest, ...others] = await runDigests();
  expect([digest!.to, digest!.subject, others]).toEqual([org.email, 'Your matches of this week', []]);
  expect(digest!.text).toContain('A member declined the match');
  expect(await runDigests()).toHaveLength(1);
  app.clock.advance(week_ms);
  expect(await runDigests()).toHaveLength(1);
});

test('a digest has all notices of its user in one email, and leaves out what is no longer true', async () => {
  await setMemberSetting('weekly');
  const second = await createJob(app, org.token, undefined, 'Ward clerk');
  const third = await createJob(app, org.token, undefined, 'Porter');
  await app.drainQueue();
  for (const id of [second, third]) {
    const match = (await listStoredMatches(app, id)).find((each) => each.member_id === member.member_id)!;
    await recordInterest(match.id);
    await app.drainQueue();
    if (id === third) await forceMatchStatus(app, match.id, 'expired');
  }
  await recordInterest();
  expect(await listMails()).toEqual([]);
  app.clock.advance(week_ms);
  const mails = await runDigests();
  expect(mails).toHaveLength(1);
  expect(mails[0]!.text).toMatch(/Night nurse[\s\S]*Ward clerk|Ward clerk[\s\S]*Night nurse/);
  expect(mails[0]!.text).not.toContain('Porter');
});

test('a digest that could not be sent is sent again, because its notices are deleted afterwards', async () => {
  await setMemberSetting('weekly');
  await recordInterest();
  await app.drainQueue();
  app.clock.advance(week_ms);
  const mailer = { send: () => Promise.reject(new Error('no mail server')), close: async () => {} };
  await expect(runTask(app, sendDigest, { user_id: member.user_id }, { mailer })).rejects.toThrow(
    'no mail server',
  );
  expect(await runDigests()).toHaveLength(1);
});

describe('nothing is sent', () => {
  test('to a member who has withdrawn a consent since', async () => {
    await recordInterest();
    const body = { consent_type: 'matching', granted: false, version: '1.0' };
    await app.request('POST', '/members/me/consent', { token: member.token, body });
    expect(await listMails()).toEqual([]);
  });

  test('about a member who has withdrawn a consent since the acceptance', async () => {
    await setMemberSetting('never');
    await setUserSettings('weekly');
    await recordInterest();
    await respond('accept');
    await app.drainQueue();
    const body = { consent_type: 'matching', granted: false, version: '1.0' };
    await app.request('POST', '/members/me/consent', { token: member.token, body });
    app.clock.advance(week_ms);
    expect(await runDigests()).toEqual([]);
  });

  test('to users who have stopped following the job since', async () => {
    await setMemberSetting('never');
    await setUserSettings('weekly');
    await recordInterest();
    await respond('accept');
    await app.drainQueue();
    const follow = `/orgs/me/jobs/${job_id}/following`;
    await app.request('PUT', follow, { token: org.token, body: { following: false } });
    app.clock.advance(week_ms);
    expect(await runDigests()).toEqual([]);
  });

  test('to an account that is about to be deleted, and an erasure deletes settings and waiting notices', async () => {
    await setMemberSetting('weekly');
    await recordInterest();
    await app.drainQueue();
    await app.sql.run(
      sql`update members set account_status = 'pending_deletion' where id = ${member.member_id}`,
    );
    app.clock.advance(week_ms);
    expect(await runDigests()).toEqual([]);
    await app.sql.transaction(async (tx) => {
      const accounts = { user_ids: [member.user_id], emails: [member.email] };
      await app.platform.personalData['notifications']!.erasePersonalData(tx, member.member_id, accounts);
    });
    expect(
      await app.sql.list(sql`select from notification_settings where user_id = ${member.user_id}`),
    ).toEqual([]);
  });

  test('to those who want no emails, no longer follow the job, are suspended, or have not verified their address', async () => {
    const follow = `/orgs/me/jobs/${job_id}/following`;
    const prepare: readonly (() => Promise<unknown>)[] = [
      () => setUserSettings('never'),
      () => app.request('PUT', follow, { token: org.token, body: { following: false } }),
      () => app.sql.run(sql`update users set email_verified_at = null where id = ${org.user_id}`),
      () => app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where id = ${org.user_id}`),
    ];
    await setMemberSetting('never');
    for (const step of prepare) {
      await setUserSettings('immediately');
      await app.request('PUT', follow, { token: org.token, body: { following: true } });
      await verifyAddress(org.user_id);
      await forceMatchStatus(app, match_id, 'org_interested');
      await step();
      expect((await respond('accept')).status).toBe(200);
      expect(await listMails()).toEqual([]);
    }
  });
});

const defaultSettings = {
  match_proposed: 'immediately',
  feedback_open: 'immediately',
  data_read: 'weekly',
  results_ready: 'immediately',
  assessment_unfinished: 'immediately',
  credential_offered: 'immediately',
  credential_revoked: 'immediately',
  matches_found: 'never',
};

describe('one-click unsubscribing (RFC 8058)', () => {
  /** Reads the headers of the newest email as a mail program receives them. */
  async function readHeaders(): Promise<string> {
    const folder = path.join(app.platform.config.dataDir, 'mail');
    const newest = (await readdir(folder)).toSorted().at(-1)!;
    return (await readFile(path.join(folder, newest), 'utf8')).split('\r\n\r\n', 1)[0]!;
  }

  const post = (url: string) =>
    app.server.inject({
      method: 'POST',
      url,
      payload: '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });

  test('an email names the address in its headers, and one request without a login stops such emails', async () => {
    await recordInterest();
    await app.drainQueue();
    const headers = await readHeaders();
    expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const [, url] = /^List-Unsubscribe: <https:\/\/tessera\.example(\/unsubscribe\/[^>]+)>\r?$/m.exec(
      headers,
    )!;
    expect((await post(url!)).statusCode).toBe(200);
    const { body } = await app.request('GET', '/members/me/notifications', { token: member.token });
    expect(body).toEqual({ ...defaultSettings, match_proposed: 'never' });
  });

  test('an altered token and one for another user change nothing', async () => {
    await recordInterest();
    await app.drainQueue();
    const [, token] = /\/unsubscribe\/([^>]+)>/.exec(await readHeaders())!;
    const [user_id, scope, mac] = token!.split('.');
    for (const forged of [
      `${org.user_id}.${scope}.${mac}`,
      `${user_id}.all.${mac}`,
      `${user_id}.${scope}.${mac!.slice(1)}A`,
      `${user_id}.everything.${mac}`,
      'nothing',
    ])
      expect((await post(`/unsubscribe/${forged}`)).statusCode).toBe(404);
    const { body } = await app.request('GET', '/members/me/notifications', { token: member.token });
    expect(body).toEqual(defaultSettings);
  });
});
