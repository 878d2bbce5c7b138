import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { sql } from '#platform/database/database.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import { createColleague } from '../colleague.ts';
import { unknownId, type TestApp } from '../harness.ts';
import {
  createJob,
  fillMeans,
  fillSlots,
  insertMembers,
  listStoredMatches,
  tierMeans,
} from '../modules/matching.ts';
import { password, type TestOrgUser } from '../users.ts';
import { listFaults } from './axe.ts';
import { expectNoOverflow } from './expect-no-overflow.ts';
import { canBrowse, openBrowser } from './open-browser.ts';
import { createVisitor, findForm, readText, type Visitor } from './visitor.ts';
import { findFreePort } from '#test/free-port.ts';
import { startApp } from '../harness.ts';

let app: TestApp;
let url: string;
let org: TestOrgUser;
let job_id: string;
let table: string;
beforeAll(async () => {
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  app = await startApp({ TESSERA_PUBLIC_URL: url, TESSERA_PORT: String(port) });
  await app.server.listen({ port, host: '127.0.0.1' });
  await insertMembers(
    app,
    Array.from({ length: 8 }, () => ({ mean: fillMeans(tierMeans.exceptional), variance: fillSlots(0.15) })),
  );
});
beforeEach(async () => {
  org = await app.registerOrgAdmin();
  job_id = await createJob(app, org.token);
  await app.drainQueue();
  table = `/app/jobs/${job_id}/table`;
});

async function logIn({ email }: { readonly email: string }): Promise<Visitor> {
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  return visitor;
}

const listIds = async () => (await listStoredMatches(app, job_id)).map(({ id }) => id);
const listDecided = async () => {
  const matches = await listStoredMatches(app, job_id);
  return matches.map(({ match_status }) => match_status).filter((status) => status !== 'pending_review');
};

