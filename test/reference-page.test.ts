import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { cleanUpAfterFile } from './clean-up.ts';
import { startApp } from './harness.ts';
import { listFaults } from './web/axe.ts';
import { expectNoOverflow } from './web/expect-no-overflow.ts';
import { canBrowse, openBrowser } from './web/open-browser.ts';

let url: string;
let browser: Browser;

type Visit = { readonly page: Page; readonly hosts: ReadonlySet<string>; readonly errors: readonly string[] };

async function openPage(
  address: string,
  colorScheme: 'light' | 'dark' = 'light',
  width = 1280,
): Promise<Visit> {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
  const hosts = new Set<string>();
  const errors: string[] = [];
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`${url}${address}`);
  return { page, hosts, errors };
}

describe.runIf(canBrowse)('the page at /docs in a browser', () => {
  beforeAll(async () => {
    const app = await startApp();
    url = await app.server.listen({ port: 0, host: '127.0.0.1' });
    browser = await openBrowser();
    cleanUpAfterFile(() => browser.close());
  });

  it('gets a stranger a token and a reply, without a request to another host and without an error', async () => {
    const { page, hosts, errors } = await openPage('/docs');
    await page.getByLabel('Email address', { exact: true }).fill('mira.okafor@example.org');
    await page.getByLabel('Password', { exact: true }).fill('Correct-Horse-7-Battery');
    await page.getByLabel('Role of a new account').selectOption('org_admin');
    await page.getByLabel('Name of a new account').fill('Harbour Health');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.locator('#token-status:not(:empty)').waitFor();
    expect(await page.locator('#token-status').innerText()).toMatch(/^Logged in as mira.okafor@example.org/);
    expect(await page.getByLabel('Access token', { exact: true }).inputValue()).toMatch(/^eyJ/);

    const create = page.locator('[id="jobs.createJob"]');
    await create.locator('summary').click();
    await create.getByRole('button', { name: 'Send' }).click();
    await create.getByText('201 ← POST /api/v1/orgs/me/jobs').waitFor();
    const job = JSON.parse(await create.getByLabel('Reply', { exact: true }).innerText());
    expect(job).toMatchObject({ title: 'Water quality analyst', status: 'active' });

    const read = page.locator('[id="jobs.readJob"]');
    await read.locator('summary').click();
    await read.locator('input[name="job_id"]').fill(job.id);
    await read.getByRole('button', { name: 'Send' }).click();
    await read.getByText(`200 ← GET /api/v1/orgs/me/jobs/${job.id}`).waitFor();
    expect([...hosts]).toEqual([new URL(url).host]);
    expect(errors).toEqual([]);
  });

  it.each([
    ['light', 1280, undefined],
    // It differs from the light page in its colours alone.
    ['dark', 1280, ['color-contrast']],
    ['light', 390, undefined],
  ] as const)(
    'has no accessibility fault that axe-core finds and no sideways scrolling, %s at %i pixels',
    async (scheme, width, rules) => {
      const { page, errors } = await openPage('/docs', scheme, width);
      await page.evaluate(openSomeOperations);
      await expectNoOverflow(page);
      // The policy of the page refuses scripts in the page; the driver runs this one outside of it.
      expect(await listFaults(page, rules)).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  it('opens the endpoint that a link names', async () => {
    const { page } = await openPage('/docs#credentials.issueCredential');
    const issue = page.locator('[id="credentials.issueCredential"]');
    expect(await issue.getAttribute('open')).not.toBeNull();
    expect(await issue.locator('textarea').inputValue()).toContain('trait_attestation');
  });

  it('shows why a login failed', async () => {
    const { page } = await openPage('/docs');
    await page.getByLabel('Email address', { exact: true }).fill('nobody@example.org');
    await page.getByLabel('Password', { exact: true }).fill('Wrong-Horse-7-Battery');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('The email address or the password is wrong.').first().waitFor();
    expect(await page.locator('#token-status').getAttribute('class')).toBe('bad');
  });
});

/** Every twentieth endpoint: the rest has the same structure, and checking all takes minutes. */
const openSomeOperations =
  "document.querySelectorAll('details').forEach((each, index) => { each.open = index % 20 === 0; })";
