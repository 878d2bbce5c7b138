import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cleanUpAfterFile } from './clean-up.ts';
import { findFreePorts, prepareDataDir, runTessera } from './process/run-tessera.ts';

const root = path.dirname(import.meta.dirname);

/** Commands of the guide, and the output that it prints for them, if any. */
type Example = { readonly commands: string; readonly printed: string | undefined };

const examples = readExamples(readFileSync(path.join(root, 'docs/api-guide.md'), 'utf8'));
let outputs: readonly string[];

describe('docs/api-guide.md', () => {
  beforeAll(async () => {
    outputs = await runExamples();
  }, 300_000);

  it('has commands, most of them with their output', () => {
    expect(examples.length).toBeGreaterThan(15);
    expect(examples.filter(({ printed }) => printed !== undefined).length).toBeGreaterThan(10);
  });

  it.each(examples.map((example, index) => [example.commands.split('\n', 1)[0], index, example] as const))(
    'prints what the service replies to: %s (%d)',
    (_, index, { printed }) => {
      const [, output, status] = /^([\s\S]*)status (\d+)\n$/.exec(outputs[index] ?? '') ?? [];
      expect([status, output]).toEqual(['0', expect.any(String)]);
      expect(removeSpace(output!)).toMatch(toPattern(printed ?? '…'));
    },
  );

  it('is compared with the replies: another value is a difference', () => {
    expect(removeSpace('{"id": "1", "role": "member"}')).toMatch(toPattern('{"id":"…",\n"role":"member"}'));
    expect(removeSpace('{"id": "1", "role": "auditor"}')).not.toMatch(
      toPattern('{"id":"…","role":"member"}'),
    );
  });
});

function readExamples(text: string): readonly Example[] {
  return [...text.matchAll(/^```sh\n((?:(?!```).*\n)*)```$(?:\n\n```\n((?:(?!```).*\n)*)```$)?/gm)].map(
    ([, commands = '', printed]) => ({ commands, printed }),
  );
}

/** Runs all commands in one shell, as a reader would, in a folder with the service's data and packages. @returns the output of each example. */
async function runExamples(): Promise<readonly string[]> {
  const TESSERA_DATA_DIR = await prepareDataDir();
  const ports = await findFreePorts();
  await runTessera(['serve'], { TESSERA_DATA_DIR, ...ports }).ready;
  const folder = path.join(path.dirname(TESSERA_DATA_DIR), 'reader');
  await mkdir(folder);
  await symlink(TESSERA_DATA_DIR, path.join(folder, '.tessera'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const script = examples.map(({ commands }) => `${commands}echo "status $?"; echo '${separator}'\n`);
  const output = await runScript(folder, script.join('').replaceAll('8420', ports.TESSERA_PORT));
  return output.replaceAll(ports.TESSERA_PORT, '8420').split(`${separator}\n`);
}

const separator = '=== next example ===';

/** Runs a script. `tee /dev/stderr` needs a pipe of the shell, because Node gives its children sockets. */
function runScript(folder: string, script: string): Promise<string> {
  const child = spawn('sh', ['-c', 'sh -s 2>&1 | cat'], {
    cwd: folder,
    env: { PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}` },
    detached: true,
  });
  cleanUpAfterFile(() => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdin.end(script);
  return new Promise((resolve) => child.once('close', () => resolve(output)));
}

/** What the guide prints, as a pattern: `…` is any text, and what remains of a rate limit depends on the moment. */
function toPattern(printed: string): RegExp {
  const escaped = removeSpace(printed).replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('…', '.*?').replace(/;([rt])=\d+/g, String.raw`;$1=\d+`)}$`);
}

function removeSpace(text: string): string {
  return text.replace(/\s/g, '');
}
