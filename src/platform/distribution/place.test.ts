import { expect, test } from 'vitest';
import { mayRefer, parseForeignKey } from './place.ts';

const places = {
  members: 'id',
  assessments: 'member_id',
  jobs: 'id',
  matches: 'job_id',
  payouts: 'holder_id',
  organisations: 'copied',
  status_lists: 'copied',
};

const mayReferBy = (table: string, columns: string, target: string, referred: string) =>
  mayRefer(places, ['organisations'], {
    table,
    name: 'key',
    target,
    definition: `FOREIGN KEY (${columns}) REFERENCES ${target}(${referred}) ON DELETE CASCADE`,
  });

test('a foreign key names its columns and those that they refer to', () => {
  expect(parseForeignKey('FOREIGN KEY (job_id, match_id) REFERENCES matches(job_id, id)')).toEqual({
    columns: ['job_id', 'match_id'],
    referred: ['job_id', 'id'],
  });
});

test.each([
  ['rows of the same member', 'assessments', 'member_id', 'members', 'id', true],
  ['a job, from a match by the key of the match', 'matches', 'job_id', 'jobs', 'id', true],
  ['a member, from a match, which is with its job', 'matches', 'member_id', 'members', 'id', false],
  ['a table that is on every node', 'assessments', 'list_id', 'status_lists', 'id', true],
  ['an organisation, from a job', 'jobs', 'org_id', 'organisations', 'id', false],
  ['a member, from the first node', 'users', 'member_id', 'members', 'id', false],
  ['the first node, from a member', 'members', 'user_id', 'users', 'id', false],
  ['two tables of the first node', 'sessions', 'user_id', 'users', 'id', true],
])('%s', (_, table, columns, target, referred, expected) => {
  expect(mayReferBy(table, columns, target, referred)).toBe(expected);
});
