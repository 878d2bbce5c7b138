import { describe, expect, it } from 'vitest';
import { pageRows } from '../../src/tables/pages.ts';
import { findFreePort } from '#test/free-port.ts';
import { startApp } from '../harness.ts';
import { createPersonas } from './personas.ts';
import { pageVisits, type Persona } from './visits.ts';

const port = await findFreePort();
const url = `http://localhost:${port}`;
const app = await startApp({ TESSERA_PUBLIC_URL: url, TESSERA_PORT: String(port) });
await app.server.listen({ port, host: '127.0.0.1' });
const personas = await createPersonas(url, app.platform, () => app.drainQueue());

async function read(as: Persona, address: string): Promise<string> {
  const session = personas.sessions[as];
  const { payload } = await app.server.inject({
    url: address,
    headers: { accept: 'text/html', host: `localhost:${port}` },
    ...(session !== undefined && { cookies: { 'tessera-session': session } }),
  });
  return payload;
}

/** The counts of the navigation, each with its words. */
const readMarks = (html: string) =>
  [
    ...html.matchAll(
      /<span class="count" aria-hidden="true">([^<]+)<\/span><span class="hidden">, ([^<]*)</g,
    ),
  ].map(([, count, words]) => [count, words]);

describe('the navigation', () => {
  // What a person may open without following a link of another person, of an email, or of a form.
  const reached = new Set([
    '/app/account/confirm',
    '/oauth/handle',
    // What the script of the form of a job loads, and what only small or empty organisations are led to.
    '/app/jobs/reach',
    '/app/example',
    '/app/culture/declaration',
  ]);
  // An auditor who types their address reads that an administrator does this.
  const created = new Set([
    '/app/jobs/new',
    '/app/jobs/import',
    '/app/reads/new',
    '/app/keys/new',
    '/app/attestations/new',
    '/app/attestations/table',
  ]);
  it.each(['matched', 'admin', 'auditor', 'operator'] as const)(
    'leads %s to every page, link by link',
    async (as) => {
      const seen = new Set<string>();
      const waiting = [as === 'operator' ? '/app/operator' : '/app'];
      for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
        const shape = findRow(address)?.path;
        // One page of a kind shows the links of all.
        if (shape === undefined || seen.has(shape)) continue;
        seen.add(shape);
        const html = await read(as, address);
        for (const [, link] of html.matchAll(/ href="(\/app[^"#]*)"/g))
          waiting.unshift(link!.replaceAll('&amp;', '&'));
      }
      const role = { matched: 'member', admin: 'org_admin', auditor: 'auditor', operator: 'platform_admin' }[
        as
      ];
      const own = pageRows
        .filter(({ path, who }) => path.startsWith('/app') && (who as readonly string[]).includes(role))
        .map(({ path }) => path)
        .filter((path) => !path.includes('{') && !reached.has(path) && pageVisits[path]!.length > 0)
        .filter((path) => role !== 'auditor' || !created.has(path));
      expect(own.filter((path) => !seen.has(path))).toEqual([]);
    },
  );

  it('marks an unfinished assessment in words for screen readers, and nothing where nothing waits', async () => {
    expect(readMarks(await read('answering', '/app'))).toEqual([['1', 'the assessment is unfinished']]);
    expect(readMarks(await read('newcomer', '/app'))).toEqual([]);
    expect(readMarks(await read('operator', '/app/operator'))).toEqual([]);
  });

  it('marks a match that waits for the member on every page, and what waits for an administrator', async () => {
    for (const address of ['/app', '/app/account', '/app/traits'])
      expect([address, ...readMarks(await read('matched', address))]).toEqual([
        address,
        // The match, and the credential that the assessment has earned.
        ['1', 'one waits for your answer'],
        ['1', 'one waits for your answer'],
      ]);
    expect(readMarks(await read('admin', '/app/account')).length).toBeGreaterThan(0);
  });
});

function findRow(address: string) {
  const path = address.split('?', 1)[0]!;
  const isOfRow = (row: string) => new RegExp(`^${row.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  return pageRows.find((row) => row.path === path) ?? pageRows.find((row) => isOfRow(row.path));
}
