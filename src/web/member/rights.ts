import * as consent from '#modules/people/consent';
import { renderTicks } from '../parts/disclosure.ts';
import { html, type Html } from '../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../serving/page.ts';
import { renderMatchTabs } from './tabs.ts';

/** How a member is matched, and what they can do about it: the notice, the way out, and the rights. */
export const rightsPage: Page = {
  show: async (visit) => {
    const { rights: words } = visit.texts;
    const { consents } = await visit.call(consent.readConsent);
    const isMatched = consents.some(({ consent_type, granted }) => consent_type === 'matching' && granted);
    const content = html`<div class="sides">
      <div>
        ${words.sections.map(
          ({ title, points }) =>
            html`<section>
              <h2>${title}</h2>
              ${renderTicks(points)}
            </section>`,
        )}
      </div>
      <aside>${renderWayOut(visit, isMatched)} ${renderActs(visit)}</aside>
    </div>`;
    return showHeaded(words, content, { tabs: renderMatchTabs(visit) });
  },
};

/** Whether the member is matched automatically, and how to change it. */
function renderWayOut({ texts: { rights: words } }: Visit, isMatched: boolean): Html {
  return html`<section class="panel" id="opt-out">
    <h2>${words.wayOut}</h2>
    <p>${isMatched ? words.matched : words.notMatched}</p>
    <p class="buttons">
      <a class="button quiet" href="/app/consent/matching">${isMatched ? words.stop : words.start}</a>
    </p>
  </section>`;
}

function renderActs({ texts: { rights: words } }: Visit): Html {
  return html`<section>
    <h2>${words.acts}</h2>
    <ul class="plain-list links">
      ${words.links.map(([address, label]) => html`<li><a href="${address}">${label}</a></li>`)}
    </ul>
    <p class="quiet small">${words.complain}</p>
  </section>`;
}
