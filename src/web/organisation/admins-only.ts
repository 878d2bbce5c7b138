import { html } from '../serving/html.ts';
import { showNarrow, type View, type Visit } from '../serving/page.ts';

/** Says whether the visitor may change things for the organisation. */
export function isAdmin({ caller }: Visit): boolean {
  return caller.role === 'org_admin';
}

/** Shows who can do what this page is for: the API would refuse it to the visitor. */
export function showAdminsOnly({ texts: { adminsOnly } }: Visit, title: string): View {
  const content = html`<p class="buttons"><a class="button quiet" href="/app">${adminsOnly.home}</a></p>`;
  return showNarrow({ title, lead: adminsOnly.administrators }, content);
}

/** Shows that only administrators and auditors see this. */
export function showReadersOnly({ texts: { adminsOnly } }: Visit, title: string): View {
  const content = html`<p class="buttons"><a class="button quiet" href="/app">${adminsOnly.home}</a></p>`;
  return showNarrow({ title, lead: adminsOnly.readers }, content);
}
