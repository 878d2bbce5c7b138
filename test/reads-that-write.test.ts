import { expect, test } from 'vitest';
import { apiRows } from './wire-schemas.ts';

/** What a GET of the API may write, by its operation. Reading changes nothing else. */
const reads = {
  // Who has read what belongs to others.
  'audit.readAuditLog': 'The audit log says which administrator of the platform has read it.',
  'operator.inspectUser': 'The audit log says which administrator of the platform has read the account.',
  'exports.exportBiasReport':
    'The audit log says who has read the report, and a report that is due is published.',
  'exports.exportMatches': 'The audit log says who has exported the matches.',
  'exports.exportMatchReport':
    'The audit log says who has exported the report, and the task that writes the explanation is started.',
  'matches.readContact': 'The audit log says who has read the contact.',
  // What the reply itself needs.
  'matches.readExplanation':
    'Starts the task that writes the explanation, when it is read for the first time.',
  'sso.startLogin': 'The request of the login, which its answer must name.',
  // A transaction that only reads.
  'rights.exportMemberData': 'Nothing; the transaction reads all tables as they were at one moment.',
};

test('a GET writes only what is listed here, and any other has no transaction', () => {
  const writing = apiRows.flatMap(({ method, operation: { name, writes_on_read } }) =>
    method === 'GET' && writes_on_read !== undefined ? [[name, writes_on_read]] : [],
  );
  expect(Object.fromEntries(writing)).toEqual(reads);
});

test('only operations that are read say what they write then', () => {
  const others = apiRows.filter(
    ({ method, operation }) => method !== 'GET' && operation.writes_on_read !== undefined,
  );
  expect(others.map(({ operation }) => operation.name)).toEqual([]);
});
