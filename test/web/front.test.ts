import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answer_days } from '#modules/matching/reviews';
import { matchQualities } from '#modules/matching/engine';
import { continuousTraits, traitFamilies, traitFamilyNames } from '#modules/measurement/traits';
import { mirror_statements } from '../../src/modules/measurement/traits/mirror/choose-statement.ts';
import { pageRows } from '../../src/tables/pages.ts';
import { proposePriorities } from '../../src/web/organisation/jobs/priorities.ts';
import { listedPages } from '../../src/web/serving/search-engines.ts';
import { listSentences } from '../../src/web/parts/explained-person.ts';
import { english } from '../../src/web/texts/english.ts';
import { startApp, type TestApp } from '../harness.ts';

const publicUrl = 'https://tessera.example';
const app = await startApp({ TESSERA_PUBLIC_URL: publicUrl });

async function open(path: string, on: TestApp = app) {
  const reply = await on.server.inject({ url: path, headers: { accept: 'text/html' } });
  return { status: reply.statusCode, html: reply.body, text: readText(reply.body), headers: reply.headers };
}

/** What a reader sees, with one space between words. */
function readText(html: string): string {
  const body = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  return body
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
}

const read = async (path: string) => (await app.request('GET', path)).body;

describe('search engines and shared links', () => {
  it('list the pages that explain the service, which everybody may see and which have no parameter', async () => {
    const rows = new Map(pageRows.map((row) => [row.path, row]));
    for (const path of listedPages) expect([path, rows.get(path)?.who]).toEqual([path, 'anyone']);
    const { status, html, headers } = await open('/sitemap.xml');
    expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
    const listed = [...html.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url);
    expect(listed).toEqual(listedPages.map((path) => `${publicUrl}${path}`));
  });

  it('are kept from data and from what is behind a login', async () => {
    const { status, html, headers } = await open('/robots.txt');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(html.split('\n').at(-2)).toBe(`Sitemap: ${publicUrl}/sitemap.xml`);
    const closed = [...html.matchAll(/^Disallow: (.*)$/gm)].map(([, path]) => path!);
    const isClosed = (path: string) => closed.some((each) => path.startsWith(each));
    const behindLogin = pageRows.filter(({ who }) => who !== 'anyone').map(({ path }) => path);
    expect(behindLogin.filter((path) => !isClosed(path))).toEqual([]);
    expect(listedPages.filter(isClosed)).toEqual([]);
    expect(isClosed('/api/v1/members/me')).toBe(true);
  });

  it.each(listedPages)('have the address, a description and a card of %s', async (path) => {
    const { status, html } = await open(`${path}?from=elsewhere`);
    expect(status).toBe(200);
    expect(html).toContain(`<link rel="canonical" href="${publicUrl}${path}" />`);
    expect(html).not.toContain('noindex');
    const properties = new Map(
      [...html.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value!,
      ]),
    );
    expect(properties.get('og:url')).toBe(`${publicUrl}${path}`);
    expect(properties.get('og:title')?.length).toBeGreaterThan(3);
    const description = properties.get('description')!;
    expect(properties.get('og:description')).toBe(description);
    expect(description.length).toBeGreaterThan(40);
    expect(description.length).toBeLessThanOrEqual(200);
    const image = new URL(properties.get('og:image')!);
    expect(image.origin).toBe(publicUrl);
    const picture = await app.server.inject(`${image.pathname}${image.search}`);
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/png']);
    expect(picture.rawPayload.subarray(16, 24)).toEqual(Buffer.from([0, 0, 4, 176, 0, 0, 2, 118]));
  });

  it('have different titles and descriptions', async () => {
    const pages = await Promise.all(listedPages.map(async (path) => (await open(path)).html));
    for (const pattern of [/<title>(.*?)<\/title>/, /name="description" content="(.*?)"/])
      expect(new Set(pages.map((html) => pattern.exec(html)?.[1])).size).toBe(listedPages.length);
  });

  it('leave out every other page, and a page that does not exist', async () => {
    for (const path of [
      '/sign-in',
      '/register',
      '/first-mirror',
      '/claim',
      '/reset-password?token=x',
      '/nowhere',
    ]) {
      const { html } = await open(path);
      if (html === '') continue;
      expect([path, html.includes('content="noindex"'), html.includes('canonical')]).toEqual([
        path,
        true,
        false,
      ]);
    }
  });
});

