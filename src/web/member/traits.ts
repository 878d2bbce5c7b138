import * as members from '#modules/people/members';
import * as traits from '#modules/measurement/traits';
import { renderFog } from '../parts/fog.ts';
import { html, type Html } from '../serving/html.ts';
import { showHeaded, showView, type Page, type View, type Visit } from '../serving/page.ts';
import {
  describeBounds,
  describeClaim,
  describeClearing,
  describeWays,
  nameWay,
  sortTraits,
  sortWays,
  summariseClear,
  type MeasuredTrait,
  type OrderedTraits,
  type Results,
  type Scale,
  type Taxonomy,
  type Vector,
  type Ways,
} from './results/measured-traits.ts';
import { renderRetake } from './retake.ts';
import { renderResultTabs } from './tabs.ts';

/** The member's traits in the order of interest: in words, with the range in which each probably is. */
export const traitsPage: Page = {
  show: async (visit) => {
    const { assessment_phase } = await visit.call(members.readMember);
    if (assessment_phase !== 'complete') return showNotYet(visit);
    const version = readVersion(visit);
    const [vector, taxonomy] = await Promise.all([
      visit.call(traits.readTraits, version === undefined ? {} : { version }),
      visit.call(traits.readTaxonomy),
    ]);
    const { traits: texts } = visit.texts;
    const clearing = version === undefined ? await describeClearing(visit, vector) : undefined;
    const content = html`${renderTraits(visit, vector, sortTraits(vector, taxonomy), clearing)}
      <p class="after"><a href="/app/traits/pdf">${texts.print}</a></p>
      ${await renderQuality(visit, vector)} ${await renderVersions(visit, vector.version)}
      ${vector.quality.flags.length === 0 && !vector.preliminary && (await renderRetake(visit))}`;
    return showHeaded(texts, content, {
      tabs: renderResultTabs(visit),
      below: html`${version !== undefined && html`<p class="message">${texts.earlier} <a href="/app/traits">${texts.latest}</a></p>`}
        <p class="quiet">
          ${texts.measured(visit.format.formatDate(vector.last_updated))}
          ${vector.preliminary && texts.preliminary}
          ${vector.provisional && html`<a href="/model-card">${texts.provisional}</a>`}
        </p>`,
    });
  },
};

/** The version that the address names. The operation refuses one that does not exist. */
function readVersion({ query }: Visit): number | undefined {
  return query['version'] === undefined ? undefined : Number(query['version']);
}

function showNotYet(visit: Visit): View {
  const { traits: texts } = visit.texts;
  const content = html`${renderResultTabs(visit)}
    <div class="reading">
      <h1>${texts.title}</h1>
      <p class="lead">${texts.notYet}</p>
      <p class="buttons"><a class="button" href="/app/assessment">${texts.toAssessment}</a></p>
    </div>`;
  return showView({ title: texts.title, layout: 'app', content });
}

/** What the answers themselves say about the certainty, and the suggestion to take the assessment again. Each signal has harmless reasons. */
async function renderQuality(visit: Visit, { quality }: Vector): Promise<Html | undefined> {
  if (quality.flags.length === 0) return undefined;
  const { traits: texts } = visit.texts;
  return html`<section class="panel">
    <h2>${texts.qualityTitle}</h2>
    <p>${texts.qualityLead}</p>
    <ul class="ticks">
      ${quality.flags.map((flag) => html`<li>${texts.quality[flag]}</li>`)}
    </ul>
    ${await renderRetake(visit)}
  </section>`;
}

const versions_max = 20;

/** The other results, which stay readable. */
async function renderVersions(visit: Visit, shown: number): Promise<Html | undefined> {
  const { data } = await visit.call(traits.listVectors, { limit: versions_max });
  if (data.length < 2) return undefined;
  const { traits: texts } = visit.texts;
  return html`<section class="group">
    <h2>${texts.versionsTitle}</h2>
    <ul class="history">
      ${data.map(({ version, last_updated, preliminary }, index) => {
        const words = texts.versionOf(visit.format.formatTime(last_updated));
        const link = index === 0 ? '/app/traits' : `/app/traits?version=${version}`;
        return html`<li>
          ${version === shown ? html`<strong>${words}</strong>` : html`<a href="${link}">${words}</a>`}
          ${preliminary && html`<span class="quiet small">${texts.firstResult}</span>`}
        </li>`;
      })}
    </ul>
  </section>`;
}

