import * as reads from '#modules/income/reads';
import * as matches from '#modules/matching/matches';
import * as reviews from '#modules/matching/reviews';
import {
  continuousTraits,
  traitFamilies,
  traitFamilyNames,
  type TraitPriorities,
} from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { renderOccupations, searchOccupations, type Occupations } from '../organisation/jobs/occupations.ts';
import { proposePriorities } from '../organisation/jobs/priorities.ts';
import { renderTicks } from '../parts/disclosure.ts';
import { renderTable } from '../parts/table.ts';
import { html, type Html } from '../serving/html.ts';
import { showView, type Page, type Visit } from '../serving/page.ts';

const path = '/for-employers';

/** The fields of the priorities, the most important first, and how much each asks. */
const fields = [
  ['first', 0.9],
  ['second', 0.8],
  ['third', 0.7],
] as const;

/** What employers get and do not get, and the first step of a job to try without an account: its values are in the address, and nothing is stored. */
export const forEmployersPage: Page = {
  show: async (visit) => {
    const { employers: texts } = visit.texts;
    const occupations = await searchOccupations(visit);
    const { organisations } = await visit.call(reads.readPrices);
    const free = visit.format.formatNumber(Math.min(...organisations.map(({ free_reads }) => free_reads)));
    const days = visit.format.formatNumber(reviews.answer_days);
    const content = html`<header class="head">
        <h1>${texts.heading}</h1>
        <p class="lead">${texts.lead}</p>
      </header>
      <h2>${texts.tryTitle}</h2>
      <p>${texts.tryLead}</p>
      <div class="try-job">
        ${renderOccupations(visit, occupations, { path, title: visit.texts.jobEditor.occupation })}
        ${renderChoice(visit)}
      </div>
      ${await renderOutline(visit, occupations)}
      <div class="gains">
        <section>
          <h2>${texts.getTitle}</h2>
          ${renderTicks(texts.getPoints(free, days))}
        </section>
        <section>
          <h2>${texts.notTitle}</h2>
          ${renderTicks(texts.notPoints)}
        </section>
      </div>
      <p class="buttons after">
        <a class="button" href="/register?for=organisation">${texts.register}</a>
        <a class="button quiet" href="/how-it-works">${texts.toExample}</a>
        <a class="button quiet" href="/prices">${texts.toPrices}</a>
      </p>`;
    return showView({ title: texts.title, description: texts.description, layout: 'open', content });
  },
};

function renderChoice({ texts, query }: Visit): Html {
  const { employers, traits: names, jobEditor } = texts;
  return html`<section class="panel" aria-labelledby="priorities">
    <h2 id="priorities">${employers.orPriorities}</h2>
    <form class="form" method="get" action="${path}#outline">
      ${fields.map(
        ([name], place) =>
          html`<div class="field">
            <label for="${name}">${employers.priority(place)}</label>
            <select id="${name}" name="${name}">
              <option value="">${employers.none}</option>
              ${traitFamilyNames.map(
                (family) =>
                  html`<optgroup label="${jobEditor.families[family]}">
                    ${continuousTraits
                      .filter((code) => (traitFamilies[family] as readonly string[]).includes(code))
                      .map(
                        (code) =>
                          html`<option value="${code}" ${query[name] === code && 'selected'}>
                            ${names.names[code]}
                          </option>`,
                      )}
                  </optgroup>`,
              )}
            </select>
          </div>`,
      )}
      <p class="buttons"><button class="button">${employers.show}</button></p>
    </form>
  </section>`;
}

/** Reads the priorities that the address names; what is no trait is left out. */
function readChosen({ query }: Visit): TraitPriorities {
  const chosen = fields.flatMap(([name, priority]) => {
    const code = continuousTraits.find((each) => each === query[name]);
    return code === undefined ? [] : [[code, priority] as const];
  });
  // Of a trait that is named twice, the higher priority counts.
  return Object.fromEntries(chosen.toReversed());
}

async function renderOutline(visit: Visit, { chosen }: Occupations): Promise<Html | undefined> {
  const { employers: texts } = visit.texts;
  const priorities = chosen ? proposePriorities(chosen.trait_priorities) : readChosen(visit);
  if (Object.keys(priorities).length === 0) return undefined;
  const outline = await visit.call(matches.outlineJob, {
    trait_priorities: priorities,
  });
  const { formatPercent } = visit.format;
  return html`<section class="outline" aria-labelledby="outline">
    <h2 id="outline" tabindex="-1">${texts.resultTitle}</h2>
    ${chosen && html`<p>${texts.ofOccupation(chosen.title)}</p>`}
    ${renderTable(
      texts.resultTitle,
      [texts.trait, texts.share, texts.reads],
      outline.asks.map((ask) => [
        visit.texts.traits.names[ask.trait_name],
        formatPercent(ask.share),
        describeReading(visit, ask),
      ]),
    )}
    ${outline.is_limited && html`<p class="quiet small">${texts.limited(formatPercent(outline.largest_share))}</p>`}
    ${outline.asks.some(({ is_described }) => !is_described) && html`<p class="quiet small">${texts.integrity}</p>`}
    <p><a href="/register?for=organisation">${texts.next}</a></p>
    <p class="quiet small">${texts.nextNote}</p>
  </section>`;
}

type Ask = OperationBody<typeof matches.outlineJob>['asks'][number];

function describeReading({ texts: { employers } }: Visit, { is_named, is_described }: Ask): string {
  if (!is_described) return employers.readsNever;
  return is_named ? employers.readsAtOnce : employers.readsLater;
}