describe('the example', () => {
  it('says what the operations compute, word by word', async () => {
    const { text } = await open('/how-it-works');
    const match = await read('/example/match');
    const { member, organisation_before, organisation_after, person } = match;
    const { answered } = await read('/example/traits');
    for (const sentence of [
      member.summary_text,
      ...listSentences(organisation_before.summary_text),
      ...organisation_before.top_strengths,
      ...organisation_after.top_strengths,
      ...organisation_after.growth_areas,
      ...match.requirements.map(({ asked }: { asked: string }) => asked),
      person.email,
    ])
      expect(text).toContain(sentence);
    expect(text).toContain(`${person.name} has answered ${answered} statements`);
    expect(text).toContain(`${person.name} does not exist`);
  });

  it('names her before both agree in no sentence but its own, and shows the employer letters', async () => {
    const { html } = await open('/how-it-works');
    const before = html.slice(html.indexOf(english.example.before), html.indexOf(english.example.after));
    expect(before).toMatch(/Person [B-T]{5}/);
    expect(before).not.toContain('Mira');
  });

  it('splits the price as the books do', async () => {
    const { text } = await open('/how-it-works');
    const { price, member_share, service_share, share_percent } = await read('/example/read');
    expect(text).toContain(`The employer pays US$${price}`);
    expect(text).toContain(`She earns ${share_percent} % US$${member_share}`);
    expect(text).toContain(`The service keeps US$${service_share}`);
    expect(share_percent).toBe(75);
  });

  it('marks each of its views as an example', async () => {
    const { html } = await open('/how-it-works');
    const count = (pattern: RegExp) => [...html.matchAll(pattern)].length;
    expect(count(/class="panel example"/g)).toBe(5);
    expect(count(/mark-of-example/g)).toBe(5);
  });
});

describe('the first step of a job', () => {
  it('says what three priorities would ask, and stores nothing', async () => {
    const { status, text, headers } = await open(
      '/for-employers?first=sincerity&second=empathic_attunement&third=persistence',
    );
    expect([status, headers['set-cookie']]).toEqual([200, undefined]);
    expect(text).toContain(
      'Sincerity 38 % never Empathy 33 % before both agree Persistence 29 % before both agree',
    );
  });

  it('limits a single priority as the fit does', async () => {
    const { text } = await open('/for-employers?first=persistence');
    expect(text).toContain('Persistence 40 %');
    expect(text).toContain(english.employers.limited('40 %'));
  });

  it.each([
    ['/for-employers?first=height&second=', 200],
    ['/for-employers?first=persistence&second=persistence', 200],
    [`/for-employers?occupation=${'x'.repeat(300)}`, 200],
    ['/for-employers?occupation=nobody-works-as-this', 200],
    ['/for-employers?occupation=%00', 422],
  ])('answers %s', async (path, status) => {
    const reply = await open(path);
    expect(reply.status).toBe(status);
    expect(reply.text.includes(english.employers.resultTitle)).toBe(path.includes('first=persistence'));
  });

  it('offers every trait that is measured on a scale, and says its figures from the rules', async () => {
    const { html, text } = await open('/for-employers');
    for (const code of continuousTraits) expect(html).toContain(`value="${code}"`);
    const { organisations } = await read('/prices');
    const free = Math.min(...organisations.map(({ free_reads }: { free_reads: number }) => free_reads));
    expect(text).toContain(`${free} free reads`);
    expect(text).toContain(`answers within ${answer_days} days`);
    // "at most five": what an outline names, whatever a job asks for.
    const { body } = await app.request('POST', '/job-outline', {
      body: { trait_priorities: Object.fromEntries(continuousTraits.map((code) => [code, 0.5])) },
    });
    expect(body.asks.filter(({ is_named }: { is_named: boolean }) => is_named)).toHaveLength(5);
  });
});

describe('the prices', () => {
  it('are those of the operation', async () => {
    const { text } = await open('/prices');
    const prices = await read('/prices');
    const dollars = new Intl.NumberFormat('en-GB', {
      style: 'currency',
      currency: 'USD',
      maximumFractionDigits: 6,
    });
    for (const { base_price, member_share, price_from, price_to } of prices.reads)
      expect(text).toContain(
        [base_price, member_share, price_from, price_to].map((each) => dollars.format(each)).join(' '),
      );
    for (const { free_reads, daily_reads } of prices.organisations)
      expect(text).toContain(`${free_reads} ${new Intl.NumberFormat('en-GB').format(daily_reads)}`);
    expect(text).toContain(`${prices.member_share_percent} % of each price`);
    expect(text).toContain(`from ${dollars.format(prices.payout_minimum)} on`);
    expect(text).toContain(english.prices.mock);
  });
});

