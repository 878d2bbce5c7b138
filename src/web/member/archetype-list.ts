import type * as archetypes from '#modules/measurement/archetypes';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';
import { renderEmblem } from './emblems.ts';

export type Archetype = OperationBody<typeof archetypes.readArchetype>;
export type Archetypes = OperationBody<typeof archetypes.listArchetypes>;

/** All twelve archetypes by family, folded once the member has one. The member's own is marked, and the one that is next. */
export function renderArchetypeList(visit: Visit, all: Archetypes, own?: Archetype): Html {
  const { archetype: texts } = visit.texts;
  const content = html`<p class="quiet">${texts.allLead}</p>
    ${all.families.map(
      ({ archetype_family, meaning }) =>
        html`<section class="archetypes">
          <h3>${texts.families[archetype_family]} <span class="quiet">${meaning}</span></h3>
          <ul>
            ${all.archetypes
              .filter((each) => each.archetype_family === archetype_family)
              .map((each) => renderArchetype(visit, each, own))}
          </ul>
        </section>`,
    )}`;
  return own === undefined
    ? html`<section class="group">
        <h2>${texts.allTitle}</h2>
        ${content}
      </section>`
    : html`<details class="group">
        <summary>${texts.allTitle}</summary>
        ${content}
      </details>`;
}

type Listed = Archetypes['archetypes'][number];

function renderArchetype(
  { texts, format }: Visit,
  { archetype, name, description, high, low }: Listed,
  own: Archetype | undefined,
): Html {
  const { archetype: words, traits } = texts;
  // A trait without a scale is named after the ways of acting that count as more of it.
  const names: Readonly<Record<string, string>> = { ...traits.names, ...words.ways };
  const list = (codes: readonly string[]) => format.formatList(codes.map((code) => names[code]!));
  const isOwn = own?.archetype === archetype;
  const isNext = own?.archetype !== null && own?.runner_up === archetype;
  return html`<li class="${isOwn && 'own'}">
    ${renderEmblem(archetype)}
    <div>
      <h4>
        ${name} ${isOwn && html`<span class="tag">${words.yours}</span>`}
        ${isNext && html`<span class="tag plain">${words.next}</span>`}
      </h4>
      <p>${description}</p>
      <p class="quiet small">${words.high(list(high))}</p>
      <p class="quiet small">${words.low(list(low))}</p>
    </div>
  </li>`;
}
