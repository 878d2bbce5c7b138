import type * as culture from '#modules/organisations/culture';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';

type Profile = OperationBody<typeof culture.readProfile>;

/** The largest share of a quadrant: each of the four is ranked first everywhere. */
const share_max = 0.5;

/** Renders the seven dimensions of trust as bars. The middle line is where people neither agree nor disagree. */
export function renderTrust({ texts, format }: Visit, braving: Profile['braving']): Html {
  const { dimensions, meanings } = texts.culture;
  return html`<dl class="bars">
    ${(Object.keys(dimensions) as (keyof typeof dimensions)[]).map((dimension) => {
      const share = braving[dimension];
      return html`<div>
        <dt>${dimensions[dimension]} <span class="quiet small block">${meanings[dimension]}</span></dt>
        <dd>
          <svg viewBox="0 0 200 16" preserveAspectRatio="none" aria-hidden="true" focusable="false">
            <rect class="track" y="4" width="200" height="8" rx="4" />
            <rect class="bar" y="4" width="${round(200 * share)}" height="8" rx="4" />
            <path class="middle" d="M100 0v16" />
          </svg>
          <span class="value">${format.formatPercent(share)}</span>
        </dd>
      </div>`;
    })}
  </dl>`;
}

/** The corners of the four quadrants, clockwise from the top left: how far each reaches from the middle. */
const corners = [
  ['clan', -1, -1],
  ['adhocracy', 1, -1],
  ['market', 1, 1],
  ['hierarchy', -1, 1],
] as const;

const radius = 82;

/** Renders the four values as a figure on two axes, with a list that says the same. */
export function renderValues({ texts, format }: Visit, cvf: Profile['cvf']): Html {
  const { quadrants, quadrantMeanings, chart, axes } = texts.culture;
  const points = corners.map(([quadrant, x, y]) => {
    const reach = radius * Math.min(1, cvf[quadrant] / share_max);
    return `${round(100 + x * reach)},${round(100 + y * reach)}`;
  });
  const rings = [0.25, 0.5].map((share) => radius * (share / share_max));
  return html`<svg class="quadrants" viewBox="-36 -4 272 212" role="img" aria-label="${chart}">
      ${rings.map((ring) => html`<rect class="ring" x="${100 - ring}" y="${100 - ring}" width="${2 * ring}" height="${2 * ring}" />`)}
      <path class="axis" d="M100 8v184M8 100h184" />
      <polygon class="figure" points="${points.join(' ')}" />
      ${points.map((point) => renderPoint(point))}
      <text x="100" y="4">${axes.flexible}</text>
      <text x="100" y="203">${axes.stable}</text>
      <text x="196" y="103" class="start">${axes.outward}</text>
      <text x="4" y="103" class="end">${axes.inward}</text>
    </svg>
    <dl class="bars shares">
      ${corners.map(
        ([quadrant]) =>
          html`<div>
            <dt>
              ${quadrants[quadrant]} <span class="quiet small block">${quadrantMeanings[quadrant]}</span>
            </dt>
            <dd><span class="value">${format.formatPercent(cvf[quadrant])}</span></dd>
          </div>`,
      )}
    </dl>`;
}

function renderPoint(point: string): Html {
  const [x, y] = point.split(',');
  return html`<circle class="dot" cx="${x}" cy="${y}" r="3.2" />`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
