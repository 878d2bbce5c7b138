import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { cloneDatabase, startApp, type TestApp } from '#test/harness.ts';
import { hasMember } from '#test/modules/match-index.ts';
import { fillSlots, insertMembers, remeasureMember, runTask, tierMeans } from '#test/modules/matching.ts';
import { createNormalPopulation } from '#test/modules/random-population.ts';
import { forgetChanges } from './forget-changes.ts';
import { openMatchIndex, type MatchIndex } from './match-index.ts';
import { type Population, locateFacts, locateSlot, readId, slotCount } from '#modules/matching/engine';
import { openIndexCopy } from './index-copy.ts';

const app = await startApp();

const strong = { mean: fillSlots(tierMeans.strong), variance: fillSlots(0.15) };
const minute_ms = 60_000;
const hour_ms = 60 * minute_ms;

type Line = { readonly level: number; readonly msg: string; readonly reason?: string };

type Node = {
  readonly index: MatchIndex;
  readonly lines: readonly Line[];
  /** How many pages of all members the index has read from the database. */
  readonly countBuilds: () => number;
};

async function createDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'tessera-copy-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Opens an index as a process with this data directory would. */
function openNode(service: TestApp, directory: string): Node {
  const lines: Line[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  let builds = 0;
  const list: TestApp['sql']['list'] = (statement) => {
    if (statement.text.includes('order by deployed.member_id limit')) builds += 1;
    return service.sql.list(statement);
  };
  const source = { database: { ...service.sql, list }, now: service.clock.now, log };
  const index = openMatchIndex(source, openIndexCopy(source, directory));
  onTestFinished(() => index.close());
  return { index, lines, countBuilds: () => builds };
}

/** Runs an index until it has saved its copy. */
async function saveCopy(service: TestApp, directory: string): Promise<void> {
  const { index } = openNode(service, directory);
  await index.refresh();
  await index.close();
}

/** Starts an index on a copy. @returns whether it was loaded, and the reason in the log if it was not. */
async function startNode(service: TestApp, directory: string) {
  const node = openNode(service, directory);
  await node.index.refresh();
  const warnings = node.lines.filter(({ level }) => level >= 40);
  return { ...node, isLoaded: node.countBuilds() === 0, reasons: warnings.map(({ reason }) => reason) };
}

/** The contents by member, whatever their positions are. */
async function readContents({ index }: Node): Promise<Readonly<Record<string, readonly number[]>>> {
  let contents = {};
  await index.runExclusively(async ({ population }) => {
    contents = Object.fromEntries(
      Array.from({ length: population.ids.size }, (_, position) => readMember(population, position)),
    );
  });
  return contents;
}

function readMember({ ids, bytes, words, threads }: Population, position: number) {
  const slots = Array.from({ length: slotCount }, (_, slot) => bytes[locateSlot(threads, position, slot)]!);
  const facts = locateFacts(threads, position);
  return [readId(ids, position), [...slots, words[facts]!, words[facts + 1]!]] as const;
}

const locateFile = (directory: string) => path.join(directory, 'match-index');

/** Changes the header and computes the checksum again, as another version of the service would have written it. */
async function replaceHeader(directory: string, change: Readonly<Record<string, unknown>>): Promise<void> {
  const content = await readFile(locateFile(directory));
  const end = content.indexOf('\n') + 1;
  const header = { ...(JSON.parse(content.toString('utf8', 0, end)) as object), ...change };
  const body = Buffer.concat([
    Buffer.from(`${JSON.stringify(header)}\n`),
    content.subarray(end, content.length - 32),
  ]);
  const checksum = createHash('sha256').update(body).digest();
  await writeFile(locateFile(directory), Buffer.concat([body, checksum]));
}

describe('a start', () => {
  test('loads the copy and follows the changes since then, without reading all members', async () => {
    const directory = await createDirectory();
    const [first, second, third] = await insertMembers(app, [strong, strong, strong]);
    await saveCopy(app, directory);
    const [later] = await insertMembers(app, [strong]);
    await remeasureMember(app, first!, tierMeans.none);
    await app.sql.run(sql`update members set account_status = 'suspended' where id = ${second!}`);
    const { index, isLoaded, reasons, lines } = await startNode(app, directory);
    expect([isLoaded, reasons]).toEqual([true, []]);
    expect(lines.map(({ msg }) => msg)).toEqual(['the match index was loaded from its copy']);
    expect(await Promise.all([first, second, third, later].map((id) => hasMember(index, id!)))).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  test('has the same contents as one that is built, after any changes since the copy was saved', async () => {
    const service = await startApp();
    const directory = await createDirectory();
    const ids = [...(await insertMembers(service, createNormalPopulation(200, 5).members))];
    await saveCopy(service, directory);
    const step = fc.tuple(fc.constantFrom('add', 'measure', 'suspend', 'resume', 'erase', 'save'), fc.nat());
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const [kind, pick] of steps) {
          const id = ids[pick % ids.length]!;
          if (kind === 'add') ids.push(...(await insertMembers(service, [strong])));
          if (kind === 'measure') await remeasureMember(service, id, (pick % 5) - 2);
          if (kind === 'suspend' || kind === 'resume') await setSuspended(service, id, kind === 'suspend');
          if (kind === 'erase') await deleteMember(service, ids.splice(pick % ids.length, 1)[0]!);
          if (kind === 'save') await saveCopy(service, directory);
        }
        const loaded = await startNode(service, directory);
        const built = await startNode(service, await createDirectory());
        expect([loaded.isLoaded, built.isLoaded]).toEqual([true, false]);
        expect(await readContents(loaded)).toEqual(await readContents(built));
        await Promise.all([loaded.index.close(), built.index.close()]);
      }),
      { numRuns: 10 },
    );
  });

  test('never shows a member who was erased after the copy was saved', async () => {
    const directory = await createDirectory();
    const [erased, kept] = await insertMembers(app, [strong, strong]);
    await saveCopy(app, directory);
    await deleteMember(app, erased!);
    const { index, isLoaded } = await startNode(app, directory);
    expect([isLoaded, await hasMember(index, erased!), await hasMember(index, kept!)]).toEqual([
      true,
      false,
      true,
    ]);
    await index.close();
    const hex = erased!.replaceAll('-', '');
    const words = Buffer.from(hex.match(/.{8}/g)!.flatMap((word) => [...Buffer.from(word, 'hex').reverse()]));
    expect((await readFile(locateFile(directory))).includes(words)).toBe(false);
  });
});

