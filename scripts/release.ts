import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { listMigrations, readSample } from '../test/releases/sample.ts';
import { readReleases } from './tidy/releases.ts';

/*
 * Makes a release of the commit that is checked out: `node scripts/release.ts VERSION`. It runs all checks and tests, writes an archive of the sources, a bill of
 * materials and checksums into `release/`, and tags the commit. It publishes nothing. docs/upgrading.md#releases says what a release promises.
 */
const root = path.join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'without-tests': { type: 'boolean' }, 'without-tag': { type: 'boolean' } },
});
const [version = ''] = positionals;

function makeRelease(): void {
  requireReady();
  if (!values['without-tests']) runVisibly('npm', ['test']);
  const folder = path.join(root, 'release');
  mkdirSync(folder, { recursive: true });
  const names = [writeSources(folder), writeBillOfMaterials(folder)];
  writeChecksums(folder, names);
  if (!values['without-tag']) runGit('tag', '--annotate', `v${version}`, '--message', `Tessera ${version}`);
  process.stdout.write(`release ${version}: ${[...names, 'SHA256SUMS'].join(', ')} in ${folder}\n`);
}

/** Ends with one line if anything is not as a release has it. */
function requireReady(): void {
  const { version: declared } = JSON.parse(readText('package.json')) as { version: string };
  if (!/^\d+\.\d+\.\d+(?:-[0-9a-z.]+)?$/.test(version)) refuse('name a version, such as 1.0.0');
  if (version !== declared) refuse(`package.json says ${declared}: change it, and the changelog, first`);
  if (runGit('status', '--porcelain') !== '') refuse('the work tree has changes that are not committed');
  if (runGit('tag', '--list', `v${version}`) !== '') refuse(`the tag v${version} exists already`);
  const heading = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] – \\d{4}-\\d\\d-\\d\\d$`, 'm');
  if (!heading.test(readText('CHANGELOG.md')))
    refuse(`CHANGELOG.md has no section "## [${version}] – YYYY-MM-DD"`);
  requireMigrations();
}

/** Later migrations are checked against this release, and tested with what it left in a database. */
function requireMigrations(): void {
  const newest = readdirSync(path.join(root, 'migrations')).findLast((name) => name.endsWith('.sql'));
  const listed = readReleases(root).at(-1);
  if (listed?.version !== version || listed.newest !== newest)
    refuse(`the last line of migrations/releases.json must be ${JSON.stringify({ version, newest })}`);
  const sample = path.join(root, `test/releases/${version}.gz`);
  if (!existsSync(sample) || listMigrations(readSample(pathToFileURL(sample))).at(-1) !== newest)
    refuse(`run "node test/releases/write-sample.ts HEAD ${version}" and commit what it writes`);
}

/** The same commit gives the same bytes. */
function writeSources(folder: string): string {
  const name = `tessera-${version}.tar.gz`;
  const options = ['--format=tar.gz', `--prefix=tessera-${version}/`, `--output=${path.join(folder, name)}`];
  runGit('archive', ...options, 'HEAD');
  return name;
}

/** Everything that is installed to run the service, with licences and checksums, as CycloneDX. */
function writeBillOfMaterials(folder: string): string {
  const name = `tessera-${version}.cdx.json`;
  const words = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only'];
  writeFileSync(path.join(folder, name), runQuietly('npm', words));
  return name;
}

function writeChecksums(folder: string, names: readonly string[]): void {
  const lines = names.map((name) => {
    const sha256 = createHash('sha256')
      .update(readFileSync(path.join(folder, name)))
      .digest('hex');
    return `${sha256}  ${name}\n`;
  });
  writeFileSync(path.join(folder, 'SHA256SUMS'), lines.join(''));
}

function runGit(...words: string[]): string {
  return runQuietly('git', words).trim();
}

function runQuietly(program: string, words: readonly string[]): string {
  return execFileSync(program, words, { cwd: root, encoding: 'utf8', maxBuffer: 100_000_000 });
}

function runVisibly(program: string, words: readonly string[]): void {
  const { status } = spawnSync(program, words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) refuse('a check or a test failed');
}

function readText(name: string): string {
  return readFileSync(path.join(root, name), 'utf8');
}

function refuse(reason: string): never {
  process.stderr.write(`release: ${reason}\n`);
  // oxlint-disable-next-line unicorn/no-process-exit -- nothing runs that would have to end first.
  process.exit(1);
}

makeRelease();
