import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cleanUpAfterFile } from '../clean-up.ts';
import { writeSample } from '../releases/sample.ts';

const root = path.join(import.meta.dirname, '../..');
const clone = mkdtempSync(path.join(tmpdir(), 'tessera-release-'));
cleanUpAfterFile(() => rmSync(clone, { recursive: true, force: true }));

const runGit = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], {
    cwd: clone,
    encoding: 'utf8',
  });

function release(version: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/release.ts', version, '--without-tests'],
    {
      cwd: clone,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        GIT_COMMITTER_NAME: 'A',
        GIT_COMMITTER_EMAIL: 'a@example.org',
      },
    },
  );
  return { status, stdout, stderr };
}

test('a release has the sources, a bill of materials and checksums of one tagged commit, and nothing is released unready', () => {
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${root}`, clone]);
  // The scripts as they are, even if they are not committed yet.
  for (const folder of ['scripts', 'test/releases'])
    cpSync(path.join(root, folder), path.join(clone, folder), { recursive: true });
  runGit('add', '--all');
  const version = '98.0.0';
  const project = path.join(clone, 'package.json');
  writeFileSync(project, JSON.stringify({ ...JSON.parse(readFileSync(project, 'utf8')), version }));
  runGit('commit', '--quiet', '--all', '--message', 'the script as it is, and the next version');
  expect(release('next').stderr).toBe('release: name a version, such as 1.0.0\n');
  expect(release('99.0.0').stderr).toContain(`package.json says ${version}`);
  expect(release(version).stderr).toContain(`CHANGELOG.md has no section "## [${version}] – YYYY-MM-DD"`);

  const changelog = path.join(clone, 'CHANGELOG.md');
  writeFileSync(changelog, `## [${version}] – 2026-11-27\n\n${readFileSync(changelog, 'utf8')}`);
  expect(release(version).stderr).toBe('release: the work tree has changes that are not committed\n');
  runGit('commit', '--quiet', '--all', '--message', 'a dated section');

  const newest = readdirSync(path.join(clone, 'migrations')).findLast((name) => name.endsWith('.sql'))!;
  const row = JSON.stringify({ version, newest });
  const commitFile = (name: string, content: string) => {
    writeFileSync(path.join(clone, name), content);
    runGit('add', '--all');
    runGit('commit', '--quiet', '--message', name);
  };
  commitFile('migrations/releases.json', '[]');
  expect(release(version).stderr).toContain(`the last line of migrations/releases.json must be ${row}`);
  const writeSampleUntil = (name: string) => {
    const tables = new Map([['migrations', JSON.stringify([{ name }])]]);
    writeSample({ tables, sequences: new Map() }, path.join(clone, `test/releases/${version}.gz`));
    commitFile('migrations/releases.json', `[${row}]`);
  };
  writeSampleUntil('0001_baseline.sql');
  expect(release(version).stderr).toContain(`run "node test/releases/write-sample.ts HEAD ${version}"`);
  writeSampleUntil(newest);
  expect(release(version)).toMatchObject({ status: 0, stderr: '' });

  const read = (name: string) => readFileSync(path.join(clone, 'release', name));
  for (const line of read('SHA256SUMS').toString().trim().split('\n')) {
    const [sha256, name] = line.split('  ') as [string, string];
    expect(createHash('sha256').update(read(name)).digest('hex')).toBe(sha256);
  }
  const bill = JSON.parse(read(`tessera-${version}.cdx.json`).toString());
  const names = bill.components.map(({ name }: { name: string }) => name);
  expect(names).toContain('fastify');
  expect(names).not.toContain('vitest');
  const listed = execFileSync('tar', ['-tzf', path.join(clone, 'release', `tessera-${version}.tar.gz`)], {
    encoding: 'utf8',
  });
  expect(listed).toContain(`tessera-${version}/src/app/main.js\n`);
  expect(runGit('rev-list', '-n', '1', `v${version}`)).toBe(runGit('rev-parse', 'HEAD'));
  expect(release(version).stderr).toContain(`the tag v${version} exists already`);
}, 120_000);
