import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import project from '../../../package.json' with { type: 'json' };
import { describeBuild } from './build.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';

/** Creates a directory with these files. */
async function createDirectory(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'tessera-build-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, name)), { recursive: true });
    await writeFile(path.join(directory, name), text);
  }
  return directory;
}

test('the configured commit comes before that of the checkout', async () => {
  const checkout = await createDirectory({ '.git/HEAD': `${commit}\n` });
  expect(await describeBuild('abcdef0', checkout)).toEqual({
    version: project.version,
    node: process.version,
    commit: 'abcdef0',
  });
});

test('the commit of a checkout is that of its branch, or its own if it has none', async () => {
  const branch = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${commit}\n` };
  for (const files of [branch, { '.git/HEAD': `${commit}\n` }])
    expect((await describeBuild(undefined, await createDirectory(files))).commit).toBe(commit);
});

test('a commit that cannot be found, or is something else, is unknown', async () => {
  const others = [
    {},
    { '.git/HEAD': 'ref: refs/heads/main\n' },
    { '.git/HEAD': 'ref: ../../etc/passwd\n' },
    { '.git/HEAD': '"} 1' },
  ];
  for (const files of others)
    expect(
      (await describeBuild(undefined, await createDirectory(files as Record<string, string>))).commit,
    ).toBe('unknown');
});
