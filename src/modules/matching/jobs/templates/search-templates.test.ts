import { beforeAll, expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { onetAttribution } from './onet-text.ts';
import { upsertTemplates } from './store.ts';

const app = await startApp();
const token: string = (await app.registerOrgAdmin()).token;
beforeAll(async () => {
  await app.sql.transaction((tx) => upsertTemplates(tx, templates));
});

const priorities = { trait_priorities: { empathic_attunement: 0.9 } };
const templates = [
  {
    onet_code: '15-1252.00',
    title: 'Software Developers',
    description: 'Write programs for hospitals and banks.',
    ...priorities,
  },
  {
    onet_code: '29-1141.00',
    title: 'Registered Nurses',
    description: 'Assess patients and give nursing care.',
    ...priorities,
  },
  {
    onet_code: '29-2061.00',
    title: 'Practical Nurses',
    description: 'Care for patients at night.',
    ...priorities,
  },
  {
    onet_code: '29-9000.00',
    title: 'Ward Clerks',
    description: 'Support nurses and write letters.',
    ...priorities,
  },
];

const searchCodes = async (query: string): Promise<string[]> => {
  const { status, body } = await app.request('GET', `/job-templates?query=${encodeURIComponent(query)}`, {
    token,
  });
  expect(status).toBe(200);
  return body.data.map(({ onet_code }: { onet_code: string }) => onet_code);
};

test('finds templates by whole words, inflected forms and prefixes, and ranks titles above descriptions', async () => {
  for (const query of ['nurse', 'nurses', 'nurs', 'NURS', 'nursin']) {
    const codes = await searchCodes(query);
    expect(codes).toContain('29-1141.00');
    expect(codes).not.toContain('15-1252.00');
  }
  expect(await searchCodes('nurse')).toEqual(['29-1141.00', '29-2061.00', '29-9000.00']);
  expect(await searchCodes('nurse night')).toEqual(['29-2061.00']);
});

test('supports quotes, OR and exclusion as search engines do', async () => {
  expect(await searchCodes('nurses -night')).toEqual(['29-1141.00', '29-9000.00']);
  expect(await searchCodes('"nursing care"')).toEqual(['29-1141.00']);
  expect((await searchCodes('clerks OR developers')).sort()).toEqual(['15-1252.00', '29-9000.00']);
});

test('a template includes its priorities and the attribution that its licence requires', async () => {
  const { body } = await app.request('GET', '/job-templates?query=developers', { token });
  expect(body).toEqual({
    data: [{ ...templates[0], source: onetAttribution }],
    pagination: { next_cursor: null, has_more: false, total_count: 1 },
  });
});

test('without a query, all templates are listed by code', async () => {
  const codes = templates.map(({ onet_code }) => onet_code);
  expect(await searchCodes('')).toEqual(codes);
  const { body } = await app.request('GET', '/job-templates', { token });
  expect(body.pagination.total_count).toBe(codes.length);
});

test('each page continues where the previous one ended, with and without a query', async () => {
  for (const query of ['nurse', '']) {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await app.request(
        'GET',
        `/job-templates?query=${query}&limit=1${cursor && `&cursor=${cursor}`}`,
        { token },
      );
      seen.push(...body.data.map(({ onet_code }: { onet_code: string }) => onet_code));
      cursor = body.pagination.next_cursor;
    }
    expect(seen).toEqual(await searchCodes(query));
  }
});

test('rejects the cursor of another query, and finds nothing for a query without words', async () => {
  const { body } = await app.request('GET', '/job-templates?query=nurse&limit=1', { token });
  const cursor: string = body.pagination.next_cursor;
  const other = await app.request('GET', `/job-templates?query=clerk&limit=1&cursor=${cursor}`, { token });
  expect([other.status, other.body.code]).toEqual([400, 'cursor_invalid']);
  expect(await searchCodes("?! & | : * ( ) ' \\")).toEqual([]);
  expect(await searchCodes('zzz')).toEqual([]);
});

test('rejects a query of more than 200 characters', async () => {
  const searchStatus = async (length: number) =>
    (await app.request('GET', `/job-templates?query=${'x'.repeat(length)}`, { token })).status;
  expect([await searchStatus(200), await searchStatus(201)]).toEqual([200, 422]);
});

test('rejects a query that contains a NUL character', async () => {
  const { status } = await app.request('GET', '/job-templates?query=a%00', { token });
  expect(status).toBe(400);
});

test('anyone can search templates, with and without a login', async () => {
  const { token } = await app.registerMember();
  expect((await app.request('GET', '/job-templates', { token })).status).toBe(200);
  expect((await app.request('GET', '/job-templates')).status).toBe(200);
});
