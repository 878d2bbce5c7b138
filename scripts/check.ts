import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import project from '../package.json' with { type: 'json' };

const root = path.dirname(import.meta.dirname);

/** What the last check of the types found; only files that have changed since, and those that depend on them, are checked again. */
const types_cache = 'node_modules/.cache/tessera/types.tsbuildinfo';

/** Each checker computes types of its own: its default of four on two processors costs a third more of their time. */
const type_checkers = Math.min(4, availableParallelism());

/** The checks that do not run the source, as arguments of `node`. */
const tools: Readonly<Record<string, readonly string[]>> = {
  types: [
    resolveCommand('tsc'),
    '--noEmit',
    '-p',
    '.',
    '--incremental',
    '--tsBuildInfoFile',
    types_cache,
    '--checkers',
    String(type_checkers),
  ],
  lint: [resolveCommand('oxlint'), '--type-aware', '--deny-warnings'],
  format: [resolveCommand('oxfmt'), '--check'],
  unused: [resolveCommand('knip'), '--no-progress'],
  // What only tests use belongs in test/.
  shipped: [resolveCommand('knip'), '--no-progress', '--production', '--config', 'knip.production.json'],
  tidy: ['tidy.ts'],
};

type Outcome = { readonly passed: boolean; readonly seconds: string; readonly output: string };

/** Runs all tools at once. Prints a line for each when it ends, and its output if it failed. @returns whether all passed. */
async function runChecks(): Promise<boolean> {
  const outcomes = Object.entries(tools).map(async ([name, tool]) => {
    const { passed, seconds, output } = await runTool(tool);
    console.log(`${passed ? 'ok    ' : 'failed'} ${name.padEnd(8)} ${seconds} s`);
    if (!passed) console.log(output.trimEnd());
    return passed;
  });
  return (await Promise.all(outcomes)).every(Boolean);
}

function runTool(tool: readonly string[]): Promise<Outcome> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, tool, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const appendOutput = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', appendOutput);
    child.stderr.on('data', appendOutput);
    child.on('error', (error) => appendOutput(Buffer.from(error.message)));
    child.on('close', (status) => {
      resolve({ passed: status === 0, seconds: ((performance.now() - started) / 1000).toFixed(1), output });
    });
  });
}

function resolveCommand(command: string): string {
  return path.join(root, 'node_modules/.bin', command);
}

const oldest_major = Number(project.engines.node.replace('>=', ''));
if (Number(process.versions.node.split('.')[0]) >= oldest_major) {
  process.exitCode = (await runChecks()) ? 0 : 1;
} else {
  console.error(
    `The checks need Node ${oldest_major} or newer, but this is ${process.version}. Run "npm ci && npm run check".`,
  );
  process.exitCode = 1;
}
