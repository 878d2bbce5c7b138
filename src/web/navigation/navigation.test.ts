import { expect, test } from 'vitest';
import { roles, type Caller } from '#lib/caller.ts';
import { english } from '../texts/english.ts';
import { renderNavigation } from './navigation.ts';

const render = (role: string, address: string, waiting = {}) =>
  renderNavigation({ caller: { role } as Caller, texts: english, address }, waiting).toString();

test.each(roles.map((role) => [role]))('%s has at most five entries', (role) => {
  const [first = ''] = render(role, '/app/nothing').split('</nav>');
  expect(first.match(/<li>/g)!.length).toBeLessThanOrEqual(5);
});

test.each([
  ['member', '/app/consent', 'Sharing', 'Consent'],
  ['member', '/app/self-identification', 'Sharing', 'Consent'],
  ['org_admin', '/app/webhooks/new', 'Organisation', 'Webhooks'],
  ['auditor', '/app/audit', 'Organisation', 'Profile'],
  ['platform_admin', '/app/operator/ledger?x=1', 'Service', 'Books'],
])('for %s, %s belongs to %s and there to %s', (role, address, section, page) => {
  const [entries = '', pages = ''] = render(role, address).split('</nav>');
  expect(entries).toMatch(new RegExp(`aria-current="true"\\s*>${section}`));
  expect(pages).toMatch(new RegExp(`aria-current="page"\\s*>${page}`));
});

test('what waits is counted beside its entry, and in words for screen readers', () => {
  const some = render('org_admin', '/app', { '/app/jobs': 1, '/app/organisation': 12 });
  expect(some).toContain('one waits for your answer');
  expect(some).toContain('9+');
  expect(some).toContain('12 wait for your answer');
  expect(render('org_admin', '/app', { '/app/jobs': 0 })).not.toContain('wait');
});