describe('a copy is not used, which one line of the log says, if', () => {
  const changeContent =
    (change: (content: Buffer) => Buffer | Promise<Buffer>) => async (directory: string) =>
      writeFile(locateFile(directory), await change(await readFile(locateFile(directory))));
  const invertBit = (find: (content: Buffer) => number) =>
    changeContent((content) => {
      content[find(content)]! ^= 1;
      return content;
    });

  test.each<readonly [string, string, (directory: string, service: TestApp) => Promise<unknown>]>([
    ['a bit of a member is wrong', 'it is damaged', invertBit((content) => content.indexOf('\n') + 5)],
    ['a bit of the checksum is wrong', 'it is damaged', invertBit((content) => content.length - 1)],
    ['its header is not JSON', 'it is damaged', invertBit(() => 0)],
    ['its header lacks fields', 'it is damaged', (directory) => replaceHeader(directory, { marks: 'all' })],
    ['it is truncated', 'it is damaged', changeContent((content) => content.subarray(0, content.length - 1))],
    ['it is empty', 'it is damaged', changeContent(() => Buffer.alloc(0))],
    [
      'something follows it',
      'it is damaged',
      changeContent((content) => Buffer.concat([content, Buffer.alloc(1)])),
    ],
    [
      'another version saved it, or lists use other vectors now',
      'another version saved it, or lists use other vectors now',
      (directory) => replaceHeader(directory, { version: '0'.repeat(64) }),
    ],
    [
      'the database was restored to a time before it',
      'another database saved it, or a later state of this one',
      (_, service) => service.sql.run(sql`delete from match_index_copies`),
    ],
    [
      'the changes since then may have been deleted',
      'it is older than twelve hours',
      (_, service) =>
        service.sql.run(sql`update match_index_copies set saved_at = now() - interval '12 hours'`),
    ],
    [
      'its marks are ahead of the database',
      'the nodes of the database have changed, or one was restored',
      async (directory) => {
        const { marks } = JSON.parse((await readFile(locateFile(directory), 'latin1')).split('\n')[0]!) as {
          marks: [string, string][];
        };
        await replaceHeader(directory, { marks: marks.map(([node]) => [node, '999999999999']) });
      },
    ],
    [
      'its marks are of other nodes',
      'the nodes of the database have changed, or one was restored',
      (directory) => replaceHeader(directory, { marks: [['7', '3']] }),
    ],
  ])('%s', async (_, reason, change) => {
    const service = await startApp();
    const directory = await createDirectory();
    const [member_id] = await insertMembers(service, [strong]);
    await saveCopy(service, directory);
    await change(directory, service);
    const { index, isLoaded, reasons } = await startNode(service, directory);
    expect([isLoaded, reasons, await hasMember(index, member_id!)]).toEqual([false, [reason], true]);
    await index.close();
    expect(await startNode(service, directory)).toMatchObject({ isLoaded: true, reasons: [] });
  });

  test('another database saved it', async () => {
    const directory = await createDirectory();
    const [foreign] = await insertMembers(app, [strong]);
    await saveCopy(app, directory);
    const { index, isLoaded, reasons } = await startNode(
      await startApp({}, await cloneDatabase()),
      directory,
    );
    expect([isLoaded, reasons]).toEqual([false, ['another database saved it, or a later state of this one']]);
    expect(await hasMember(index, foreign!)).toBe(false);
  });

  test('it cannot be read', async () => {
    const directory = await createDirectory();
    await mkdir(locateFile(directory));
    const { isLoaded, reasons } = await startNode(app, directory);
    expect([isLoaded, reasons]).toEqual([false, ['it cannot be read (EISDIR)']]);
  });
});

