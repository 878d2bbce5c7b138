import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ConfigError } from '#platform/config.ts';
import { formatIndexShard, type IndexShard } from '#lib/concurrency/index-shard.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { computeIndexVersion } from './index-version.ts';
import { getMatchIndex } from './match-index.ts';
import { deleteNode, findPartHolder, isPartTaken, upsertNode } from './store-nodes.ts';

const report_every_ms = 10_000;

/** Reports the index of this process to the other nodes of the service, which share the database. */
type IndexReporter = AsyncDisposable & {
  /** The id of this process among the nodes. */
  readonly id: string;
  readonly name: string;
  report(): Promise<void>;
  /** Reports that this process holds its part, if it holds one. @throws ConfigError if another worker of this version holds it and answers. */
  claim(): Promise<void>;
  /** Reports now, when the index is built, and every ten seconds. */
  start(): void;
  /** From now on, others can ask this process at the origin of its internal port. */
  announce(address: string): Promise<void>;
};

/** The reporter of a running service. */
export const getIndexReporter = instanceMemory(openIndexReporter);

function openIndexReporter(platform: Platform): IndexReporter {
  const { database, log } = platform;
  const part = platform.config.indexShard;
  const id = randomUUID();
  const name = `${hostname().slice(0, 100)}, process ${process.pid}`;
  let timer: NodeJS.Timeout | undefined;
  let isClaimed = false;
  let address: string | null = null;
  const report = async () => {
    const { lag_seconds = null, ...state } = getMatchIndex(platform).readState();
    const version = part ? await computeIndexVersion() : null;
    const { shard, shards } = part ?? { shard: null, shards: null };
    await upsertNode(database, { id, name, lag_seconds, ...state, shard, shards, address, version });
  };
  // A report that fails is missing for ten seconds; the database being unavailable is in the log.
  const reportQuietly = () =>
    void report().catch((error: unknown) => {
      if (part && isPartTaken(error))
        log.warn(
          `another worker holds part ${formatIndexShard(part)} of the match index, and this one is not asked`,
        );
    });
  return {
    id,
    name,
    report,
    claim: async () => {
      if (!part) return;
      await claimPart(platform, part, report);
      isClaimed = true;
    },
    start: () => {
      reportQuietly();
      timer = setInterval(reportQuietly, report_every_ms);
      timer.unref();
      if (part)
        void getMatchIndex(platform)
          .refresh()
          .then(reportQuietly, () => undefined);
    },
    announce: async (origin) => {
      address = origin;
      if (part) await report();
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      if (timer || isClaimed) await deleteNode(database, id).catch(() => undefined);
    },
  };
}

/** Takes the place of a worker that holds the part if it was killed, which is the case if it does not answer. */
async function claimPart(
  { database }: Platform,
  part: IndexShard,
  report: () => Promise<void>,
): Promise<void> {
  try {
    await report();
  } catch (error) {
    if (!isPartTaken(error)) throw error;
    const holder = await findPartHolder(database, { ...part, version: await computeIndexVersion() });
    if (holder?.is_recent && (holder.address === null || (await doesAnswer(holder.address))))
      throw new ConfigError(
        `TESSERA_INDEX_SHARD is ${formatIndexShard(part)}, but ${holder.name} holds this part of the match index already`,
      );
    if (holder) await deleteNode(database, holder.id);
    await report();
  }
}

const answer_ms_max = 5_000;

async function doesAnswer(address: string): Promise<boolean> {
  const reply = fetch(`${address}/health/live`, { signal: AbortSignal.timeout(answer_ms_max) });
  return reply.then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * Builds the index of a running service in the background, refreshes it continuously, and reports its state to the other nodes.
 *
 * @returns a function that lets others ask this process, if it holds a part of the index, at the origin of its internal port.
 * @throws ConfigError if another worker holds the same part of the index.
 */
export async function watchMatchIndex(platform: Platform): Promise<(origin: string) => Promise<void>> {
  const reporter = getIndexReporter(platform);
  await reporter.claim();
  getMatchIndex(platform).watch();
  reporter.start();
  return (origin) => reporter.announce(origin);
}
