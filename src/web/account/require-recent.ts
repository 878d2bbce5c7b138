import { hasRecentAuthentication, requireRecentAuthentication } from '#lib/caller.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, type PageResult, type Visit } from '../serving/page.ts';

/**
 * Sends the visitor to the page that confirms who they are before they fill in a form that would need it. The operation behind the form
 * checks it again.
 *
 * @throws Refusal `recent_authentication_required`.
 */
export function requireRecent({ caller, now }: Visit): void {
  if (caller.role !== 'anonymous') requireRecentAuthentication(caller, now);
}

/** Leads a visitor who must confirm who they are to the page that asks for it, and then to the page with the link to a file. */
export function findConfirmation(visit: Visit, returning: string): PageResult | undefined {
  return isRecent(visit) ? undefined : goTo(toConfirmation(returning));
}

/** Renders a form of a page that is mostly for reading: for a visitor who must confirm who they are, first a link to the page that asks for it. */
export function renderOnceConfirmed(visit: Visit, render: () => Html): Html {
  if (isRecent(visit)) return render();
  const { confirm } = visit.texts;
  return html`<p class="quiet">${confirm.before}</p>
    <p class="buttons">
      <a class="button quiet" href="${toConfirmation(visit.address)}">${confirm.link}</a>
    </p>`;
}

function isRecent({ caller, now }: Visit): boolean {
  return caller.role === 'anonymous' || hasRecentAuthentication(caller, now);
}

function toConfirmation(returning: string): string {
  return `/app/account/confirm?continue=${encodeURIComponent(returning)}`;
}
