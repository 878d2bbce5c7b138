import { type Html, html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';

/** The pages about what was measured. */
export function renderResultTabs(visit: Visit): Html {
  const { frame } = visit.texts;
  return renderTabs(visit, frame.you, [
    ['/app/traits', frame.traits],
    ['/app/archetype', frame.archetype],
    ['/app/assessment', frame.assessment],
  ]);
}

/** The pages about being matched. */
export function renderMatchTabs(visit: Visit): Html {
  const { frame, ownInvitations, preferences, rights } = visit.texts;
  return renderTabs(visit, frame.matches, [
    ['/app/matches', frame.matches],
    ['/app/invitations', ownInvitations.title],
    ['/app/preferences', frame.preferences],
    ['/app/preferences/profile', preferences.profile],
    ['/app/rights', rights.tab],
  ]);
}

/** Renders links between pages that belong together. The one that is shown is marked. */
function renderTabs(
  { address }: Pick<Visit, 'address'>,
  label: string,
  links: readonly (readonly [link: string, label: string])[],
): Html {
  const path = address.split('?', 1)[0];
  return html`<nav class="switch tabs" aria-label="${label}">
    <ul>
      ${links.map(([link, words]) => html`<li><a href="${link}" ${link === path && html`aria-current="page"`}>${words}</a></li>`)}
    </ul>
  </nav>`;
}
