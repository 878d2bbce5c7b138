import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerForScience, readVolunteerLink, startVolunteer } from '#test/modules/volunteers.ts';
import { startApp, type TestApp } from '../harness.ts';
import { createEmail } from '../users.ts';
import { canBrowse } from './open-browser.ts';
import { startBrowsedApp } from './start-browsed-app.ts';
import { createVisitor, readText } from './visitor.ts';

describe.runIf(canBrowse)('a volunteer in a browser', () => {
  let app: TestApp;
  let url: string;
  let browser: Browser;
  beforeAll(async () => {
    ({ app, url, browser } = await startBrowsedApp());
  });

  const kinds = [
    ['a phone without scripts', { viewport: { width: 320, height: 640 }, javaScriptEnabled: false }],
    ['a dark phone with scripts', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ] as const;

  it.each(kinds)('agrees, answers, reads a result and deletes it, on %s', async (_name, options) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(`${url}/science`);
    expect(await page.locator('main li').count()).toBeGreaterThan(2);
    await page.getByRole('button', { name: 'I agree: begin' }).click();
    for (let answered = 0; answered < 50; answered++) {
      await page.getByText(`${answered + 1} of 50`, { exact: true }).waitFor();
      app.clock.advance(5_000);
      await page
        .locator('.answers button')
        .nth(answered % 3)
        .click();
    }
    await page.getByRole('heading', { name: 'Keep this address' }).waitFor();
    const address = page.url();
    await page.getByRole('button', { name: 'Delete my answers' }).click();
    await page.getByRole('heading', { name: 'Nothing is stored any more' }).waitFor();
    expect((await page.goto(address))?.status()).toBe(404);
    await context.close();
  });
});

describe('the pages of volunteers without scripts', () => {
  it('lead from the result to one invitation, which an email confirms and the same link ends', async () => {
    const app = await startApp();
    const { code } = await answerForScience(app, await startVolunteer(app));
    const visitor = createVisitor(app);
    const email = createEmail();
    const asked = await visitor.send(await visitor.open(`/science/${code}`), 'invite', { email });
    expect(readText(asked)).toContain('Keep this address');
    await app.drainQueue();
    const link = `/science-retest?token=${await readVolunteerLink(app, email)}`;
    await visitor.send(await visitor.open(link), 'want');
    expect(readText(await visitor.open(`/science/${code}`))).toContain('You get one invitation');
    await visitor.send(await visitor.open(link), 'end');
    expect(readText(await visitor.open(`/science/${code}`))).not.toContain('You get one invitation');
  });

  it('show an item again that was answered in another tab, and refuse a form of another site', async () => {
    const app = await startApp();
    const { code } = await startVolunteer(app);
    const visitor = createVisitor(app);
    const [one, other] = [await visitor.open(`/science/${code}`), await visitor.open(`/science/${code}`)];
    await visitor.send(one, 'answer', { option: '1' });
    const late = await visitor.send(other, 'answer', { option: '2' });
    expect(readText(late)).toContain('2 of 50');
    expect((await app.request('GET', `/volunteers/${code}`)).body.answered).toBe(1);
    const foreign = await visitor.send(
      await visitor.open(`/science/${code}`),
      'delete',
      {},
      { origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
    expect((await app.request('GET', `/volunteers/${code}`)).status).toBe(200);
  });

  it('are not there by default', async () => {
    const app = await startApp({ TESSERA_VOLUNTEERS: '' });
    expect((await createVisitor(app).open('/science')).status).toBe(404);
    expect((await createVisitor(app).open('/science/abc')).status).toBe(404);
  });
});
