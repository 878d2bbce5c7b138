import { expect, test } from 'vitest';
import { toRowPath } from './rules.ts';

test.each([
  [
    '/api/v1/orgs/me/jobs/:job_id/invitations/:invitation_id',
    '/orgs/me/jobs/{job_id}/invitations/{invitation_id}',
  ],
  ['/api/v1/orgs/me/jobs', '/orgs/me/jobs'],
  ['/partners/greenhouse/list_tests', '/partners/greenhouse/list_tests'],
])('the route %s is the path %s', (route, path) => expect(toRowPath(route)).toBe(path));
