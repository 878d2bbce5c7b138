import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Whether the installed file is identical to the published one (undefined if this is unknown), and a line that explains it. */
export type Finding = { readonly same: boolean | undefined; readonly line: string };

type Installed = { readonly binary: string; readonly version: string; readonly platform: string };

const archive_bytes_max = 300_000_000;
const download_timeout_ms = 300_000;

/**
 * Compares an installed `node` with the one in the archive of the Node.js project.
 *
 * @param source A directory, or an https URL, that has `SHASUMS256.txt` and the archive `node-v<version>-<platform>.tar.gz`.
 */
export async function verifyNode({ binary, version, platform }: Installed, source: string): Promise<Finding> {
  const folder = `node-v${version}-${platform}`;
  const archiveName = `${folder}.tar.gz`;
  try {
    const sums = (await readFrom(source, 'SHASUMS256.txt')).toString();
    const listed = /^([0-9a-f]{64}) [ *](.+)$/gm;
    const expected = [...sums.matchAll(listed)].find(([, , name]) => name === archiveName)?.[1];
    if (expected === undefined)
      return { same: undefined, line: `SHASUMS256.txt of ${source} does not list ${archiveName}.` };
    const archive = await readFrom(source, archiveName);
    const actual = hashSha256(archive);
    if (actual !== expected)
      return {
        same: false,
        line: `${archiveName} has SHA-256 ${actual}, but SHASUMS256.txt says ${expected}.`,
      };
    const [installed, published] = [
      hashSha256(readFileSync(binary)),
      hashSha256(unpackFile(archive, `${folder}/bin/node`)),
    ];
    return installed === published
      ? { same: true, line: `${binary} is bin/node of ${archiveName} (SHA-256 ${installed}).` }
      : {
          same: false,
          line: `${binary} has SHA-256 ${installed}, but bin/node of ${archiveName} has ${published}.`,
        };
  } catch (error) {
    return { same: undefined, line: `${describeFailure(source, error)}; nothing was compared.` };
  }
}

async function readFrom(source: string, name: string): Promise<Buffer> {
  if (!source.includes('://')) return readFileSync(path.join(source, name));
  const url = new URL(name, source.endsWith('/') ? source : `${source}/`);
  if (url.protocol !== 'https:') throw new Error(`${url.href} is not an https address`);
  const response = await fetch(url, { signal: AbortSignal.timeout(download_timeout_ms) });
  if (!response.ok) throw new Error(`${url.href} replied with status ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // The stream has no type for its chunks.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > archive_bytes_max) throw new Error(`${url.href} is larger than ${archive_bytes_max} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function unpackFile(archive: Buffer, name: string): Buffer {
  const directory = mkdtempSync(path.join(tmpdir(), 'tessera-verify-'));
  try {
    const file = path.join(directory, 'archive.tar.gz');
    writeFileSync(file, archive);
    return execFileSync('tar', ['-xzOf', file, name], {
      maxBuffer: archive_bytes_max,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function hashSha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Describes an error in one line; for a failure of the network, names the host that could not be reached. */
function describeFailure(source: string, error: unknown): string {
  const { message, name, cause } = error as Error;
  if (name === 'TimeoutError') return `${new URL(source).host} did not reply in time`;
  if (cause === undefined) return message.split('\n', 1)[0]!;
  const { code } = cause as NodeJS.ErrnoException;
  return `could not reach ${new URL(source).host}${code === undefined ? '' : ` (${code})`}`;
}

function findInstalled(): Installed | undefined {
  const platform = `${process.platform}-${process.arch}`;
  const directory = path.join(import.meta.dirname, '../node_modules', `node-${platform}`);
  try {
    const { version } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { binary: path.join(directory, 'bin/node'), version, platform };
  } catch {
    return undefined;
  }
}

async function reportVerification(): Promise<void> {
  const installed = findInstalled();
  if (installed === undefined) {
    console.log(
      'none    The package with Node is not installed. Verify your own Node with the checksums of its maker.',
    );
    return;
  }
  const source = process.argv[2] ?? `https://nodejs.org/dist/v${installed.version}/`;
  const { same, line } = await verifyNode(installed, source);
  console.log(`${same === undefined ? 'unknown' : same ? 'ok     ' : 'failed '} ${line}`);
  process.exitCode = same === undefined ? 2 : same ? 0 : 1;
}

if (import.meta.main) await reportVerification();
