import type * as exports from '#modules/operations/exports';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';

type Report = Extract<OperationBody<typeof exports.exportBiasReport>, { readonly comparisons: unknown }>;
type Group = Report['comparisons'][number]['groups'][number];

/** Names a group; two groups together are joined by a comma. */
export function nameGroup({ texts }: Pick<Visit, 'texts'>, group: string): string {
  const names: Readonly<Record<string, string>> = texts.reports.groups;
  return group
    .split('+')
    .map((part) => names[part] ?? part)
    .join(', ');
}

/** The place of a ratio in a drawing that is 150 wide and ends at one and a half. */
const places_per_ratio = 100;
const ratio_max = 1.5;
const width = places_per_ratio * ratio_max;

/** Renders the impact ratios of a comparison as bars with their intervals. The table after it says the same in numbers. */
export function renderRatios(visit: Visit, title: string, groups: readonly Group[]): Html | undefined {
  const { reports: words } = visit.texts;
  const shown = groups.filter(({ impact_ratio }) => impact_ratio !== null);
  if (shown.length < 2) return undefined;
  return html`<figure class="ratios">
    <figcaption class="quiet small">${words.chartNote}</figcaption>
    <dl aria-label="${words.chart(title)}">
      ${shown.map(
        (row) =>
          html`<div>
            <dt>${nameGroup(visit, row.group)}</dt>
            <dd>${renderBar(row)} <span>${visit.format.formatPercent(row.impact_ratio!)}</span></dd>
          </div>`,
      )}
    </dl>
  </figure>`;
}

/** Too few people are neither good nor bad, and look so. */
const looks: Readonly<Record<NonNullable<Group['flag']>, string>> = {
  none: 'good',
  ratio_only: 'warn',
  significant: 'bad',
  insufficient: 'unsure',
};

function renderBar({ impact_ratio, ratio_from, ratio_to, flag }: Group): Html {
  const place = (ratio: number) => Math.round(Math.min(ratio, ratio_max) * places_per_ratio * 10) / 10;
  const look = flag === null ? 'good' : looks[flag];
  return html`<svg viewBox="0 0 ${width} 12" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect class="${look}" x="0" y="3" width="${place(impact_ratio!)}" height="6" />
    ${
      ratio_from !== null &&
      ratio_to !== null &&
      html`<rect
        class="interval"
        x="${place(ratio_from)}"
        y="5.4"
        width="${Math.max(0.5, place(ratio_to) - place(ratio_from))}"
        height="1.2"
      />`
    }
    <rect class="guide" x="80" y="0" width="0.6" height="12" />
    <rect class="guide" x="100" y="0" width="0.6" height="12" />
  </svg>`;
}

/** Renders shares as bars on a line from nothing to all. A table or the names beside them say the same in numbers. */
export function renderShares(
  visit: Visit,
  title: string,
  shares: readonly { readonly group: string; readonly share: number }[],
): Html | undefined {
  if (shares.length === 0) return undefined;
  return html`<figure class="ratios">
    <dl aria-label="${title}">
      ${shares.map(
        ({ group, share }) =>
          html`<div>
            <dt>${nameGroup(visit, group)}</dt>
            <dd>${renderShare(share)} <span>${visit.format.formatPercent(share)}</span></dd>
          </div>`,
      )}
    </dl>
  </figure>`;
}

function renderShare(share: number): Html {
  return html`<svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect class="good" x="0" y="3" width="${Math.round(share * 1000) / 10}" height="6" />
    <rect class="guide" x="99.6" y="0" width="0.4" height="12" />
  </svg>`;
}
