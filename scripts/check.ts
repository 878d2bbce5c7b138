import { spawn } from 'node:child_process';
import path from 'node:path';
import { nodeIsRecentEnough } from '../src/node-version.ts';

const root = path.dirname(import.meta.dirname);

/** The fast loop: everything that can be said about the source without running it. Each tool's arguments are read by `node`. */
const tools: Readonly<Record<string, readonly string[]>> = {
  types: [installed('tsc'), '--noEmit', '-p', '.'],
  lint: [installed('oxlint'), '--type-aware', '--deny-warnings'],
  format: [installed('oxfmt'), '--check'],
  unused: [installed('knip'), '--no-progress'],
  tidy: ['tidy.ts'],
};

type Outcome = { readonly passed: boolean; readonly seconds: string; readonly output: string };

/** Runs all tools at once and prints a line for each as it ends, with its output where it failed. */
async function check(): Promise<boolean> {
  const outcomes = Object.entries(tools).map(async ([name, tool]) => {
    const { passed, seconds, output } = await run(tool);
    console.log(`${passed ? 'ok    ' : 'failed'} ${name.padEnd(8)} ${seconds} s`);
    if (!passed) console.log(output.trimEnd());
    return passed;
  });
  return (await Promise.all(outcomes)).every(Boolean);
}

function run(tool: readonly string[]): Promise<Outcome> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, tool, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => keep(Buffer.from(error.message)));
    child.on('close', (status) => {
      resolve({ passed: status === 0, seconds: ((performance.now() - started) / 1000).toFixed(1), output });
    });
  });
}

function installed(command: string): string {
  return path.join(root, 'node_modules/.bin', command);
}

if (nodeIsRecentEnough(process.version)) {
  process.exitCode = (await check()) ? 0 : 1;
} else {
  console.error(
    `Tessera needs Node 24 or newer, and this is ${process.version}: run it by npm, after npm ci.`,
  );
  process.exitCode = 1;
}
