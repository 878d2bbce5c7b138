import { expect, test } from 'vitest';
import { nameKey } from './distribution.ts';

test('rows of one holder, organisation and member are together, and those of one job', () => {
  expect(nameKey('payouts', 'holder_id')).toBe(nameKey('members', 'id'));
  expect(nameKey('read_counts', 'org_id')).toBe(nameKey('members', 'id'));
  expect(nameKey('matches', 'job_id')).toBe(nameKey('jobs', 'id'));
  expect(nameKey('payments', 'id')).not.toBe(nameKey('members', 'id'));
});
