import type * as matching from '#modules/matching/matches';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { formatHandle } from '#modules/matching/matches';
import { buildAddress, tiers, type Selection } from './selection.ts';

export type Match = OperationBody<typeof matching.listJobMatches>['data'][number];

/** People of a shortlist, in its order, and the chosen one. */
export type People = {
  readonly selection: Selection;
  readonly chosen: Match | undefined;
  readonly matches: readonly Match[];
};

export function renderPeople({ texts }: Visit, { selection, chosen, matches }: People): Html {
  const byTier = Map.groupBy(matches, ({ match_quality }) => match_quality);
  const start = buildAddress({ ...selection, match: '' });
  const word = texts.shortlist.person;
  return html`${tiers.map((tier) => {
    const people = byTier.get(tier);
    return (
      people &&
      html`<section>
        <h2>${texts.matches.tiers[tier]}</h2>
        <ul class="people">
          ${people.map((match) => html`<li><a href="${start}${match.id}" ${match === chosen && currentMark}>${match.member_name ?? formatHandle(word, match.member_id)}</a></li>`)}
        </ul>
      </section>`
    );
  })}`;
}

const currentMark = html` aria-current="true"`;
