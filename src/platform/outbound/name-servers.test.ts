import { beforeAll, beforeEach, expect, test } from 'vitest';
import { startNameServer, type TestNameServer } from '#test/name-server.ts';
import { createFindTextRecords, NameServerError, type FindTextRecords } from './name-servers.ts';
import { createFetchOutbound, OutboundError } from './outbound.ts';

let server: TestNameServer;
let findTextRecords: FindTextRecords;
beforeAll(async () => {
  server = await startNameServer();
  findTextRecords = createFindTextRecords([server.address], { deadline_ms: 100 });
});
beforeEach(() => {
  server.mode = 'records';
});

test('returns the texts of all TXT records, with the pieces of each joined', async () => {
  const long = 'x'.repeat(600);
  server.texts.set('_tessera-challenge.quay.org', ['v=spf1 -all', long]);
  expect((await findTextRecords('_tessera-challenge.quay.org')).toSorted()).toEqual(['v=spf1 -all', long]);
});

test('returns nothing for a name without such records, an unknown name, and a name that is none', async () => {
  server.texts.set('empty.quay.org', []);
  for (const name of ['empty.quay.org', 'unknown.quay.org', `${'x'.repeat(70)}.quay.org`])
    expect([name, await findTextRecords(name)]).toEqual([name, []]);
});

test.each(['failure', 'silence'] as const)('throws after a %s, and does not wait for ever', async (mode) => {
  server.mode = mode;
  await expect(findTextRecords('quay.org')).rejects.toBeInstanceOf(NameServerError);
});

test('the same name servers are asked for the hosts of outbound requests', async () => {
  const fetchOutbound = createFetchOutbound({ allowPrivate: false, nameServers: [server.address] });
  const request = { timeout_ms: 3_000, max_bytes: 10 };
  const error = await fetchOutbound('https://idp.quay.org/', request).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OutboundError);
  expect(error).toMatchObject({ fault: 'unresolvable' });
  expect(server.asked).toContain('idp.quay.org');
});
