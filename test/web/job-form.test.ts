import { beforeAll, describe, expect, it } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { importTemplates } from '#modules/matching/jobs';
import { sql } from '#platform/database/database.ts';
import { findFreePort } from '#test/free-port.ts';
import { sampleDir } from '../../src/demo/load-jobs.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import { startApp, type TestApp } from '../harness.ts';
import { measureGenders } from '../modules/impact.ts';
import { password, type TestOrgUser } from '../users.ts';
import { listFaults } from './axe.ts';
import { expectNoOverflow } from './expect-no-overflow.ts';
import { fillJobForm } from './fill-job-form.ts';
import { canBrowse, openBrowser } from './open-browser.ts';
import { createVisitor, readText, unescapeHtml, type Visitor } from './visitor.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  app = await startApp({ TESSERA_PUBLIC_URL: url, TESSERA_PORT: String(port) });
  await app.server.listen({ port, host: '127.0.0.1' });
  await importTemplates(app.platform, { dir: sampleDir });
  await measureGenders(app.platform.database, app.clock.now());
});

async function logIn({ email }: Pick<TestOrgUser, 'email'>): Promise<Visitor> {
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  return visitor;
}

const advertisement = `Ward clerk, evenings
You keep calm in emergencies and under pressure.
You work in a team with nurses, and treat records as confidential.`;
const path = '/app/jobs/new';

describe('a job from a pasted text', () => {
  it('has priorities with the words that speak for them, which a person can change before the job exists', async () => {
    const visitor = await logIn(await app.registerOrgAdmin());
    const read = await visitor.send(await visitor.open(path), 'read', { document: advertisement });
    expect(read.status).toBe(200);
    expect(readText(read)).toContain(
      'Calm under pressure The text says “calm”, “emergencies” and “under pressure”.',
    );
    const fields = fillJobForm(read, {});
    expect([fields['title'], fields['priority_pressure_response']]).toEqual(['Ward clerk, evenings', '0.8']);
    expect(fields['outcome_description']).toMatch(/^You keep calm/);
    // The reasons stay beside the sliders, whatever else is asked.
    const asked = await visitor.send(read, 'send', { ...fields, choice: 'reach' });
    expect(readText(asked)).toContain('The text says “confidential”.');
    const refused = await visitor.send(asked, 'send', fillJobForm(asked, { title: '' }));
    expect([refused.status, readText(refused).includes('The text says “confidential”.')]).toEqual([
      422,
      true,
    ]);
    const changed = fillJobForm(refused, { title: 'Ward clerk', priority_discretion: '0' });
    const created = await visitor.send(refused, 'send', changed);
    expect(created.address).toContain('notice=jobCreated');
    const job = await app.sql.one(sql<{ trait_priorities: unknown }>`
      select trait_priorities from jobs where title = 'Ward clerk'`);
    expect(job.trait_priorities).toEqual({ pressure_response: 0.8, collaborative_orientation: 0.5 });
  });

  it('of another language, of a page with scripts, without words or too long gets a clear answer', async () => {
    const visitor = await logIn(await app.registerOrgAdmin());
    const page = await visitor.open(path);
    const read = async (document: string) => visitor.send(page, 'read', { document });
    const german = await read(
      'Pflegekraft\nWir suchen für die Klinik eine Person mit Integrity, die mit uns im Team arbeitet.',
    );
    expect(readText(german)).toContain('This text does not seem to be English');
    expect(Object.keys(fillJobForm(german, {})).filter((name) => name.startsWith('proposal'))).toEqual([]);
    const posting = {
      '@type': 'JobPosting',
      title: '<img src=x onerror=alert(1)>Clerk',
      description: '<p>You are calm.</p>',
    };
    const html = `<script>alert(1)</script><script type="application/ld+json">${JSON.stringify([posting, posting])}</script>`;
    const scripted = await read(html);
    expect(readText(scripted)).toContain('The text has 2 jobs. This is the first.');
    expect(fillJobForm(scripted, {})).toMatchObject({
      title: 'Clerk',
      outcome_description: 'You are calm.',
    });
    expect(scripted.html).not.toContain('alert(1)');
    expect(readText(await read('We are a company in the city.'))).toContain('No word of this text says');
    const empty = await read('<script>let a;</script>');
    expect([empty.status, readText(empty).includes('Has no text to read.')]).toEqual([422, true]);
    const long = await read('calm '.repeat(45_000));
    expect([long.status, readText(long).includes('Is longer than 200,000 characters')]).toEqual([422, true]);
    const megabyte = await read('calm '.repeat(210_000));
    expect([megabyte.status, readText(megabyte).includes('That is too long')]).toEqual([413, true]);
  });
});

