import { expect, test } from 'vitest';
import { isUnavailable } from './errors.ts';

test.each(['postmaster was shut down, exiting', 'failure on connection marked as essential: 127.0.0.1:5433'])(
  'a distributed database that has just lost a server is unavailable, not a defect: %s',
  (message) => {
    expect(isUnavailable({ code: 'XX000', message })).toBe(true);
    expect(isUnavailable({ code: 'XX000', message: 'unexpected state' })).toBe(false);
  },
);
