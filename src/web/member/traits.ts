import * as members from '#modules/people/members';
import * as traits from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { showHeaded, showView, type Page, type View, type Visit } from '../serving/page.ts';
import { renderRetake } from './retake.ts';
import { renderResultTabs } from './tabs.ts';

/** The member's traits by family: in words, with the range in which each probably is. */
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
    const families = Map.groupBy(taxonomy.traits, ({ family }) => family);
    const content = html`${await renderQuality(visit, vector)}
    ${[...families].map(
      ([family, members]) =>
        html`<section class="family">
          <h2>${texts.families[family]}</h2>
          <dl class="traits">${members.map((trait) => renderTrait(visit, trait, vector))}</dl>
        </section>`,
    )}
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
type Trait = OperationBody<typeof traits.readTaxonomy>['traits'][number];

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

function renderTrait(visit: Visit, { trait_name, meaning }: Trait, vector: Vector): Html {
  const scale = vector.traits.find((each) => each.trait_name === trait_name);
  const kinds = vector.categorical_traits.find((each) => each.trait_name === trait_name);
  return html`<div>
    <dt>${visit.texts.traits.names[trait_name]}<span class="quiet">${meaning}</span></dt>
    <dd>${scale && renderScale(visit, scale)}${kinds && renderKinds(visit, kinds)}</dd>
  </div>`;
}

/** A position with its bounds, each a share of people between 0 and 1, in words and as a band on a line. */
function renderScale(
  { texts, format }: Visit,
  { score, lower_bound, upper_bound }: Vector['traits'][number],
): Html {
  const { words, range } = texts.traits;
  const formatPlace = (share: number) => format.formatNumber(Math.min(100, Math.floor(share * 100) + 1));
  const bounds = range(formatPlace(lower_bound), formatPlace(upper_bound));
  const [from, at, to] = [lower_bound, score, upper_bound].map((share) => Math.round(share * 1000) / 10);
  return html`<p>${words[traits.findTraitWord(score)]} <span class="quiet">${bounds}</span></p>
    <svg class="scale" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="track" x="0" y="1.6" width="100" height="0.8" />
      <rect class="band" x="${from}" y="0.9" width="${Math.max(1, to! - from!)}" height="2.2" />
      <rect class="dot" x="${at! - 0.4}" y="0" width="0.8" height="4" />
    </svg>`;
}

function renderKinds(
  { texts, format }: Visit,
  { primary, distribution }: Vector['categorical_traits'][number],
): Html {
  const names: Readonly<Record<string, string>> = texts.traits.values;
  const sorted = distribution.toSorted((one, other) => other.probability - one.probability);
  return html`<p>${names[primary]}</p>
    <ul class="kinds">
      ${sorted.map(({ value, probability }) => html`<li><span>${names[value]}</span> <span class="quiet">${format.formatPercent(probability)}</span></li>`)}
    </ul>`;
}
