import path from 'node:path';
import { answer, startNode, usageOf } from './lib/child.ts';
import { temporaryDirectory } from './lib/directory.ts';
import { startService } from './lib/service.ts';
import { populate } from './lib/people.ts';
import { findRunningPostgres } from '#platform/embedded-postgres/index.ts';
await using cleaning = new AsyncDisposableStack();
const gen = startNode(cleaning, ['bench/lib/load-generator.ts']);
const get = (at: string, token?: string) =>
  `GET ${at} HTTP/1.1\r\nhost: localhost\r\n${token ? `authorization: Bearer ${token}\r\n` : ''}\r\n`;
const variants: Record<string, Record<string, string>> = {
  default: {},
  api: { TESSERA_ROLES: 'api' },
  nolimit: { TESSERA_RATE_LIMITS: 'off', TESSERA_ROLES: 'api' },
};
const requests: any = {};
const subjects: any = {};
let settings: any, people: any;
for (const [name, env] of Object.entries(variants)) {
  Object.assign(process.env, env);
  const dataDir = path.join(await temporaryDirectory(cleaning), 'data');
  const s = await startService(cleaning, dataDir, [], env);
  settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  people = await populate(settings, dataDir, s.publicUrl, 2000);
  requests[name] = people.map((p: any) => get('/api/v1/auth/me', p.token));
  subjects[name] = { child: s.child, port: s.port };
}
const queries = {
  me: {
    name: 'me',
    text: 'select id, email, role, coalesce(member_id, org_id) as linked_entity_id, created_at, last_login from users where id = $1',
  },
};
for (const [name, file, mode] of [
  ['bare', 'bench/lib/bare-server.ts', 0],
  ['fastify', 'bench/tmp-fastify.ts', 1],
  ['fastify+headers', 'bench/tmp-fastify.ts', 2],
] as const) {
  const child = startNode(cleaning, [file]);
  child.send({ settings, queries, mode, constant: '' });
  subjects[name] = { child, port: await answer(child) };
  requests[name] = people.map((p: any) => get(`/me/${p.user_id}`));
}
gen.send({ requests });
await answer(gen);
const costs: any = {},
  elapsed: any = {};
const names = Object.keys(subjects);
for (let r = 0; r < 60; r++)
  for (let t = 0; t < names.length; t++) {
    const n = names[(r + t) % names.length]!;
    const { child, port } = subjects[n];
    const a = await usageOf(child);
    const t0 = performance.now();
    gen.send({ subject: n, port, count: 1000 });
    const o = await answer(gen);
    if (o !== 'done') throw new Error(String(o));
    const dt = performance.now() - t0;
    const b = await usageOf(child);
    (costs[n] ??= []).push((b.cpu_us - a.cpu_us) / 1000);
    (elapsed[n] ??= []).push(dt);
  }
for (const n of names) {
  const c = costs[n].sort((x: number, y: number) => x - y),
    e = elapsed[n].sort((x: number, y: number) => x - y);
  console.log(
    n.padEnd(16),
    'min',
    c[0].toFixed(1),
    'p25',
    c[15].toFixed(1),
    'med',
    c[30].toFixed(1),
    'req/s best',
    ((1000 / e[0]) * 1000).toFixed(0),
  );
}
