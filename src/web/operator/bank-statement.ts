import * as traits from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';

type Statement = OperationBody<typeof traits.readBankVersion>['statements'][number];

/** Renders a statement with its parameters, what was flagged, and a curve for each option. */
export function renderStatement(visit: Visit, statement: Statement): Html {
  const { operatorBanks: words } = visit.texts;
  const { item_id, text, status, reversed, discrimination, thresholds, answers, flags } = statement;
  const facts = [
    words.discrimination(discrimination.toFixed(2)),
    words.thresholds(thresholds.map((each) => each.toFixed(2).replace('-', '−')).join(', ')),
    ...(answers === null ? [] : [words.answers(visit.format.formatNumber(answers))]),
  ];
  return html`<section class="panel">
    <h3>${text}</h3>
    <p>
      <code class="quiet">${item_id}</code>
      ${status !== 'asked' && html`<span class="tag plain">${words.statuses[status]}</span>`}
      ${reversed && html`<span class="tag plain">${words.reversed}</span>`}
      ${flags.map((flag) => html`<span class="tag clay">${words.flags[flag]}</span>`)}
    </p>
    ${renderCurves(visit, statement)}
    <p class="quiet small">${facts.join(' · ')}</p>
  </section>`;
}

const [width, height] = [240, 60];

/** Draws the probability of each option from the left, little of the trait, to the right. The first and the last option have names. */
function renderCurves({ texts }: Visit, { item_id, options, ...item }: Statement): Html {
  const points = traits.computeOptionCurves(item);
  const lines = points[0]!.probabilities.map((_, option) =>
    points
      .map(
        ({ place, probabilities }) =>
          `${(((place + 3) / 6) * width).toFixed(1)},${(height * (1 - probabilities[option]!)).toFixed(1)}`,
      )
      .join(' '),
  );
  const label = texts.operatorBanks.curveLabel(item_id, options[0] ?? '', options.at(-1) ?? '');
  return html`<svg class="curves" viewBox="-2 -2 ${width + 4} ${height + 4}" role="img" aria-label="${label}">
    <line class="axis" x1="0" y1="${height}" x2="${width}" y2="${height}" />
    ${lines.map((line, option) => html`<polyline class="${option === 0 ? 'first' : option === lines.length - 1 ? 'last' : 'between'}" points="${line}" />`)}
  </svg>`;
}
