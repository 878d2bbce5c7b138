import { deepStrictEqual } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { builtInNorms, traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { fetchFromProcess } from '#platform/outbound/fetch-configured.ts';
import { createSecrets } from '#platform/security/secrets.ts';
import { openScanner, type Scanner } from '../src/modules/matching/engine/scanner.ts';
import { matchJobs, type JobMatch } from '../src/modules/matching/engine/shortlist.ts';
import { openTerms } from '../src/modules/matching/engine/terms.ts';
import { computeAnswerBytes, unsealAnswer } from '../src/modules/matching/matches/parts/part-answer.ts';
import { sealQuestion, type AskedJob } from '../src/modules/matching/matches/parts/part-question.ts';
import { searchParts } from '../src/modules/matching/matches/parts/search-parts.ts';
import { buildPopulation } from './index-parts/build-population.ts';
import { receivePort, startNode, stopChild } from './lib/child.ts';
import { measureLeast, measureTime } from './lib/measure.ts';
import { formatMilliseconds, formatRatio, type Benchmark } from './lib/report.ts';

const ratio_max = 1.3;

/** Measures the lists of jobs from two processes that hold half of the members each, compared with one process that holds all of them. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  const sizes = quick ? [20_000] : [100_000, 1_000_000, 4_000_000];
  const rows: string[][] = [];
  const failures: string[] = [];
  for (const size of sizes) {
    for (const { jobs, one, two } of await measureSize(size, quick ? 3 : 150)) {
      rows.push([
        size.toLocaleString('en'),
        String(jobs),
        formatMilliseconds(one),
        formatMilliseconds(two),
        formatRatio(two / one),
      ]);
      if (!quick && size >= 1_000_000 && two > ratio_max * one)
        failures.push(
          `two processes take at most ${ratio_max} times as long, with ${size} members and ${jobs} jobs`,
        );
    }
  }
  const head = ['members', 'jobs in one pass', 'one process', 'two processes', 'ratio'];
  return { title: 'The index in two processes', tables: [{ head, rows }], notes, failures };
};

const notes = [
  'Complete lists: scan, records and choice, at most 1,000 members a job, without reading or storing anything in the database. Of two processes, each has half of the',
  'members, by the hash of their ids; one of them also asks the other by HTTP on loopback, decrypts its answer and merges. The lists are compared.',
  `Each figure is the least of many, taken alternately. Target: at most ${ratio_max} times one process from 1,000,000 members on.`,
];

type Measured = { readonly jobs: number; readonly one: number; readonly two: number };

async function measureSize(size: number, rounds: number): Promise<readonly Measured[]> {
  await using cleaning = new AsyncDisposableStack();
  const child = startNode(cleaning, ['bench/index-parts/part-process.ts', String(size), '2', '2']);
  const listening = receivePort(child);
  const whole = openScanner(buildPopulation(size));
  const half = openScanner(buildPopulation(size, { shard: 1, shards: 2 }));
  cleaning.defer(() => whole.close());
  cleaning.defer(() => half.close());
  const address = `http://127.0.0.1:${await listening}`;
  const measured: Measured[] = [];
  for (const jobs of [1, 64]) {
    const asked = Array.from({ length: jobs }, (_, job) => buildJob(job));
    deepStrictEqual(await askBoth(half, address, asked), await search(whole, asked));
    const subjects = {
      one: () => measureTime(() => search(whole, asked)),
      two: () => measureTime(() => askBoth(half, address, asked)),
    };
    measured.push({ jobs, ...(await measureLeast(subjects, jobs === 1 ? rounds : Math.ceil(rounds / 20))) });
  }
  await stopChild(child);
  return measured;
}

function buildJob(job: number): AskedJob {
  const trait_priorities: TraitPriorities = Object.fromEntries(
    traitCodes.map((code, index) => [code, 0.3 + (0.7 * (((index + job) * 7) % 20)) / 20]),
  );
  return { trait_priorities, terms: openTerms };
}

function search(
  scanner: Scanner,
  jobs: readonly AskedJob[],
  limit?: number,
): Promise<readonly (readonly JobMatch[])[]> {
  return matchJobs(
    { runExclusively: (work) => work(scanner) },
    jobs.map((job) => ({ ...job, norms: builtInNorms })),
    limit === undefined ? {} : { limit },
  );
}

const secrets = createSecrets(Buffer.alloc(32, 1));

/** Does what `askParts` does. */
function askBoth(
  half: Scanner,
  address: string,
  all: readonly AskedJob[],
): Promise<readonly (readonly JobMatch[])[]> {
  return searchParts(2, all, async (part, jobs, limit) => {
    if (part === 0) return search(half, jobs, limit);
    const id = randomUUID();
    const question = {
      id,
      version: '0'.repeat(64),
      shard: 2,
      shards: 2,
      vectors: null,
      limit,
      jobs: [...jobs],
    };
    const { body } = await fetchFromProcess(address, {
      body: sealQuestion(secrets, question),
      timeout_ms: 60_000,
      max_bytes: computeAnswerBytes(jobs.length),
      signal: new AbortController().signal,
    });
    return unsealAnswer(secrets, id, body);
  });
}
