import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { verifyNode } from '../scripts/verify-binaries.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'tessera-binaries-'));
afterAll(() => rmSync(directory, { recursive: true }));

const folder = 'node-v24.0.0-linux-x64';
const installed = {
  binary: path.join(directory, folder, 'bin/node'),
  version: '24.0.0',
  platform: 'linux-x64',
};
mkdirSync(path.dirname(installed.binary), { recursive: true });
writeFileSync(installed.binary, 'a program');
execFileSync('tar', ['-czf', `${folder}.tar.gz`, folder], { cwd: directory });
const sum = createHash('sha256')
  .update(readFileSync(path.join(directory, `${folder}.tar.gz`)))
  .digest('hex');

function writeChecksums(line: string): void {
  writeFileSync(path.join(directory, 'SHASUMS256.txt'), `${'0'.repeat(64)}  node-v24.0.0.pkg\n${line}\n`);
}

test('a program from the maker’s archive passes', async () => {
  writeChecksums(`${sum}  ${folder}.tar.gz`);
  expect(await verifyNode(installed, directory)).toMatchObject({ same: true });
});

test('another program fails', async () => {
  writeChecksums(`${sum}  ${folder}.tar.gz`);
  const binary = path.join(directory, 'other');
  writeFileSync(binary, 'another program');
  const { same, line } = await verifyNode({ ...installed, binary }, directory);
  expect(same).toBe(false);
  expect(line).toContain(createHash('sha256').update('another program').digest('hex'));
});

test('an archive with another checksum fails', async () => {
  writeChecksums(`${'0'.repeat(64)}  ${folder}.tar.gz`);
  expect(await verifyNode(installed, directory)).toMatchObject({ same: false });
});

test.each([
  ['an archive that is not listed', () => writeChecksums(''), directory, /does not list node-v24/],
  ['a directory without checksums', () => undefined, path.join(directory, 'none'), /ENOENT/],
  [
    'a host that cannot be reached',
    () => undefined,
    'https://localhost:65535/',
    /could not reach localhost:65535 \(ECONNREFUSED\); nothing/,
  ],
  ['an address without TLS', () => undefined, 'http://localhost:1/', /is not an https address/],
])('%s leaves the result open', async (_, prepare, source, line) => {
  prepare();
  const finding = await verifyNode(installed, source);
  expect(finding.same).toBeUndefined();
  expect(finding.line).toMatch(line);
});
