import type { Browser, BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { answerFirstStage, answerItems } from '../assessment.ts';
import type { TestApp } from '../harness.ts';
import { verifyEmail } from '../modules/credentials.ts';
import { password } from '../users.ts';
import { canBrowse } from './open-browser.ts';
import { startBrowsedApp } from './start-browsed-app.ts';

describe.runIf(canBrowse)('a member in a browser', () => {
  let app: TestApp;
  let url: string;
  let browser: Browser;
  beforeAll(async () => {
    ({ app, url, browser } = await startBrowsedApp());
  });

  async function registerVerified() {
    const member = await app.registerMember({ name: 'Ada Lind' });
    await app.sql.run(sql`update users set email_verified_at = created_at where id = ${member.user_id}`);
    await verifyEmail(app, member.member_id);
    return member;
  }

  async function logIn(context: BrowserContext, email: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${url}/sign-in`);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Hello, Ada Lind' }).waitFor();
    return page;
  }

  it('takes the whole first stage by keyboard alone: consent, answers, one step back, pause, and the first results', async () => {
    const { email, token } = await registerVerified();
    const context = await browser.newContext();
    const page = await logIn(context, email);
    await chooseByKey(page, 'Begin');
    await page.getByRole('heading', { name: 'How do you work?' }).waitFor();
    await chooseByKey(page, 'I agree, let us begin');
    await answerByKey(page, 0, 7);
    await page.getByText('7 of about 50').waitFor();
    await page.keyboard.press('Backspace');
    await answerByKey(page, 6, 8);
    await page.getByText('8 of about 50').waitFor();
    await chooseByKey(page, 'Pause');
    await page.getByRole('heading', { name: 'Hello, Ada Lind' }).waitFor();
    // Meanwhile, most statements are answered on another device.
    await answerItems(app, token, ({ progress }) => progress.answered < 46);
    await chooseByKey(page, 'Continue');
    await answerByKey(page, 46, 50);
    await page.getByRole('heading', { name: 'Your first results are ready' }).waitFor();
    await chooseByKey(page, 'Read your results');
    await page.getByRole('heading', { name: 'Your traits' }).waitFor();
    expect(await page.getByText('This is a first result.').count()).toBe(1);
    await context.close();
  });

  it('decides about consent, makes a credential, offers it to a wallet and revokes it with scripts off', async () => {
    const { email, token } = await registerVerified();
    await app.request('POST', '/members/me/consent', {
      token,
      body: { consent_type: 'assessment_data', granted: true, version: '1.0' },
    });
    await answerFirstStage(app, token);
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
    });
    const page = await logIn(context, email);
    await page.getByRole('link', { name: 'Sharing' }).click();
    await page.getByRole('link', { name: 'Consent' }).click();
    await page.getByRole('link', { name: 'Read and decide: Sharing credentials' }).click();
    await page.getByRole('button', { name: 'I agree' }).click();
    await page.getByText('Sharing credentials: given').waitFor();
    await page.getByRole('link', { name: 'Credentials', exact: true }).click();
    await page.getByRole('link', { name: 'Make a credential' }).click();
    await page.getByRole('radio').last().check();
    await page.getByLabel('How long it is valid').selectOption('Two years');
    await page.getByRole('button', { name: 'Make the credential' }).click();
    await page.getByRole('heading', { name: 'Measured traits' }).waitFor();
    await page.getByRole('button', { name: 'Make it public' }).click();
    await page.getByText('can also read what the credential says').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save as PDF' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^tessera-credential-[\w-]{36}\.pdf$/);
    await page.getByRole('link', { name: 'Offer it to a wallet' }).click();
    await page.getByRole('button', { name: 'Offer it to a wallet' }).click();
    await page.getByText('The six digits', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke it for good' }).click();
    await page.getByText('The credential is revoked.').waitFor();
    await context.close();
  });
});

/** Answers statements with the number keys, from one count of answers to another. */
async function answerByKey(page: Page, from: number, to: number): Promise<void> {
  for (let answered = from; answered < to; answered++) {
    await page.getByText(`${answered} of about 50`).waitFor();
    await page.keyboard.press(String((answered % 5) + 1));
  }
}

/** Moves the focus with the Tab key to a link or button with these words. */
async function moveFocus(page: Page, words: string): Promise<void> {
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate('document.activeElement.textContent.trim()');
    if (focused === words) return;
  }
  throw new Error(`the Tab key does not reach ${words}`);
}

/** Opens the link or presses the button with these words, by keyboard. */
async function chooseByKey(page: Page, words: string): Promise<void> {
  await moveFocus(page, words);
  await page.keyboard.press('Enter');
}
