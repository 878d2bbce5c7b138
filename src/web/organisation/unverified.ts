import * as matches from '#modules/matching/matches';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';
import { readUnlessRefused } from '../parts/read-unless-refused.ts';

/** Renders what to do before matches are shown: an administrator verifies their email address. Undefined if one has. */
export async function renderUnverified(visit: Visit): Promise<Html | undefined> {
  const first = await readUnlessRefused(['email_not_verified'], () =>
    visit.call(matches.listOrganisationMatches, { limit: 1 }),
  );
  return first === undefined ? renderVerification(visit) : undefined;
}

/** Renders what to do if the API has refused matches because no administrator has verified an address. */
export function renderVerification({ texts: { unverified } }: Visit): Html {
  return html`<p class="lead">${unverified.lead}</p>
    <p class="buttons after"><a class="button" href="/app/account">${unverified.button}</a></p>`;
}