describe('saving', () => {
  const readCopyId = async (directory: string) =>
    (JSON.parse((await readFile(locateFile(directory), 'latin1')).split('\n')[0]!) as { id: string }).id;

  test('happens after the first build, then at most every ten minutes if something has changed, and every three hours', async () => {
    const service = await startApp();
    const directory = await createDirectory();
    const { index } = openNode(service, directory);
    index.watch(10);
    const waitForSave = async (before?: string) => {
      await expect.poll(() => readCopyId(directory).catch(() => before)).not.toBe(before);
      return readCopyId(directory);
    };
    const first = await waitForSave();
    const [member_id] = await insertMembers(service, [strong]);
    service.clock.advance(10 * minute_ms - 1);
    await expect.poll(() => hasMember(index, member_id!)).toBe(true);
    await index.refresh();
    expect(await readCopyId(directory)).toBe(first);
    service.clock.advance(1);
    const second = await waitForSave(first);
    service.clock.advance(3 * hour_ms - 1);
    await index.refresh();
    await index.refresh();
    expect(await readCopyId(directory)).toBe(second);
    service.clock.advance(1);
    await waitForSave(second);
    const rows = await service.sql.list(sql`select from match_index_copies`);
    expect(rows).toHaveLength(3);
  });

  test('leaves one file that only its owner can read, and removes what a killed process has left', async () => {
    const directory = await createDirectory();
    const createDraft = async (age_ms: number) => {
      const draft = path.join(directory, `match-index.${crypto.randomUUID()}.new`);
      await writeFile(draft, 'half');
      const at = new Date(app.clock.now().getTime() - age_ms);
      await utimes(draft, at, at);
      return path.basename(draft);
    };
    await createDraft(2 * hour_ms);
    const recent = await createDraft(0);
    await saveCopy(app, directory);
    expect((await readdir(directory)).toSorted()).toEqual(['match-index', recent]);
    expect((await stat(locateFile(directory))).mode & 0o777).toBe(0o600);
  });

  test('keeps the previous copy and the index if the file cannot be written, and says so', async () => {
    const directory = await createDirectory();
    await writeFile(path.join(directory, 'file'), '');
    const { index, lines } = openNode(app, path.join(directory, 'file', 'below'));
    await index.refresh().catch(() => undefined);
    await index.close();
    expect(lines.map(({ msg }) => msg)).toContain('the match index cannot be saved');
  });

  test('records nothing that a copy does not need: records older than a day are deleted', async () => {
    const service = await startApp();
    await saveCopy(service, await createDirectory());
    await saveCopy(service, await createDirectory());
    const countCopies = sql<{ count: number }>`select count(*) as count from match_index_copies`;
    expect((await service.sql.one(countCopies)).count).toBe(2);
    await service.sql.run(sql`
      update match_index_copies set saved_at = now() - interval '25 hours' where id = (select min(id::text)::uuid from match_index_copies)`);
    await runTask(service, forgetChanges, {});
    expect((await service.sql.one(countCopies)).count).toBe(1);
  });
});

async function setSuspended(service: TestApp, member_id: string, suspended: boolean): Promise<void> {
  const status = suspended ? 'suspended' : 'active';
  await service.sql.run(sql`update members set account_status = ${status} where id = ${member_id}`);
}

async function deleteMember(service: TestApp, member_id: string): Promise<void> {
  await service.sql.transaction(async (tx) => {
    await tx.run(sql`delete from trait_vectors where member_id = ${member_id}`);
    await tx.run(sql`delete from matches where member_id = ${member_id}`);
    await tx.run(sql`delete from members where id = ${member_id}`);
  });
}
