import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { builtInNorms } from '#modules/measurement/traits';
import { createSecrets } from '#platform/security/secrets.ts';
import { openScanner } from '../../src/modules/matching/engine/scanner.ts';
import { matchJobs } from '../../src/modules/matching/engine/shortlist.ts';
import { sealAnswer } from '../../src/modules/matching/matches/parts/part-answer.ts';
import { unsealQuestion } from '../../src/modules/matching/matches/parts/part-question.ts';
import { sendToParent, waitForMessages } from '../lib/parent.ts';
import { buildPopulation } from './build-population.ts';

/** Answers questions about a part of the members, as a worker does, without a database. */
const [size = 0, shard = 1, shards = 1] = process.argv.slice(2).map(Number);
const secrets = createSecrets(Buffer.alloc(32, 1));
const scanner = openScanner(buildPopulation(size, { shard, shards }));

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const server = createServer((request, response) => {
  void (async () => {
    const question = unsealQuestion(secrets, await readBody(request))!;
    const jobs = question.jobs.map((job) => ({ ...job, norms: builtInNorms }));
    const lists = await matchJobs({ runExclusively: (work) => work(scanner) }, jobs, {
      limit: question.limit,
    });
    response.end(await sealAnswer(secrets, question.id, lists));
  })();
});
server.listen(0, '127.0.0.1', () => sendToParent((server.address() as AddressInfo).port));
waitForMessages();
