import * as members from '#modules/people/members';
import * as traits from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { showHeaded, showView, type Page, type View, type Visit } from '../serving/page.ts';
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
    const content = html`${await renderQuality(visit, vector)} ${renderTraits(visit, vector, taxonomy)}
    ${await renderVersions(visit, vector.version)}
    ${vector.quality.flags.length === 0 && !vector.preliminary && (await renderRetake(visit))}`;
    return showHeaded(texts, content, {
      tabs: renderResultTabs(visit),
      below: html`${version !== undefined && html`<p class="message">${texts.earlier} <a href="/app/traits">${texts.latest}</a></p>`}
        ${vector.preliminary && version === undefined && html`<p>${texts.preliminary} <a href="/app/assessment">${visit.texts.assessment.deepen}</a></p>`}
        <p class="quiet">${texts.measured(visit.format.formatDate(vector.last_updated))}</p>
        ${vector.provisional && html`<p class="quiet small">${texts.provisional}</p>`}`,
    });
  },
};

/** The version that the address names. The operation refuses one that does not exist. */
function readVersion({ query }: Visit): number | undefined {
  return query['version'] === undefined ? undefined : Number(query['version']);
}

type Vector = OperationBody<typeof traits.readTraits>;
type Taxonomy = OperationBody<typeof traits.readTaxonomy>;
type Trait = Taxonomy['traits'][number];
type Scale = Vector['traits'][number];
type Ways = Vector['categorical_traits'][number];

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

/** All traits in the order of interest: what is clear, the most marked first, then what is likely, and folded what is open. */
function renderTraits(visit: Visit, vector: Vector, { traits: all }: Taxonomy): Html {
  const { traits: texts } = visit.texts;
  const {
    clear = [],
    likely = [],
    open = [],
  } = Object.groupBy(
    sortByMark(all.map((trait) => joinResult(trait, vector))),
    ({ result }) => result.certainty,
  );
  return html`<section class="family">
      <h2>${texts.clear}</h2>
      ${clear.length === 0 ? html`<p>${texts.noneClear}</p>` : renderList(visit, clear)}
    </section>
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
          ${vector.preliminary && html`${texts.more} <a href="/app/assessment">${visit.texts.assessment.deepen}</a>`}
        </p>
        ${renderList(visit, open)}
      </details>`
    }`;
}

/** The clear traits alone, the most marked first; undefined if none is clear. */
export function renderClearTraits(
  visit: Visit,
  vector: Vector,
  { traits: all }: Taxonomy,
  most: number,
): Html | undefined {
  const clear = sortByMark(all.map((trait) => joinResult(trait, vector))).filter(
    ({ result }) => result.certainty === 'clear',
  );
  return clear.length === 0 ? undefined : renderList(visit, clear.slice(0, most));
}

type MeasuredTrait = Trait & { readonly result: Scale | Ways };

function joinResult(trait: Trait, { traits: scales, categorical_traits }: Vector): MeasuredTrait {
  const result = [...scales, ...categorical_traits].find(({ trait_name }) => trait_name === trait.trait_name);
  if (result === undefined) throw new Error(`no result of ${trait.trait_name}`);
  return { ...trait, result };
}

/** Sorts traits by how far they are from the middle. Ways of acting have no place, and follow. */
function sortByMark(list: readonly MeasuredTrait[]): readonly MeasuredTrait[] {
  const computeMark = ({ result }: MeasuredTrait) => ('score' in result ? Math.abs(result.score - 0.5) : 0);
  return list.toSorted((one, other) => computeMark(other) - computeMark(one));
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
function renderScale({ texts, format }: Visit, scale: Scale): Html {
  const { score, lower_bound, upper_bound, certainty } = scale;
  const formatPlace = (share: number) => format.formatNumber(Math.min(100, Math.floor(share * 100) + 1));
  const bounds = texts.traits.range(formatPlace(lower_bound), formatPlace(upper_bound));
  const [from, at, to] = [lower_bound, score, upper_bound].map((share) => Math.round(share * 1000) / 10);
  return html`<p>${describeClaim(texts, scale)} <span class="quiet">${bounds}</span></p>
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

function describeClaim({ traits: texts }: Visit['texts'], { word, certainty }: Scale): string {
  if (word === null) return texts.unknown;
  return certainty === 'likely' && (word === 'less' || word === 'more')
    ? texts.leaning[word]
    : texts.words[word];
}

/** Two ways whose probabilities differ by less are called equally likely. */
const even_difference = 0.05;

/** Ways of acting, the most preferred first. None is named before the others unless it is clear or likely. */
function renderWays({ texts, format }: Visit, { certainty, distribution }: Ways): Html {
  const { values, evenWays, openWays, likelyWay } = texts.traits;
  const names: Readonly<Record<string, string>> = values;
  const sorted = distribution.toSorted((one, other) => other.probability - one.probability);
  const [first = '', second = ''] = sorted.map(({ value }) => names[value]);
  const [most = 0, next = 0] = sorted.map(({ probability }) => probability);
  const open = most - next < even_difference ? evenWays(first, second) : openWays;
  const claims = { clear: first, likely: likelyWay(first), open };
  return html`<p>${claims[certainty]}</p>
    <ul class="kinds">
      ${sorted.map(({ value, probability }) => html`<li><span>${names[value]}</span> <span class="quiet">${format.formatPercent(probability)}</span></li>`)}
    </ul>`;
}
