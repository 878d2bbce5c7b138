import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { isAdmin } from '../admins-only.ts';
import { renderDecisionOnAll, renderTick } from './decisions.ts';
import { nameMatch, type Match } from './match.ts';
import { buildAddress, tiers, type Selection } from './selection.ts';

/** People of a shortlist, in its order, and the chosen one. */
export type People = {
  readonly selection: Selection;
  readonly chosen: Match | undefined;
  readonly matches: readonly Match[];
};

/** Renders the people by tier. An administrator ticks those who have no decision yet, to decide on them together. */
export function renderPeople(visit: Visit, { selection, chosen, matches }: People): Html {
  const { texts } = visit;
  const canDecide = isAdmin(visit) && selection.status === 'pending_review';
  const byTier = Map.groupBy(matches, ({ match_quality }) => match_quality);
  const start = buildAddress({ ...selection, match: '' });
  const people = html`${tiers.map((tier) => {
    const listed = byTier.get(tier);
    return (
      listed &&
      html`<section>
        <h2>${texts.matches.tiers[tier]}</h2>
        <ul class="people">
          ${listed.map((match) => {
            const name = nameMatch(visit, match);
            return html`<li>
              ${canDecide && renderTick(visit, match, name)}<a
                href="${start}${match.id}"
                ${match === chosen && currentMark}
                >${name}</a
              >
            </li>`;
          })}
        </ul>
      </section>`
    );
  })}`;
  return canDecide ? renderDecisionOnAll(visit, people) : people;
}

const currentMark = html` aria-current="true"`;
