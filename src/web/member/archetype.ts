import * as archetypes from '#modules/measurement/archetypes';
import * as traits from '#modules/measurement/traits';
import * as members from '#modules/people/members';
import { renderFacts } from '../parts/facts.ts';
import { html, type Html } from '../serving/html.ts';
import { showView, type Page, type View, type Visit } from '../serving/page.ts';
import { renderArchetypeList, type Archetype, type Archetypes } from './archetype-list.ts';
import { renderEmblem } from './emblems.ts';
import { describeCertainty, listReasons, nameArchetype } from './results/archetype-words.ts';
import { describeClearing, sortTraits, type Vector } from './results/measured-traits.ts';
import { renderResultTabs } from './tabs.ts';

/** The member's archetype: what it is, the clear traits that it rests on, how certain it is, and folded what it means and all twelve. */
export const archetypePage: Page = {
  show: async (visit) => {
    const [{ assessment_phase }, all] = await Promise.all([
      visit.call(members.readMember),
      visit.call(archetypes.listArchetypes),
    ]);
    if (assessment_phase !== 'complete') return showNotYet(visit, all);
    const own = await visit.call(archetypes.readArchetype);
    const [vector, taxonomy] = await Promise.all([
      visit.call(traits.readTraits),
      visit.call(traits.readTaxonomy),
    ]);
    const { archetype: texts } = visit.texts;
    const reasons = listReasons(visit, own, all, sortTraits(vector, taxonomy));
    const content = html`${renderResultTabs(visit)} ${renderOwn(visit, own, all)}
      <div class="halves">
        ${renderReasons(visit, reasons)}
        <section>
          ${await renderCertainty(visit, own, all, vector)}
          <p>
            ${texts.uses}
            ${own.archetype !== null && html`<a href="/app/credentials/new">${texts.toCredential}</a>`}
          </p>
          <p><a href="/app/traits/pdf">${visit.texts.traits.print}</a></p>
        </section>
      </div>
      <details class="group">
        <summary>${texts.meaningTitle}</summary>
        ${texts.meaning.map((each) => html`<p>${each}</p>`)}
      </details>
      ${renderArchetypeList(visit, all, own)}`;
    return showView({ title: texts.title, layout: 'app', content });
  },
};

function showNotYet(visit: Visit, all: Archetypes): View {
  const { archetype: texts } = visit.texts;
  const content = html`${renderResultTabs(visit)}
    <div class="reading">
      <h1>${texts.title}</h1>
      <p class="lead">${texts.notYet}</p>
      <p class="buttons"><a class="button" href="/app/assessment">${texts.toAssessment}</a></p>
    </div>
    ${renderArchetypeList(visit, all)}`;
  return showView({ title: texts.title, layout: 'app', content });
}

/** The name of the archetype with its drawing, or the two families that the member is between, each with its three drawings. */
function renderOwn(visit: Visit, own: Archetype, all: Archetypes): Html {
  const { archetype: texts } = visit.texts;
  const families = own.archetype_family
    ? [own.archetype_family]
    : own.alternatives.map(({ archetype_family }) => archetype_family);
  const meanings = families.map((family) => {
    const found = all.families.find(({ archetype_family }) => archetype_family === family);
    return texts.familyOf(texts.families[family], found?.meaning ?? '');
  });
  return html`<header class="head own ${own.archetype ? 'certain' : 'between'}">
    <div class="emblems">
      ${own.archetype ? renderEmblem(own.archetype) : families.map((family) => renderFamilyEmblems(all, family))}
    </div>
    <div>
      <h1>${nameArchetype(visit, own)}</h1>
      ${own.archetype && html`<p class="lead">${own.description}</p>`}
      ${meanings.map((each) => html`<p class="quiet">${each}</p>`)}
      <p class="quiet small">${texts.measured(visit.format.formatDate(own.assigned_at))}</p>
    </div>
  </header>`;
}

function renderFamilyEmblems({ archetypes: list }: Archetypes, family: string): Html {
  const ofFamily = list.filter(({ archetype_family }) => archetype_family === family);
  return html`<span>${ofFamily.map(({ archetype }) => renderEmblem(archetype))}</span>`;
}

/** What of the archetype is clear already: the traits that it rests on. */
function renderReasons(
  { texts: { archetype: texts } }: Visit,
  reasons: ReturnType<typeof listReasons>,
): Html | undefined {
  if (reasons.length === 0) return undefined;
  return html`<section>
    <h2>${texts.reasonsTitle}</h2>
    ${renderFacts(reasons)}
    <p><a href="/app/traits">${texts.toTraits}</a></p>
  </section>`;
}

async function renderCertainty(visit: Visit, own: Archetype, all: Archetypes, vector: Vector): Promise<Html> {
  const { archetype: texts } = visit.texts;
  const [certainty, ...sentences] = describeCertainty(visit, own, all);
  const clearing = await describeClearing(visit, vector);
  return html`<h2>${texts.certainTitle}</h2>
    <p><strong>${certainty}</strong> ${sentences.join(' ')}</p>
    ${own.archetype === null && renderAlternatives(visit, own)}
    ${own.preliminary && html`<p>${texts.preliminary} ${clearing} <a href="/app/assessment?more=true">${visit.texts.assessment.deepen}</a></p>`}
    ${own.provisional && html`<p class="quiet small"><a href="/model-card">${texts.provisional}</a></p>`}`;
}

function renderAlternatives({ texts, format }: Visit, { alternatives }: Archetype): Html {
  const { archetype: words } = texts;
  return html`<dl class="bars">
    ${alternatives.map(
      ({ archetype_family, probability }) =>
        html`<div>
          <dt>${words.families[archetype_family]}</dt>
          <dd>
            <progress max="1" value="${probability}" aria-hidden="true"></progress>
            <span>${format.formatPercent(probability)}</span>
          </dd>
        </div>`,
    )}
  </dl>`;
}
