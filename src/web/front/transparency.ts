import * as learning from '#modules/matching/learning';
import * as traits from '#modules/measurement/traits';
import * as exports from '#modules/operations/exports';
import { renderTicks } from '../parts/disclosure.ts';
import { renderFacts } from '../parts/facts.ts';
import { html, type Html } from '../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../serving/page.ts';

/** What works councils, journalists and everybody else can check without an account. */
export const transparencyPage: Page = {
  show: async (visit) => {
    const { transparency: texts } = visit.texts;
    const card = await visit.call(learning.readModelCard);
    const content = html`${await renderItems(visit, card)}
      <section class="group reading">
        <h2>${texts.never}</h2>
        ${renderTicks(card.excluded)}
      </section>
      <section class="group law">
        <h2>${texts.lawTitle}</h2>
        <p>${texts.lawLead}</p>
        ${renderFacts(texts.law.map(([source, help]) => [source, help] as const))}
        <p>${texts.lawMissing}</p>
      </section>
      <section class="group reading">
        <h2>${texts.sourceTitle}</h2>
        <p>${texts.source}</p>
        <p>${renderSource(visit)}</p>
      </section>`;
    const { title, heading, lead, description } = texts;
    return showHeaded({ title, heading, lead }, content, { layout: 'open', description });
  },
};

type ModelCard = Awaited<ReturnType<typeof readCard>>;
const readCard = ({ call }: Visit) => call(learning.readModelCard);

async function renderItems(visit: Visit, card: ModelCard): Promise<Html> {
  const { call, format, texts } = visit;
  const { transparency: words } = texts;
  const { formatNumber, formatDate } = format;
  const [report, fairness] = await Promise.all([
    call(traits.readTechnicalReport),
    call(exports.readFairness),
  ]);
  const incomplete = report.sections.filter(({ missing }) => missing.length > 0).length;
  const { members, measured_on } = fairness;
  const items = [
    ['/how-it-works', words.items.example, undefined],
    [
      '/model-card',
      words.items.modelCard,
      words.version(formatNumber(card.version), formatDate(card.live_since)),
    ],
    [
      '/technical-report',
      words.items.report,
      `${words.parameters(report.version)} ${words.missing(formatNumber(incomplete), formatNumber(report.sections.length))}`,
    ],
    [
      '/fairness',
      words.items.fairness,
      members === null || measured_on === null
        ? words.noMembers
        : words.members(formatNumber(members), formatDate(measured_on)),
    ],
    ['/about', words.items.operator, describeTexts(visit)],
    ['/docs', words.items.api, undefined],
  ] as const;
  return html`<ul class="entries">
    ${items.map(
      ([link, [title, text], state]) =>
        html`<li>
          <h2><a href="${link}">${title}</a></h2>
          <p>${text}</p>
          ${state !== undefined && html`<p class="quiet small">${state}</p>`}
        </li>`,
    )}
  </ul>`;
}

/** Says how many of the operator's texts are still templates. */
function describeTexts({ texts: { transparency }, documents }: Visit): string {
  const { terms, privacy, texts } = documents;
  const own = [texts.about, terms ?? texts.terms, privacy ?? texts.privacy];
  const missing = own.filter((each) => each === null).length;
  return missing === 0 ? transparency.ownTexts : transparency.templates(missing);
}

function renderSource({ texts: { transparency }, documents: { source } }: Visit): Html {
  return source === null
    ? html`${transparency.sourceUnknown}`
    : html`<a href="${source}">${transparency.sourceLink}</a>`;
}
