import * as learning from '#modules/matching/learning';
import type { OperationBody } from '#platform/operation.ts';
import { renderFacts } from '../parts/facts.ts';
import { renderTable } from '../parts/table.ts';
import { html, type Html } from '../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../serving/page.ts';

type ModelCard = OperationBody<typeof learning.readModelCard>;

/** What the matching model is for, what it learns from, and what it cannot do: for everyone, of the version in use. */
export const modelCardPage: Page = {
  show: async (visit) => {
    const { modelCard: words } = visit.texts;
    const card = await visit.call(learning.readModelCard);
    const content = html`${renderFacts([
        [words.version, visit.format.formatNumber(card.version)],
        [words.since, visit.format.formatDate(card.live_since)],
      ])}
      ${renderSection(words.purpose, card.purpose)} ${renderSection(words.notFor, card.not_for)}
      ${renderSection(words.data, card.data)} ${renderSection(words.features, card.features)}
      ${renderSection(words.excluded, card.excluded)} ${renderSection(words.method, card.method)}
      ${renderSection(words.promotion, card.promotion)} ${renderEvaluation(visit, card)}
      ${renderWeights(visit, card)} ${renderSection(words.limits, card.limits)} ${renderHistory(visit, card)}
      <p class="quiet"><a href="/api/v1/model-card">${words.data_link}</a></p>`;
    return showHeaded(words, content, { layout: 'open', description: words.description });
  },
};

function renderSection(title: string, paragraphs: readonly string[]): Html {
  return html`<section class="group reading">
    <h2>${title}</h2>
    ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
  </section>`;
}

function renderEvaluation({ texts, format }: Visit, { version, versions }: ModelCard): Html {
  const { modelCard: words, operator } = texts;
  const { formatNumber } = format;
  const found = versions.find((each) => each.version === version)?.evaluation;
  const formatPoints = (share: number) => words.points((100 * share).toFixed(1));
  return html`<section class="group">
    <h2>${words.evaluation}</h2>
    ${
      found
        ? renderFacts([
            [words.gain, formatPoints(found.gain)],
            [words.bound, found.lower_bound === null ? operator.none : formatPoints(found.lower_bound)],
            [words.sample, words.sampleOf(formatNumber(found.outcomes), formatNumber(found.organisations))],
            [words.groups, formatNumber(found.groups_compared)],
          ])
        : html`<p>${words.noEvaluation}</p>`
    }
  </section>`;
}

function renderWeights({ texts }: Visit, { bounds, weights }: ModelCard): Html {
  const { modelCard: words } = texts;
  const { multiplier_min, multiplier_max, step_max } = bounds;
  const names: Readonly<Record<string, string>> = texts.traits.names;
  return html`<section class="group reading">
    <h2>${words.weights}</h2>
    <p>${words.weightsText(String(multiplier_min), String(multiplier_max), String(step_max))}</p>
    ${weights.map(({ occupation_group, multipliers }) => {
      const name = occupation_group === 'all' ? words.allJobs : words.group(occupation_group);
      const rows = Object.entries(multipliers).map(
        ([code, multiplier]) => [names[code] ?? code, multiplier.toFixed(2)] as const,
      );
      return html`<h3>${name}</h3>
        ${
          rows.every(([, multiplier]) => multiplier === '1.00')
            ? html`<p>${words.neutral}</p>`
            : renderTable(name, [words.trait, words.multiplier], rows)
        }`;
    })}
  </section>`;
}

function renderHistory({ texts, format }: Visit, { versions }: ModelCard): Html {
  const { modelCard: words } = texts;
  const { formatNumber, formatDate } = format;
  return html`<section class="group">
    <h2>${words.history}</h2>
    <ul class="list">
      ${versions.map(({ version, parent, created_at, outcomes, evaluation }) => {
        const state = evaluation
          ? evaluation.reasons.length === 0
            ? words.allowed
            : words.refused
          : words.open;
        return html`<li>
          <span
            ><strong>${words.historyLine(formatNumber(version), formatDate(created_at))}</strong>
            <span class="quiet small"
              >${parent === null ? words.first : words.trained(formatNumber(outcomes))}</span
            ></span
          >
          ${parent !== null && html`<span class="tag plain">${state}</span>`}
        </li>`;
      })}
    </ul>
  </section>`;
}