describe('without scripts', () => {
  it('the reasons arrive, and a row has the words of the explanation', async () => {
    const visitor = await logIn(org);
    await app.sql.run(sql`delete from match_explanations`);
    const first = await visitor.open(table);
    expect(readText(first)).toContain('The reasons are being written');
    expect(first.html).toContain('data-refresh-seconds');
    await app.drainQueue();
    const page = await visitor.open(table);
    expect(page.html).not.toContain('data-refresh-seconds');
    expect(readText(page)).toContain('Above average Persistence is above average in this person.');
    expect(page.html.match(/<tr[ >]/g)).toHaveLength(9);
  });

  it('decides on the chosen person, undoes it, and decides on those ticked', async () => {
    const visitor = await logIn(org);
    const page = await visitor.open(table);
    const passed = await visitor.send(page, 'decide', { choice: 'pass' });
    expect(passed.address).toMatch(/\/table\?match=[0-9a-f-]+&decided=/);
    expect(await listDecided()).toEqual(['org_passed']);
    expect(readText(await visitor.send(passed, 'takeBack'))).toContain('The decision is taken back.');
    const ticked = Object.fromEntries(
      (await listIds()).slice(0, 3).map((id) => [`chosen_${id}`, 'pending_review']),
    );
    const asked = await visitor.send(await visitor.open(table), 'decideOnAll', ticked);
    expect(await listDecided()).toEqual(['org_interested', 'org_interested', 'org_interested']);
    await visitor.send(asked, 'undo');
    expect(await listDecided()).toEqual([]);
    expect(readText(await visitor.send(page, 'decideOnAll'))).toContain('Tick the people');
  });

  it('filters by labels of the organisation, and saves, replaces and deletes a view', async () => {
    const visitor = await logIn(org);
    const [id] = await listIds();
    const list = await visitor.open(`/app/jobs/${job_id}?match=${id}`);
    const noted = await visitor.send(list, 'note', {
      note: ' Call <b>soon</b>. ',
      labels: 'second round, , second round,can travel',
    });
    expect(readText(noted)).toContain('The note is saved.');
    const filtered = await visitor.open(`${table}?label=second+round&sort=labels`);
    expect(filtered.html.match(/<tr[ >]/g)).toHaveLength(2);
    expect(filtered.html).toContain('Call &lt;b&gt;soon&lt;/b&gt;.');
    const saved = await visitor.send(filtered, 'saveView', { name: 'To call' });
    expect(saved.html).toContain(`<a href="${table}?label=second+round&amp;sort=labels" aria-current="true"`);
    const nameless = await visitor.send(filtered, 'saveView', { name: ' ' });
    expect([nameless.status, nameless.html.includes('id="saveView-name-error"')]).toEqual([422, true]);
    const { body } = await app.request('GET', '/orgs/me/table-views', { token: org.token });
    expect(body.data).toMatchObject([{ name: 'To call', status: 'pending_review', label: 'second round' }]);
    const deleted = await visitor.send(saved, 'deleteView', { view_id: body.data[0].id });
    expect(readText(deleted)).toContain('The view is deleted.');
    expect(readText(await visitor.open(`${table}?label=unknown`))).toContain(
      'Nobody is here with this filter.',
    );
  });

  it('a label that is too long, and a colleague’s newer note, are named and lose nothing', async () => {
    const visitor = await logIn(org);
    const [id] = await listIds();
    const list = await visitor.open(`/app/jobs/${job_id}?match=${id}`);
    const long = 'x'.repeat(41);
    const refused = await visitor.send(list, 'note', { note: 'Kept.', labels: long });
    expect([refused.status, refused.html.includes('id="note-labels-error"')]).toEqual([422, true]);
    expect(refused.html).toContain(long);
    expect(refused.html).toContain('Kept.');
    await app.request('PUT', `/matches/${id}/note`, { token: org.token, body: { note: 'A colleague.' } });
    const stale = await visitor.send(list, 'note', { note: 'Kept.', labels: '' });
    expect([stale.status, stale.html.includes('Kept.')]).toEqual([412, true]);
    const { body } = await app.request('GET', `/matches/${id}/note`, { token: org.token });
    expect(body.note).toBe('A colleague.');
  });

  it('compares two to six people, and says what is wrong with one, seven, strangers and people who are gone', async () => {
    const visitor = await logIn(org);
    const ids = await listIds();
    const compare = (people: readonly string[]) =>
      visitor.open(`/app/jobs/${job_id}/compare?people=${people.join(',')}`);
    await Promise.all(
      ids.map((id) => app.request('GET', `/matches/${id}/explanation`, { token: org.token })),
    );
    await app.drainQueue();
    const two = await compare(ids.slice(0, 2));
    expect(readText(two)).toMatch(/The same of all of them: An exceptional match.*Decision/);
    const decided = await visitor.send(two, 'decide', { match_id: ids[0]!, choice: 'pass' });
    expect([decided.address.includes('compare?people='), await listDecided()]).toEqual([
      true,
      ['org_passed'],
    ]);
    expect(readText(await compare(ids.slice(0, 1)))).toContain('Choose two to six people');
    const seven = await compare(ids.slice(0, 7));
    expect([seven.status, readText(seven).includes('You chose 7 people.')]).toEqual([200, true]);
    const fewer = /href="(\/app\/jobs\/[^"]+people=[^"]+)"/.exec(seven.html)![1]!;
    expect(readText(await visitor.open(fewer))).toContain('The same of all of them');

    const other = await app.registerOrgAdmin();
    const theirs = await createJob(app, other.token);
    await app.drainQueue();
    const [stranger] = await listStoredMatches(app, theirs);
    await app.sql.transaction(async (tx) => {
      await tx.run(sql`delete from matches where id = ${ids[1]!}`);
      await tx.run(sql`delete from member_matches where match_id = ${ids[1]!}`);
    });
    for (const gone of [ids[1]!, unknownId, 'nonsense', stranger!.id]) {
      const page = await compare([ids[2]!, ids[3]!, gone]);
      expect([page.status, readText(page).includes('no longer matched with this job')]).toEqual([200, true]);
      expect(page.html.match(/<th scope="col">/g)).toHaveLength(2);
      expect((await visitor.open(`${table}?pins=${ids[2]!},${gone}`)).status).toBe(200);
    }
    const pressed = await visitor.send(await visitor.open(table), 'decideOnAll', {
      [`chosen_${ids[2]!}`]: 'true',
      [`chosen_${ids[3]!}`]: 'true',
      choice: 'compare',
    });
    expect(pressed.address).toContain(`/compare?people=${ids[2]!},${ids[3]!}`);
  });

  it('viewers look and compare but decide nothing, auditors see no table, and others no job', async () => {
    const ids = await listIds();
    await app.request('PUT', `/matches/${ids[0]!}/note`, {
      token: org.token,
      body: { note: 'For us.', labels: ['x'] },
    });
    const viewer = await logIn(await createColleague(app, org.org_id, 'org_viewer'));
    const page = await viewer.open(table);
    expect(() => findForm(page, 'decide')).toThrow('has no form decide');
    expect(page.html).not.toMatch(/type="checkbox" name="chosen_|name="action" value="saveView"/);
    expect(page.html).toContain('For us.');
    expect(readText(await viewer.open(`/app/jobs/${job_id}?match=${ids[0]!}`))).toContain('For us.');
    const auditor = await logIn(await createColleague(app, org.org_id, 'auditor'));
    expect((await auditor.open(table)).status).toBe(403);
    const list = await auditor.open(`/app/jobs/${job_id}?match=${ids[0]!}`);
    expect([list.status, list.html.includes('For us.'), list.html.includes(table)]).toEqual([
      200,
      false,
      false,
    ]);
    const stranger = await logIn(await app.registerOrgAdmin());
    expect((await stranger.open(table)).status).toBe(404);
    expect(
      (await stranger.open(`/app/jobs/${job_id}/compare?people=${ids.slice(0, 2).join(',')}`)).status,
    ).toBe(404);
  });

  it('says who is new since the last visit', async () => {
    const visitor = await logIn(org);
    const before = await visitor.open(table);
    expect(readText(before)).not.toContain('New are people');
    app.clock.advance(31 * 60_000);
    await app.registerDeployedMember({ mean: fillMeans(tierMeans.exceptional) });
    await app.drainQueue();
    const page = await visitor.open(`${table}?is_new=true`);
    expect(readText(page)).toContain('New are people who were added after your last visit on');
    expect(page.html.match(/<tr[ >]/g)).toHaveLength(2);
  });
});

describe.runIf(canBrowse)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    cleanUpAfterFile(() => browser.close());
  });

  async function openPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const visitor = await logIn(org);
    await visitor.open(table);
    await app.drainQueue();
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    await context.addCookies([
      { name: 'tessera-session', value: visitor.cookies.get('tessera-session')!, url },
    ]);
    cleanUpAfterFile(() => context.close());
    const page = await context.newPage();
    await page.goto(`${url}${table}`);
    return page;
  }

  const readCurrent = (page: Page) => page.locator('.decision-bar strong').innerText();

  /** Presses a key that leads to another page. */
  async function sendKey(page: Page, key: string): Promise<void> {
    await Promise.all([page.waitForEvent('load'), page.keyboard.press(key)]);
  }

  it('keys choose, decide, pin, compare and undo', async () => {
    const page = await openPage();
    const first = await readCurrent(page);
    await sendKey(page, 'j');
    const second = await readCurrent(page);
    expect(second).not.toBe(first);
    await sendKey(page, 'k');
    expect(await readCurrent(page)).toBe(first);
    await sendKey(page, 'i');
    expect(await readCurrent(page)).toBe(second);
    await sendKey(page, 'p');
    expect((await listDecided()).toSorted()).toEqual(['org_interested', 'org_passed']);
    await sendKey(page, 'u');
    expect(await listDecided()).toEqual(['org_interested']);
    await sendKey(page, 'm');
    await sendKey(page, 'j');
    await sendKey(page, 'm');
    await sendKey(page, 'c');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Compare people');
    expect(await page.locator('.compared thead th').count()).toBe(2);
    expect(await listFaults(page)).toEqual([]);
  });

  it('a reason is shown when its word has the focus', async () => {
    const page = await openPage();
    const word = page.locator('.reasoned').first();
    const reason = word.locator('.reason');
    const isShown = async () => (await reason.boundingBox())!.width > 100;
    expect(await isShown()).toBe(false);
    await word.focus();
    expect(await isShown()).toBe(true);
    expect(await reason.innerText()).toBe('Persistence is above average in this person.');
  });

  it('a table of 100 people loads less than 60 KB at first', async () => {
    const mean = fillMeans(tierMeans.strong);
    await insertMembers(
      app,
      Array.from({ length: 100 }, () => ({ mean, variance: fillSlots(0.15) })),
    );
    job_id = await createJob(app, org.token);
    table = `/app/jobs/${job_id}/table`;
    await app.drainQueue();
    const page = await openPage();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('.people-table tbody tr').count()).toBe(100);
    const bytes = await page.evaluate(
      `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .reduce((sum, { transferSize }) => sum + transferSize, 0)`,
    );
    expect(bytes).toBeGreaterThan(30_000);
    expect(bytes).toBeLessThanOrEqual(60 * 1024);
  });

  it.each([
    ['320 pixels', 320, 640],
    ['a phone', 390, 800],
    ['200 % zoom of a laptop', 640, 400],
  ])(
    'on %s the decision is in view wherever the page is scrolled, and nothing scrolls sideways',
    async (_, width, height) => {
      for (const javaScriptEnabled of [true, false]) {
        const page = await openPage({ viewport: { width, height }, javaScriptEnabled });
        const decision = page.getByRole('button', { name: 'Interested', exact: true });
        for (const top of [0, 300, 100_000]) {
          await page.mouse.wheel(0, top);
          const box = (await decision.boundingBox())!;
          expect([box.x >= 0, box.x + box.width <= width, box.y >= 0, box.y + box.height <= height]).toEqual([
            true,
            true,
            true,
            true,
          ]);
        }
        if (javaScriptEnabled) await expectNoOverflow(page);
        await decision.click();
        await page.getByRole('button', { name: 'Undo' }).waitFor();
      }
    },
  );
});
