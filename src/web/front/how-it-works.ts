import * as reads from '#modules/income/reads';
import * as matches from '#modules/matching/matches';
import * as traits from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { summariseClear, sortTraits } from '../member/results/measured-traits.ts';
import { renderClearTraits } from '../member/traits.ts';
import { renderTicks } from '../parts/disclosure.ts';
import { renderExplainedPerson } from '../parts/explained-person.ts';
import { renderFacts } from '../parts/facts.ts';
import { renderFog } from '../parts/fog.ts';
import { listReadFacts } from '../parts/read-facts.ts';
import { html, type Html } from '../serving/html.ts';
import { showView, type Page, type Visit } from '../serving/page.ts';

type Match = OperationBody<typeof matches.readExampleMatch>;
type Read = OperationBody<typeof reads.readExampleRead>;

/** How the service works, as three views of one fictional person. They are made by the code and the parts that members and organisations see. */
export const howItWorksPage: Page = {
  show: async (visit) => {
    const { example: texts } = visit.texts;
    const [match, read] = await Promise.all([
      visit.call(matches.readExampleMatch),
      visit.call(reads.readExampleRead),
    ]);
    const content = html`<header class="head">
        <h1>${texts.heading}</h1>
        <p class="lead">${texts.lead(match.person.name)}</p>
      </header>
      ${await renderHerView(visit, match)} ${renderEmployerView(visit, match)}
      ${await renderRead(visit, match, read)} ${renderTry(visit)}`;
    return showView({ title: texts.title, description: texts.description, layout: 'open', content });
  },
};

/** The most clear traits that are shown. */
const traits_max = 5;

async function renderHerView(visit: Visit, { person, member, job, match_tier }: Match): Promise<Html> {
  const { example: texts, matches: matchTexts } = visit.texts;
  const [vector, taxonomy] = await Promise.all([
    visit.call(traits.readExampleTraits),
    visit.call(traits.readTaxonomy),
  ]);
  const ordered = sortTraits(vector, taxonomy);
  return html`<section class="view" aria-labelledby="hers">
    <h2 id="hers">${texts.herTitle}</h2>
    <p>${texts.her(person.name, visit.format.formatNumber(vector.answered))}</p>
    <div class="panel example">
      ${renderMark(visit)}
      <figure class="fog">
        ${renderFog(visit, vector.traits, ordered.clear[0]?.trait_name)}
        <figcaption>${summariseClear(visit, ordered)}</figcaption>
      </figure>
      ${renderClearTraits(visit, vector, taxonomy, traits_max)}
    </div>
    <div class="panel example">
      ${renderMark(visit)}
      <h3>${texts.herMatch}</h3>
      <p>
        <strong>${texts.tierAt(job.title, job.organisation_name)}</strong>
        <span class="tag ${match_tier}">${matchTexts.tiers[match_tier]}</span>
      </p>
      <p>${member.summary_text}</p>
      ${renderTicks(member.top_strengths)}
      ${
        member.growth_areas.length > 0 &&
        html`<h4>${visit.texts.match.growth}</h4>
          ${renderTicks(member.growth_areas)}`
      }
    </div>
  </section>`;
}

function renderMark({ texts }: Visit): Html {
  return html`<p class="mark-of-example"><span class="tag clay">${texts.example.mark}</span></p>`;
}

function renderEmployerView(visit: Visit, match: Match): Html {
  const { example: texts, jobEditor, shortlist } = visit.texts;
  const { person, organisation_before } = match;
  return html`<section class="view" aria-labelledby="employer">
    <h2 id="employer">${texts.employerTitle}</h2>
    <p>${texts.employer}</p>
    <div class="before-and-after">
      <div class="panel example">
        ${renderMark(visit)}
        <h3>${texts.before}</h3>
        ${renderPerson(visit, match, matches.formatHandle(shortlist.person, match.member_id))}
        <p class="quiet small">${texts.beforeNote}</p>
        ${renderExplainedPerson(visit.texts, organisation_before)}
        <h4>${texts.asks}</h4>
        ${renderFacts(match.requirements.map(({ asked, met }) => [asked, met ? texts.meets : texts.misses]))}
      </div>
      <div>
        <div class="panel example">
          ${renderMark(visit)}
          <h3>${texts.after}</h3>
          ${renderPerson(visit, match, person.name)}
          <p class="quiet small">${texts.afterNote}</p>
          <p>${person.email}</p>
          <p class="terms">${person.note}</p>
          ${renderNewReasons(visit, match)}
        </div>
        <h3>${texts.hidden}</h3>
        ${renderTicks(texts.hiddenPoints(jobEditor.families.integrity_trust))}
      </div>
    </div>
  </section>`;
}

/** What the organisation reads only once both have agreed. */
function renderNewReasons({ texts }: Visit, { organisation_before, organisation_after }: Match): Html {
  const selectNew = (part: 'top_strengths' | 'growth_areas') =>
    organisation_after[part].filter((sentence) => !organisation_before[part].includes(sentence));
  const [strengths, growth] = [selectNew('top_strengths'), selectNew('growth_areas')];
  return html`<p>${strengths.length + growth.length > 0 ? texts.example.same : texts.example.nothingNew}</p>
    ${renderTicks(strengths)}
    ${
      growth.length > 0 &&
      html`<h4>${texts.match.growth}</h4>
        ${renderTicks(growth)}`
    }`;
}

function renderPerson({ texts }: Visit, { match_tier }: Match, name: string): Html {
  return html`<p>
    <strong class="person">${name}</strong>
    <span class="tag ${match_tier}">${texts.matches.tiers[match_tier]}</span>
  </p>`;
}

async function renderRead(visit: Visit, { person }: Match, read: Read): Promise<Html> {
  const { example: texts } = visit.texts;
  const { formatAmount, formatNumber } = visit.format;
  return html`<section class="view" aria-labelledby="read">
    <h2 id="read">${texts.readTitle}</h2>
    <p>${texts.read(person.name)}</p>
    <div class="panel example">
      ${renderMark(visit)}
      <h3>${texts.readOf}</h3>
      ${renderFacts(await listReadFacts(visit, read.data))}
      <dl class="split">
        <div class="whole">
          <dt>${texts.price}</dt>
          <dd>${formatAmount(read.price, 'USD')}</dd>
        </div>
        <div class="hers">
          <dt>${texts.hers(formatNumber(read.share_percent))}</dt>
          <dd>${formatAmount(read.member_share, 'USD')}</dd>
        </div>
        <div class="rest">
          <dt>${texts.service}</dt>
          <dd>${formatAmount(read.service_share, 'USD')}</dd>
        </div>
      </dl>
      ${renderBar(read)}
      <p class="quiet small">${texts.priceNote} <a href="/prices">${texts.allPrices}</a></p>
    </div>
  </section>`;
}

/** The shares of the price, side by side. The words above say the same. */
function renderBar({ share_percent }: Read): Html {
  return html`<svg
    class="shares"
    viewBox="0 0 100 4"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    <rect class="rest" x="0" y="0" width="100" height="4" />
    <rect class="hers" x="0" y="0" width="${share_percent}" height="4" />
  </svg>`;
}

function renderTry({ texts: { example } }: Visit): Html {
  return html`<section class="view" aria-labelledby="try">
    <h2 id="try">${example.tryTitle}</h2>
    <p>${example.try}</p>
    <p class="buttons">
      <a class="button" href="/first-mirror">${example.tryButton}</a>
      <a class="button quiet" href="/register">${example.join}</a>
    </p>
  </section>`;
}