describe('figures in words', () => {
  it('are those of the rules', () => {
    expect(english.example.try).toContain('twelve to fifteen statements');
    expect(mirror_statements).toEqual({ fewest: 12, most: 15 });
    expect(english.employers.getPoints('', '')[0]).toContain('four tiers, from exceptional to developing');
    expect([matchQualities.length, matchQualities[0], matchQualities.at(-1)]).toEqual([
      4,
      'exceptional',
      'developing',
    ]);
    expect(english.prices.kinds.trait_profile).toContain('five families');
    expect(traitFamilyNames).toHaveLength(5);
    expect(english.employers.ofOccupation('')).toContain('the five priorities');
    const rated = Object.fromEntries(continuousTraits.map((code) => [code, 0.5]));
    expect(Object.keys(proposePriorities(rated))).toHaveLength(5);
    expect([english.fairness.none, english.transparency.noMembers].join()).toMatch(
      /fewer than fifty.*fewer than fifty/,
    );
    expect(english.employers.integrity).toContain('Sincerity, fair dealing, accountability and discretion');
    expect(traitFamilies.integrity_trust).toEqual([
      'sincerity',
      'fair_dealing',
      'accountability',
      'discretion',
    ]);
  });
});

describe('what can be checked', () => {
  it('cites only law that the map of compliance has, and says what is missing in its words', () => {
    const map = readFileSync('docs/compliance.md', 'utf8');
    for (const [source] of english.transparency.law)
      for (const part of source.split(/, (?=article|6 RCNY)/)) expect(map).toContain(part);
    expect(map).toContain('does no impact assessment');
  });

  it('names the license of the package, and the source if the operator does', async () => {
    const { license } = JSON.parse(readFileSync('package.json', 'utf8')) as { license: string };
    expect(license).toBe('Apache-2.0');
    expect((await open('/transparency')).text).toContain(english.transparency.sourceUnknown);
    const own = await startApp({ TESSERA_SOURCE_URL: 'https://git.example/tessera' });
    expect((await open('/transparency', own)).html).toContain('href="https://git.example/tessera"');
  });

  it('says how much of the report and of the groups is not known', async () => {
    const { text } = await open('/transparency');
    const { sections, version } = await read('/technical-report');
    const missing = sections.filter((each: { missing: string[] }) => each.missing.length > 0).length;
    expect(text).toContain(`Parameters ${version}. ${missing} of its ${sections.length} sections`);
    expect((await read('/fairness')).smallest_group).toBe(50);
    expect(text).toContain(english.transparency.noMembers);
    expect((await open('/fairness')).text).toContain(english.fairness.none);
  });
});

describe('the texts of the operator', () => {
  it.each(['about', 'terms', 'privacy'] as const)(
    '%s is a template that says so, until the operator has a text',
    async (name) => {
      const { text, html } = await open(`/${name}`);
      expect(text).toContain(english.operatorTexts.template);
      expect(text).toContain('[');
      expect(html).not.toMatch(/undefined|NaN/);
    },
  );

  it('the template of privacy has the times of the settings', async () => {
    const own = await startApp({ TESSERA_RETENTION_SECONDS: '1209600', TESSERA_AUDIT_DAYS: '200' });
    const { text } = await open('/privacy', own);
    expect(text).toContain('is erased 14 days later');
    expect(text).toContain('kept 200 days');
  });

  it('are shown as they are written, with headings, lists and links, and without markup of their own', async () => {
    const own = await startApp({
      TESSERA_ABOUT_TEXT:
        'Harbour Ltd.\n\n# Contact\nSee https://harbour.example/contact.\n\n- one <b>x</b>\n- two',
      TESSERA_TERMS_TEXT: 'Be fair.',
      TESSERA_PRIVACY_URL: 'https://harbour.example/privacy',
    });
    const { html, text } = await open('/about', own);
    expect(html).toContain('<h2>Contact</h2>');
    expect(html).toContain('<a href="https://harbour.example/contact">https://harbour.example/contact</a>.');
    expect(html).toContain('<li>one &lt;b&gt;x&lt;/b&gt;</li>');
    expect(text).not.toContain(english.operatorTexts.template);
    expect((await open('/terms', own)).text).toContain('Be fair.');
    expect((await open('/privacy', own)).html).toContain('href="https://harbour.example/privacy"');
    const { html: register } = await open('/register', own);
    expect(register).toContain('href="/terms"');
    expect(register).toContain('href="https://harbour.example/privacy"');
  });
});
