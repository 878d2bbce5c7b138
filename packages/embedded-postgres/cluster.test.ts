import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { describeDataDirFault } from './cluster.ts';

test.each([
  ["ENOSPC: no space left on device, mkdir '/data'", /is full: free some space/],
  ['initdb: error: could not write file: No space left on device', /is full/],
  ['database or disk is full', /is full/],
  ['FATAL:  could not extend file: wrote only 4096 of 8192 bytes\nHINT:  Check free disk space.', /is full/],
  ["EROFS: read-only file system, mkdir '/data'", /is read-only/],
])('a start that failed with %j is described in one line', async (message, line) => {
  for (const error of [
    new Error(message),
    new Error('The database could not be created', { cause: new Error(message) }),
  ]) {
    const fault = await describeDataDirFault(tmpdir(), error);
    expect(fault?.message).toMatch(line);
    expect(fault?.message).not.toContain('\n');
  }
});

test('a start that failed for another reason is not described', async () => {
  expect(await describeDataDirFault(tmpdir(), new Error('a defect'))).toBeUndefined();
});