describe('the form of a job, without scripts', () => {
  it('begins with three choices, and an occupation fills in the text', async () => {
    const visitor = await logIn(await app.registerOrgAdmin());
    const page = await visitor.open(path);
    const job = {
      title: 'Archivist',
      outcome_description: 'Order.',
      pick_1: 'persistence',
      pick_2: 'discretion',
    };
    const created = await visitor.send(page, 'send', fillJobForm(page, job));
    expect(created.address).toContain('notice=jobCreated');
    const stored = await app.sql.one(sql<{ trait_priorities: unknown }>`
      select trait_priorities from jobs where title = 'Archivist'`);
    expect(stored.trait_priorities).toEqual({ persistence: 0.9, discretion: 0.75 });
    const found = await visitor.open(`${path}?occupation=care&template=99-1001.00`);
    expect(fillJobForm(found, {})['outcome_description']).not.toBe('');
  });

  it('tells all faults at once, each at its field', async () => {
    const visitor = await logIn(await app.registerOrgAdmin());
    const page = await visitor.open(path);
    const wrong = {
      title: '',
      outcome_description: ' ',
      location_countries: 'Australia, Atlantis',
      years_experience_min: '-1',
      salary_min: '9',
      salary_max: '3',
      salary_currency: '',
    };
    const refused = await visitor.send(page, 'send', fillJobForm(page, wrong));
    expect(refused.status).toBe(422);
    const named = [...refused.html.matchAll(/class="error" id="send-(\w+)-error"/g)].map(([, name]) => name);
    expect(named).toEqual([
      'title',
      'outcome_description',
      'pick_1',
      'location_countries',
      'years_experience_min',
      'salary_max',
      'salary_currency',
    ]);
    const text = unescapeHtml(refused.html);
    expect(text).toContain('Choose at least one.');
    expect(text).toContain('Atlantis');
    expect(text).toContain('value="Australia, Atlantis"');
    const right = {
      title: 'Clerk',
      outcome_description: 'Order.',
      pick_1: 'persistence',
      location_countries: 'Australia',
      years_experience_min: '1',
      salary_max: '10',
      salary_currency: 'AUD',
    };
    const created = await visitor.send(refused, 'send', fillJobForm(refused, right));
    expect(created.address).toContain('notice=jobCreated');
  });

  it('says beside the sliders whom the priorities reach, by a button', async () => {
    const visitor = await logIn(await app.registerOrgAdmin());
    const page = await visitor.open(path);
    const asked = await visitor.send(
      page,
      'send',
      fillJobForm(page, { pick_1: 'persistence', choice: 'reach' }),
    );
    expect(readText(asked)).toMatch(
      /Of about 1,300 members .* so many would fit: Exceptional match: .* Developing match: about \d/,
    );
    expect(fillJobForm(asked, {})['priority_persistence']).toBe('0.9');
  });
});

describe.skipIf(!canBrowse)('the form of a job, in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    cleanUpAfterFile(() => browser.close());
  });

  async function open(width: number, height: number): Promise<{ page: Page; context: BrowserContext }> {
    const { email } = await app.registerOrgAdmin();
    const context = await browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(`${url}/sign-in`);
    await page.fill('input[name=email]', email);
    await page.fill('input[name=password]', password);
    await page.click('form.primary button');
    await page.waitForURL(`${url}/app`);
    await page.goto(`${url}${path}`);
    return { page, context };
  }

  for (const [name, width, height] of [
    ['a desktop', 1280, 860],
    ['a phone', 390, 800],
  ] as const)
    it(`on ${name}, whom it reaches follows the keys on a slider, and an advertisement becomes a job by keyboard alone`, async () => {
      const { page, context } = await open(width, height);
      await page.focus('.from-text > summary');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.insertText(`${advertisement}\nYou have compassion.`);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#proposal');
      expect(await listFaults(page)).toEqual([]);
      await expectNoOverflow(page);
      const reach = page.locator('#reach [aria-live]');
      await reach.getByText('Exceptional match').waitFor();
      const before = await reach.textContent();
      await page.focus('[name=priority_empathic_attunement]');
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight');
      await expect.poll(() => reach.textContent(), { timeout: 20_000 }).not.toBe(before);
      expect(asked.filter((each) => each === '/app/jobs/reach').length).toBeLessThanOrEqual(3);
      expect(await page.locator('#reach').isVisible()).toBe(true);
      await page.focus('[name=title]');
      await page.keyboard.press('Enter');
      await page.waitForURL(/notice=jobCreated/);
      await context.close();
    });

  it('names everything that is missing at once, each at its field', async () => {
    const { page, context } = await open(1280, 860);
    await page.getByRole('button', { name: 'Create the job' }).click();
    await page.locator('.error').first().waitFor();
    const missing = page.locator('[aria-invalid=true]');
    const names = await missing.evaluateAll((fields) => fields.map((field) => field.getAttribute('name')));
    expect(names).toEqual(expect.arrayContaining(['title', 'outcome_description']));
    expect(await page.locator('.error').allInnerTexts()).toEqual([
      'Fill this in.',
      'Fill this in.',
      'Choose at least one.',
    ]);
    expect(await listFaults(page)).toEqual([]);
    await context.close();
  });

  it('a text that is too long to be sent is refused before it is sent, and stays', async () => {
    const { page, context } = await open(1280, 860);
    await page.click('.from-text > summary');
    const field = page.locator('[name=document]');
    await page.evaluate(`
      const field = document.querySelector('[name=document]');
      field.value = 'calm '.repeat(210_000);
      field.dispatchEvent(new Event('input', { bubbles: true }));`);
    await page.click('.from-text button');
    expect(page.url()).toBe(`${url}${path}`);
    expect(await page.evaluate('document.querySelector("[name=document]").validationMessage')).toContain(
      '200,000 characters',
    );
    expect((await field.inputValue()).length).toBe(1_050_000);
    await context.close();
  });
});
