import { expect, test } from 'vitest';
import { runProgram } from '#test/process/run-tessera.ts';

/** Runs a program with the guard, in which every fault happens outside whatever could handle it. It prints the exit code that the guard asks for. */
async function runGuarded(faults: string): Promise<{ readonly output: string; readonly code: unknown }> {
  const script = `
    import { EventEmitter } from 'node:events';
    import { guardProcess } from './src/app/guard-process.ts';
    const log = { error: ({ err }) => console.log('reported', err.message), warn: ({ signal }) => console.log('ignored', signal) };
    const { stopped } = guardProcess(log);
    const running = setInterval(() => undefined, 1_000);
    setImmediate(() => { ${faults} });
    setImmediate(() => setImmediate(() => setImmediate(() => process.kill(process.pid, 'SIGTERM'))));
    process.exitCode = await stopped;
    console.log('stops', process.exitCode);
    clearInterval(running);`;
  const program = runProgram(process.execPath, ['--input-type=module', '-e', script]);
  const code = await program.exited;
  return { output: program.readOutput(), code };
}

test.each([
  [
    'a lost connection',
    `new EventEmitter().emit('error', Object.assign(new Error('reset'), { code: 'ECONNRESET', syscall: 'read' }))`,
    'reset',
  ],
  [
    'the end of a database',
    `new EventEmitter().emit('error', Object.assign(new Error('ended'), { code: '57P01' }))`,
    'ended',
  ],
  ['a promise that nobody waits for', `void Promise.reject(new TypeError('forgotten'))`, 'forgotten'],
])('%s is reported, and the process continues until a signal asks it to stop', async (_, faults, message) => {
  const { output, code } = await runGuarded(faults);
  expect([output, code]).toEqual([`reported ${message}\nstops 0\n`, 0]);
});

test('any other error that nothing handles stops the process in order, with exit code 1', async () => {
  const { output, code } = await runGuarded(`throw new TypeError('defect')`);
  expect([output.split('\n').slice(0, 2), code]).toEqual([['reported defect', 'stops 1'], 1]);
});

test('signals after the first one do not end the process', async () => {
  const { output, code } = await runGuarded(
    `process.kill(process.pid, 'SIGINT'); process.kill(process.pid, 'SIGINT')`,
  );
  expect(output).toContain('stops 0\n');
  expect(code).toBe(0);
});
