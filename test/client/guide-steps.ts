import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cleanUpAfterFile } from '../clean-up.ts';
import { findFreePorts, prepareDataDir, runTessera } from '../process/run-tessera.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** A step of `docs/api-steps.md`: the code in each language, and what it prints. */
export type Step = {
  readonly title: string;
  readonly ts: string;
  readonly py: string;
  readonly printed: string;
};

export type Language = 'ts' | 'py';

/** Reads the steps. A step without printed lines prints nothing. */
export function readSteps(): readonly Step[] {
  const text = readFileSync(path.join(root, 'docs/api-steps.md'), 'utf8');
  const blocks = [...text.matchAll(/^## (.+)$|^```(ts|py|)\n((?:(?!```).*\n)*)```$/gm)];
  const steps: { title: string; ts: string; py: string; printed: string }[] = [];
  let title = '';
  for (const [, heading, language, code = ''] of blocks) {
    const last = steps.at(-1);
    if (heading !== undefined) title = heading;
    else if (language === 'ts') steps.push({ title, ts: code, py: '', printed: '' });
    else if (last && language === 'py') last.py = code;
    else if (last) last.printed = code;
  }
  return steps;
}

/** The sections of the API guide that have commands. */
export function listGuideSections(): readonly string[] {
  const guide = readFileSync(path.join(root, 'docs/api-guide.md'), 'utf8');
  return guide
    .split(/^## /m)
    .filter((section) => section.includes('```sh\n'))
    .map((section) => section.split('\n', 1)[0]!);
}

const separator = '=== next step ===';

/** Runs all steps of one language as one program, beside a service with an empty data directory. @returns what each step has printed. */
export async function runSteps(
  steps: readonly Step[],
  language: Language,
  client: string,
): Promise<readonly string[]> {
  const TESSERA_DATA_DIR = await prepareDataDir();
  const ports = await findFreePorts();
  const service = runTessera(['serve'], { TESSERA_DATA_DIR, ...ports });
  await service.ready;
  const folder = path.join(path.dirname(TESSERA_DATA_DIR), 'reader');
  await mkdir(path.join(folder, 'node_modules/@tessera'), { recursive: true });
  await symlink(TESSERA_DATA_DIR, path.join(folder, '.tessera'));
  await symlink(client, path.join(folder, 'node_modules/@tessera/client'));
  await symlink(path.join(root, 'node_modules/otpauth'), path.join(folder, 'node_modules/otpauth'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const mark = language === 'ts' ? `console.log('${separator}');\n` : `print('${separator}', flush=True)\n`;
  const program = steps
    .map((step) => step[language] + mark)
    .join('')
    .replaceAll('8420', ports.TESSERA_PORT);
  const file = path.join(folder, `steps.${language}`);
  await writeFile(file, program);
  const output = await runProgram(language === 'ts' ? process.execPath : 'python3', file, folder);
  service.process.kill();
  return output.split(`${separator}\n`);
}

/** @returns what a program has printed, its complaints included. */
async function runProgram(program: string, file: string, cwd: string): Promise<string> {
  const child = spawn(program, [file], { cwd });
  cleanUpAfterFile(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output += text));
  await new Promise((resolve) => child.once('close', resolve));
  return output;
}
