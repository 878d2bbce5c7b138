import * as archetypes from '#modules/measurement/archetypes';
import * as members from '#modules/people/members';
import { html, type Html } from '../serving/html.ts';
import { showView, type Page, type View, type Visit } from '../serving/page.ts';
import { renderArchetypeList, type Archetype, type Archetypes } from './archetype-list.ts';
import { renderEmblem } from './emblems.ts';
import { renderResultTabs } from './tabs.ts';

/** The member's archetype, how certain it is, what it means, and all twelve. */
export const archetypePage: Page = {
  show: async (visit) => {
    const [{ assessment_phase }, all] = await Promise.all([
      visit.call(members.readMember),
      visit.call(archetypes.listArchetypes),
    ]);
    if (assessment_phase !== 'complete') return showNotYet(visit, all);
    const own = await visit.call(archetypes.readArchetype);
    const { archetype: texts } = visit.texts;
    const content = html`${renderResultTabs(visit)} ${renderOwn(visit, own, all)}
      <div class="halves">
        ${renderCertainty(visit, own, all)}
        <section>
          <p>${texts.uses} <a href="/app/credentials/new">${texts.toCredential}</a></p>
          <details>
            <summary>${texts.meaningTitle}</summary>
            ${texts.meaning.map((each) => html`<p>${each}</p>`)}
          </details>
        </section>
      </div>
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
  const [one, other] = own.alternatives;
  const title =
    one && other
      ? texts.betweenTitle(texts.families[one.archetype_family], texts.families[other.archetype_family])
      : own.name;
  const meanings = families.map((family) => {
    const found = all.families.find(({ archetype_family }) => archetype_family === family);
    return texts.familyOf(texts.families[family], found?.meaning ?? '');
  });
  return html`<header class="head own ${own.archetype ? 'certain' : 'between'}">
    <div class="emblems">
      ${own.archetype ? renderEmblem(own.archetype) : families.map((family) => renderFamilyEmblems(all, family))}
    </div>
    <div>
      <h1>${title}</h1>
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

function renderCertainty(visit: Visit, own: Archetype, all: Archetypes): Html {
  const { archetype: texts } = visit.texts;
  const { certainty, archetype_family, family_probability, preliminary, provisional } = own;
  const { formatPercent } = visit.format;
  return html`<section>
    <h2>${texts.certainTitle}</h2>
    <p><strong>${texts.certainty[certainty]}.</strong></p>
    ${
      archetype_family
        ? html`<p>${texts.retest(formatPercent(family_probability), texts.families[archetype_family])}</p>
            <p>${describeWithin(visit, own, all)}</p>`
        : renderAlternatives(visit, own)
    }
    ${
      preliminary &&
      html`<p>
        ${texts.preliminary} <a href="/app/assessment?more=true">${visit.texts.assessment.deepen}</a>
      </p>`
    }
    ${provisional && html`<p class="quiet small">${texts.provisional}</p>`}
  </section>`;
}

/** How certain the archetype is among those of its family, beside the one that is next. */
function describeWithin(
  { texts: { archetype: texts } }: Visit,
  { name, confidence_level, runner_up }: Archetype,
  { archetypes: list }: Archetypes,
): string {
  const next = list.find(({ archetype }) => archetype === runner_up)?.name ?? '';
  return texts.within[confidence_level](name, next);
}

function renderAlternatives({ texts, format }: Visit, { alternatives }: Archetype): Html {
  const { archetype: words } = texts;
  return html`<p>${words.alternatives}</p>
    <dl class="bars">
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
