#!/usr/bin/env node
import { hostname } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { TesseraError } from '../tessera-error.ts';
import { listen } from './listen.ts';
import { openService, type Service } from './service.ts';

const help = `tessera listen URL        sends the events of your organisation on to a local address
tessera trigger EVENT     puts a made-up event into the stream, such as match.accepted
tessera trigger           puts webhook.test into it

  --name NAME             the stream, by default the name of this machine
  --events A,B            only these events (listen)
  --secret SECRET         sign with a secret of your own (listen)

TESSERA_URL is the address of the service, TESSERA_KEY a service key that is permitted
POST /webhooks/streams, POST /webhooks/streams/{subscription_id}/deliveries,
POST /webhooks/streams/{subscription_id}/outcomes and, for trigger, GET /webhooks/ and
POST /webhooks/{subscription_id}/test.`;

const texts = { type: 'string' } as const;
const options = { name: texts, events: texts, secret: texts, help: { type: 'boolean' } } as const;

/** A mistake of the person who runs the program, or a refusal of the service. */
class UsageError extends Error {}

try {
  await runCommand();
} catch (error) {
  if (!isExpected(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function runCommand(): Promise<void> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [command, argument] = positionals;
  const name = values.name ?? toStreamName(hostname());
  if (values.help || positionals.length > 2) return print(help);
  if (command === 'listen') return await startListening(requireAddress(argument), { ...values, name });
  if (command === 'trigger') return await trigger(argument ?? 'webhook.test', name);
  return print(help);
}

async function startListening(
  target: string,
  { name, events, secret }: { readonly name: string; readonly events?: string; readonly secret?: string },
): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  await listen({
    service: connect(),
    target,
    name,
    events: events?.split(','),
    secret,
    print,
    signal: stop.signal,
  });
}

async function trigger(event: string, name: string): Promise<void> {
  const service = connect();
  const id = await service.findStream(name);
  if (id === undefined) throw new UsageError(`No stream is called "${name}". Start "tessera listen" first.`);
  const delivery = await service.sendTest(id, event);
  print(`${delivery.event_type}  ${delivery.id}  waits in the stream "${name}"`);
}

function isExpected(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof TesseraError) return true;
  // What `fetch` and `parseArgs` throw.
  return error instanceof TypeError;
}

function connect(): Service {
  const { TESSERA_URL: url, TESSERA_KEY: token } = process.env;
  if (!url || !token)
    throw new UsageError('Set TESSERA_URL and TESSERA_KEY. "tessera --help" explains them.');
  return openService({ url, token });
}

function requireAddress(argument: string | undefined): string {
  if (argument === undefined || !URL.canParse(argument) || !/^https?:/.test(argument))
    throw new UsageError('Write where to send events: tessera listen http://localhost:3000/hook');
  return argument;
}

/** Writes the name of a machine as the name of a stream. */
function toStreamName(host: string): string {
  const name = host
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 60);
  return name === '' ? 'default' : name;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