/** What is clear at once, in a sentence and a picture, then all traits in the order of interest. What is open is folded, with what would clear it. */
function renderTraits(
  visit: Visit,
  vector: Vector,
  ordered: OrderedTraits,
  clearing: string | undefined,
): Html {
  const { traits: texts } = visit.texts;
  const { clear, likely, open } = ordered;
  return html`<figure class="fog">
      ${renderFog(visit, vector.traits, clear[0]?.trait_name)}
      <figcaption>
        ${summariseClear(visit, ordered)} ${clear.length === 0 && vector.preliminary && texts.usual}
      </figcaption>
    </figure>
    ${
      clear.length > 0 &&
      html`<section class="family">
        <h2>${texts.clear}</h2>
        ${renderList(visit, clear)}
      </section>`
    }
    ${
      likely.length > 0 &&
      html`<section class="family">
        <h2>${texts.likely}</h2>
        <p class="quiet">${texts.likelyLead}</p>
        ${renderList(visit, likely)}
      </section>`
    }
    ${
      open.length > 0 &&
      html`<details class="family">
        <summary>${texts.open(visit.format.formatNumber(open.length))}</summary>
        <p>
          ${texts.openLead}
          ${clearing !== undefined && html`${clearing} <a href="/app/assessment?more=true">${visit.texts.assessment.deepen}</a>`}
        </p>
        ${renderList(visit, open)}
      </details>`
    }`;
}

/** The clear traits alone, the most marked first; undefined if none is clear. */
export function renderClearTraits(
  visit: Visit,
  vector: Results,
  taxonomy: Taxonomy,
  most: number,
): Html | undefined {
  const { clear } = sortTraits(vector, taxonomy);
  return clear.length === 0 ? undefined : renderList(visit, clear.slice(0, most));
}

function renderList(visit: Visit, list: readonly MeasuredTrait[]): Html {
  return html`<dl class="traits">${list.map((trait) => renderTrait(visit, trait))}</dl>`;
}

function renderTrait(visit: Visit, { trait_name, meaning, result }: MeasuredTrait): Html {
  return html`<div>
    <dt>${visit.texts.traits.names[trait_name]}<span class="quiet">${meaning}</span></dt>
    <dd>${'score' in result ? renderScale(visit, result) : renderWays(visit, result)}</dd>
  </div>`;
}

/** A position with its bounds, each a share of people between 0 and 1, in words and as a band on a line. */
function renderScale(visit: Visit, scale: Scale): Html {
  const { score, lower_bound, upper_bound, certainty } = scale;
  const [from, at, to] = [lower_bound, score, upper_bound].map((share) => Math.round(share * 1000) / 10);
  return html`<p>
      ${describeClaim(visit.texts.traits, scale)}, <span class="quiet">${describeBounds(visit, scale)}</span>
    </p>
    <svg
      class="scale ${certainty}"
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <rect class="track" x="0" y="1.6" width="100" height="0.8" />
      <rect class="band" x="${from}" y="0.9" width="${Math.max(1, to! - from!)}" height="2.2" />
      ${certainty !== 'open' && html`<rect class="dot" x="${at! - 0.4}" y="0" width="0.8" height="4" />`}
    </svg>`;
}

/** Ways of acting, the most preferred first. */
function renderWays(visit: Visit, ways: Ways): Html {
  const { texts, format } = visit;
  return html`<p>${describeWays(visit, ways)}</p>
    <ul class="kinds">
      ${sortWays(ways).map(({ value, probability }) => html`<li><span>${nameWay(texts, value)}</span> <span class="quiet">${format.formatPercent(probability)}</span></li>`)}
    </ul>`;
}
