import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { answerMirror, requestLink } from '#test/modules/first-mirror.ts';
import { listSentences } from '../../src/web/parts/explained-person.ts';
import { answerFirstStage } from '../assessment.ts';
import type { TestApp } from '../harness.ts';
import { verifyEmail } from '../modules/credentials.ts';
import { createEmail, password, type TestMember } from '../users.ts';
import { listFaults } from './axe.ts';
import { canBrowse } from './open-browser.ts';
import { startBrowsedApp } from './start-browsed-app.ts';

const phone = { width: 390, height: 844 };

describe.runIf(canBrowse)('a consent in layers, on the screen of a phone', () => {
  let app: TestApp;
  let url: string;
  let browser: Browser;
  beforeAll(async () => {
    ({ app, url, browser } = await startBrowsedApp());
  });

  async function openAs(member: TestMember, path: string): Promise<Page> {
    const context = await browser.newContext({ viewport: phone });
    const page = await context.newPage();
    await page.goto(`${url}/sign-in?continue=${encodeURIComponent(path)}`);
    await page.getByLabel('Email address').fill(member.email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByText('The full text, version').waitFor();
    return page;
  }

  async function registerMeasured(): Promise<TestMember> {
    const member = await app.registerMember();
    await app.sql.run(sql`update users set email_verified_at = created_at where id = ${member.user_id}`);
    await verifyEmail(app, member.member_id);
    await app.request('POST', '/members/me/consent', {
      token: member.token,
      body: { consent_type: 'assessment_data', granted: true, version: '1.0' },
    });
    await answerFirstStage(app, member.token);
    // The same result each time, of which an organisation reads two strengths.
    const list = (value: number) => Array<number>(20).fill(value);
    await app.sql.run(sql`
      update trait_vectors set latent_mean = ${list(1)}::real[], latent_variance = ${list(0.2)}::real[] where member_id = ${member.member_id}`);
    return member;
  }

  /** The layers and their button fit, and the published text is folded below. */
  async function expectOneScreen(page: Page): Promise<void> {
    const button = await page.locator('main button:visible').first().boundingBox();
    expect(button!.y + button!.height).toBeLessThanOrEqual(phone.height);
    const text = page.locator('.terms');
    expect(await text.isVisible()).toBe(false);
    await page.getByText('The full text, version').click();
    expect(await text.isVisible()).toBe(true);
    expect(await listFaults(page)).toEqual([]);
    await page.context().close();
  }

  it('says what, for how long and who sees it before the first statement, with the button in sight', async () => {
    await expectOneScreen(await openAs(await app.registerMember(), '/app/assessment'));
    const token = await requestLink(app, (await answerMirror(app, 2)).mirror, createEmail());
    const page = await browser.newPage({ viewport: phone });
    await page.goto(`${url}/keep-mirror?token=${token}`);
    await expectOneScreen(page);
  });

  it('shows before matching what an organisation would read of this member, in its words', async () => {
    const member = await registerMeasured();
    const { body } = await app.request('GET', '/members/me/previews/explanation', { token: member.token });
    const page = await openAs(member, '/app/consent/matching');
    const example = await page.locator('.example').innerText();
    for (const { reason } of body.standings) expect(example).toContain(reason);
    const everything = await page.locator('.example').textContent();
    for (const sentence of listSentences(body.summary_text)) expect(everything).toContain(sentence);
    expect(example).not.toMatch(/\d/);
    await expectOneScreen(page);
  });

  it('shows before paid reads the labels that a buyer would get', async () => {
    const member = await registerMeasured();
    const page = await openAs(member, '/app/consent/identity_queries');
    const example = await page.locator('.example').innerText();
    expect(example).toMatch(/Thinking\s+(high|strong|moderate|emerging)/);
    expect(example).not.toMatch(/\d/);
    await expectOneScreen(page);
  });
});
