import { createServer, type Server } from 'node:http';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { openBrowser } from '#test/web/open-browser.ts';
import { insertCallers } from '../lib/callers.ts';
import { createTemporaryDirectory } from '../lib/directory.ts';
import { formatMilliseconds, type Table } from '../lib/report.ts';
import { startService } from '../lib/service.ts';
import { insertShortlist, waitForReasons } from './shortlist-cost.ts';

const decisions = 50;
/** Before they are measured, both sides decide so often, so that caches are filled and code is compiled. */
const warm_up = 10;

/**
 * Measures decisions by keyboard in a real browser: from the key to the next person, whose page has loaded. The baseline is a bare server with the same page,
 * which answers the same form with the same redirection and decides nothing: what the browser and an idle machine need.
 */
export async function measureDecisions(
  cleaning: AsyncDisposableStack,
  quick: boolean,
): Promise<{ readonly table: Table; readonly notes: readonly string[] }> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const service = await startService(cleaning, dataDir, [], { TESSERA_RATE_LIMITS: 'off' });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const [caller] = await insertCallers(settings, dataDir, service.publicUrl, 1);
  const session = await insertShortlist(settings, caller!);
  const address = `/app/jobs/${caller!.job_id}/table`;
  await waitForReasons(service, address, `tessera-session=${session}`);

  const browser = await openBrowser();
  cleaning.defer(() => browser.close());
  const openContext = async (url: string) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    await context.addCookies([{ name: 'tessera-session', value: session, url }]);
    return context;
  };
  const context = await openContext(service.publicUrl);
  const bare = await startBareServer(cleaning, service.publicUrl, session);
  const count = quick ? decisions / 5 : decisions;
  const times = await decideInTurn(
    await openPage(context, `${service.publicUrl}${address}`),
    await openPage(await openContext(bare), `${bare}${address}`),
    count,
  );
  const row = (what: string, select: (all: readonly number[]) => number) => [
    what,
    formatMilliseconds(select(times.map(([own]) => own))),
    formatMilliseconds(select(times.map(([, peer]) => peer))),
    formatMilliseconds(select(times.map(([own, peer]) => own - peer))),
    '100 ms',
  ];
  return {
    table: {
      head: [`${count} decisions by keyboard`, 'service', 'bare server', 'difference', 'target'],
      rows: [
        row('fastest tenth', (all) => findQuantile(all, 0.1)),
        row('median', (all) => findQuantile(all, 0.5)),
        row('95 %', (all) => findQuantile(all, 0.95)),
      ],
    },
    notes: [
      `From the key (\`i\` and \`p\` in turn) until the page with the next person has loaded, in the table of 100 people of a job with 1,000. The bare server sends the same page and files from memory. The last column but one is about the pairs, one after the other.`,
    ],
  };
}

/** Starts a server that fetches each address once and then sends it from memory. A form leads back to the page that sent it. */
async function startBareServer(
  cleaning: AsyncDisposableStack,
  origin: string,
  session: string,
): Promise<string> {
  const known = new Map<
    string,
    Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }>
  >();
  const load = async (address: string) => {
    const reply = await fetch(`${origin}${address}`, { headers: { cookie: `tessera-session=${session}` } });
    const headers = Object.fromEntries(
      ['content-type', 'cache-control', 'content-security-policy'].flatMap((name) => {
        const value = reply.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      }),
    );
    return { headers, body: Buffer.from(await reply.arrayBuffer()) };
  };
  const server = createServer((request, response) => {
    request.resume();
    const address = request.url!.split('#')[0]!;
    if (request.method === 'POST') return response.writeHead(303, { location: address }).end();
    const loaded = known.get(address) ?? load(address);
    known.set(address, loaded);
    void loaded.then(({ headers, body }) => response.writeHead(200, headers).end(body));
    return response;
  });
  cleaning.defer(() => closeServer(server));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  return `http://localhost:${port}`;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

type Times = readonly (readonly [own: number, peer: number])[];

/** Decides on one person after the other, in turn at the service and at the bare server, so that both see the same machine. @returns how long each of the counted ones took. */
async function decideInTurn(own: Page, peer: Page, count: number): Promise<Times> {
  const times: (readonly [number, number])[] = [];
  for (let decided = 0; decided < warm_up + count; decided++) {
    const key = decided % 2 === 0 ? 'i' : 'p';
    times.push([await pressAndWait(own, key), await pressAndWait(peer, key)]);
  }
  return times.slice(warm_up);
}

async function openPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function pressAndWait(page: Page, key: string): Promise<number> {
  const loaded = page.waitForEvent('load');
  const began_at = performance.now();
  await page.keyboard.press(key);
  await loaded;
  return performance.now() - began_at;
}

function findQuantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}
