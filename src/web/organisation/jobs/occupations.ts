import * as jobs from '#modules/matching/jobs';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';

/** An occupation with the priorities that its ratings speak for. */
export type Occupation = OperationBody<typeof jobs.searchTemplates>['data'][number];

/** The occupations that were searched for, and the chosen one. */
export type Occupations = {
  readonly query: string;
  readonly found: readonly Occupation[];
  readonly chosen: Occupation | undefined;
};

const rows_max = 8;

/** Searches the occupations for the words in the address, and finds the chosen one among them. */
export async function searchOccupations({ call, query }: Visit): Promise<Occupations> {
  const words = query['occupation']?.trim().slice(0, 200) ?? '';
  if (words === '') return { query: words, found: [], chosen: undefined };
  const { data } = await call(jobs.searchTemplates, { query: words, limit: rows_max });
  return { query: words, found: data, chosen: data.find(({ onet_code }) => onet_code === query['template']) };
}

/** Renders the search for an occupation, what it found, and the chosen one with its source, as its licence requires. */
export function renderOccupations(
  { texts: { jobEditor: texts } }: Visit,
  { query, found, chosen }: Occupations,
  { path, title }: { readonly path: string; readonly title: string },
): Html {
  return html`<section class="panel occupations" aria-labelledby="occupations">
    <h2 id="occupations">${title}</h2>
    <p class="quiet">${texts.occupationLead}</p>
    <form class="search" method="get" action="${path}" role="search">
      <input
        type="search"
        name="occupation"
        value="${query}"
        aria-label="${texts.occupationLabel}"
        placeholder="${texts.occupationExample}"
        maxlength="200"
        autocomplete="off"
      />
      <button class="button quiet">${texts.search}</button>
    </form>
    ${query !== '' && found.length === 0 && html`<p role="status">${texts.noOccupation}</p>`}
    ${found.length > 0 && renderFound(path, query, { found, chosen })}
    ${
      chosen &&
      html`<p class="quiet small">${chosen.description}</p>
        <p class="quiet small">${chosen.source}</p>`
    }
  </section>`;
}

function renderFound(path: string, query: string, { found, chosen }: Omit<Occupations, 'query'>): Html {
  const start = `${path}?occupation=${encodeURIComponent(query)}&template=`;
  return html`<ul class="chips">
    ${found.map(({ onet_code, title }) => html`<li><a href="${start}${onet_code}" ${onet_code === chosen?.onet_code && html`aria-current="true"`}>${title}</a></li>`)}
  </ul>`;
}
