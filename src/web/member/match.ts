import * as matching from '#modules/matching/matches';
import { Refusal } from '#lib/refusal.ts';
import type { OperationBody } from '#platform/operation.ts';
import { formatPlace } from '../parts/countries.ts';
import { renderTicks } from '../parts/disclosure.ts';
import { renderQuestions } from '../parts/explained-person.ts';
import { renderFacts } from '../parts/facts.ts';
import { html, type Content, type Html } from '../serving/html.ts';
import { goTo, sendForm, showView, type Page, type Visit } from '../serving/page.ts';
import { renderFeedback, sendFeedback } from '../parts/feedback.ts';
import { renderForm } from '../parts/form.ts';
import { renderPlacementFacts } from '../parts/placement-facts.ts';
import { endedStatuses } from './matches.ts';

const refresh_s = 2;

/** One match of the member: the job, why it fits, and the member's answer. */
export const matchPage: Page = {
  show: async (visit) => {
    const match_id = visit.params['match_id'] ?? '';
    const [match, job] = await Promise.all([
      visit.call(matching.readMatch, { match_id }),
      visit.call(matching.readMatchJob, { match_id }),
    ]);
    const explanation = await readExplanation(visit, match_id);
    const isPending = explanation !== undefined && 'task_id' in explanation;
    const { match: texts, matches } = visit.texts;
    const { match_status, match_quality } = match;
    const isOffered = match_status === 'org_interested' || match_status === 'pending_review';
    const isShared = match_status === 'member_accepted' || match_status === 'placed';
    const content = html`<p class="back"><a href="/app/matches">${texts.back}</a></p>
      <header class="head">
        <h1>${job.title}</h1>
        <p class="lead">${matches.at(job.organisation.name)}</p>
        <p>
          <span class="tag ${match_quality}">${matches.tiers[match_quality]}</span>
          <span class="quiet">${matches.statuses[match_status]}</span>
        </p>
      </header>
      <div class="sides">
        <div>
          ${isOffered && !job.open && html`<p class="message">${texts.paused}</p>`}
          ${match_status === 'org_interested' && renderAnswer(visit, job)}
          ${isShared && (await renderContact(visit, match_id))}
          ${(isShared || match_status === 'closed') && (await renderPlacementFacts(visit, match_id, 'member'))}
          ${match_status === 'placed' && (await renderFeedback(visit, match_id, 'member'))}
          ${endedStatuses.has(match_status) && html`<p class="message">${texts.ended}</p>`}
          ${explanation && renderExplanation(visit, explanation)}
          ${(isOffered || isShared) && html`<p class="quiet after"><a href="/app/matches/${match_id}/transaction">${visit.texts.proposal.link}</a></p>`}
          <p class="quiet after">
            <a href="/app/matches/${match_id}/review">${visit.texts.review.link}</a>
          </p>
        </div>
        ${renderJob(visit, job)}
      </div>`;
    return showView({ title: job.title, layout: 'app', content, ...(isPending && { refresh_s }) });
  },
  actions: {
    accept: async ({ call, params }, { note = '' }) => {
      const match_id = params['match_id'] ?? '';
      const given = note.trim() === '' ? {} : { note };
      await call(matching.respondToMatch, { match_id, decision: 'accept', ...given });
      return goTo(`/app/matches/${match_id}`, 'responseSaved');
    },
    feedback: async (visit, fields) => {
      const match_id = visit.params['match_id'] ?? '';
      await sendFeedback(visit, { ...fields, match_id });
      return goTo(`/app/matches/${match_id}`, 'feedbackSent');
    },
    decline: sendForm(matching.respondToMatch, '/app/matches', 'responseSaved', { decision: 'decline' }),
  },
};

type Job = OperationBody<typeof matching.readMatchJob>;
type Explanation = OperationBody<typeof matching.readExplanation>;

/** The reasons, or the task that writes them. A member who is not matched any more has none. */
async function readExplanation({ call }: Visit, match_id: string): Promise<Explanation | undefined> {
  try {
    return await call(matching.readExplanation, { match_id });
  } catch (error) {
    if (error instanceof Refusal && error.code === 'engagement_level_too_low') return undefined;
    throw error;
  }
}

function renderExplanation({ texts }: Visit, explanation: Explanation): Html {
  const { match, matches } = texts;
  if ('task_id' in explanation)
    return html`<section>
      <h2>${match.why}</h2>
      <p role="status">${match.explaining}</p>
    </section>`;
  const { summary_text, top_strengths, growth_areas, confidence_statement, standings, questions } =
    explanation;
  return html`<section>
    <h2>${match.why}</h2>
    <p>${summary_text}</p>
    ${renderTicks(top_strengths)}
    ${
      growth_areas.length > 0 &&
      html`<h3>${match.growth}</h3>
        ${renderTicks(growth_areas)}`
    }
    ${
      standings !== null &&
      html`<h3>${match.detail}</h3>
        <p class="quiet">${match.detailLead}</p>
        ${renderTicks(standings.map(({ reason }) => reason))} ${renderQuestions(texts, questions)}`
    }
    ${renderBelonging(match, explanation)}
    <p class="quiet small">${confidence_statement} <a href="/model-card">${matches.howTiers}</a></p>
  </section>`;
}

type Belonging = Pick<
  Extract<Explanation, { readonly summary_text: string }>,
  'belonging_breakdown' | 'belonging_basis'
>;

/** How the member would belong there, as far as the organisation has published its culture. */
function renderBelonging(
  { belonging: texts }: Visit['texts']['match'],
  { belonging_breakdown: belonging, belonging_basis }: Belonging,
): Html | undefined {
  const sides = ['authenticity', 'acceptance', 'complementarity'] as const;
  const known = sides.filter((side) => belonging[side] !== 'unknown');
  if (known.length === 0) return undefined;
  return html`<h3>${texts.title}</h3>
    ${renderFacts(
      known.map((side) => [texts.sides[side], texts.labels[belonging[side]]] as const),
      'facts',
    )}
    ${belonging_basis === 'declared' && html`<p class="quiet small">${texts.declared}</p>`}`;
}

function renderAnswer(visit: Visit, { acceptance, open }: Job): Html {
  const { match } = visit.texts;
  const { organisation_receives, member_receives } = acceptance;
  if (!open)
    return html`<section class="panel">
      <h2>${match.answer}</h2>
      ${renderForm(visit, { action: 'decline', button: match.decline, look: 'quiet' })}
    </section>`;
  const names: Readonly<Record<string, string>> = match.fields;
  const own: Readonly<Record<string, string>> = { ...names, note: match.fields.contact_note };
  return html`<section class="panel">
    <h2>${match.answer}</h2>
    <div class="receive">
      ${renderReceived(match.reveals, organisation_receives, names)}
      ${renderReceived(match.receives, member_receives, own)}
    </div>
    <p class="quiet small">${match.until}</p>
    ${renderForm(visit, {
      action: 'accept',
      button: match.accept,
      fields: [{ name: 'note', label: match.note, hint: match.noteHint, maxlength: 1000, optional: true }],
    })}
    ${renderForm(visit, { action: 'decline', button: match.decline, look: 'quiet' })}
  </section>`;
}

function renderReceived(
  title: string,
  fields: readonly string[],
  names: Readonly<Record<string, string>>,
): Html {
  return html`<div>
    <h3>${title}</h3>
    <ul>
      ${fields.map((name) => html`<li>${names[name] ?? name}</li>`)}
    </ul>
  </div>`;
}

/** How to reach the organisation. It is not shared any longer if the member has withdrawn a consent, even before the match has ended. */
async function renderContact(visit: Visit, match_id: string): Promise<Html | undefined> {
  const { match } = visit.texts;
  const contact = await readContact(visit, match_id);
  if (!contact) return undefined;
  const { organisation, member } = contact;
  return html`<section class="panel">
    <h2>${match.contact}</h2>
    <p>
      ${organisation.contact_name}
      ${organisation.contact_email && html`<a href="mailto:${organisation.contact_email}">${organisation.contact_email}</a>`}
    </p>
    ${organisation.note !== null && html`<p class="terms">${organisation.note}</p>`}
    <p class="quiet small">${match.theyRead(member.display_name, member.email)}</p>
    ${member.note !== null && html`<p class="quiet small">${match.yourNote(member.note)}</p>`}
  </section>`;
}

async function readContact({ call }: Visit, match_id: string) {
  try {
    return await call(matching.readContact, { match_id });
  } catch (error) {
    if (error instanceof Refusal && error.code === 'contact_not_shared') return undefined;
    throw error;
  }
}

function renderJob(visit: Visit, job: Job): Html {
  const { match } = visit.texts;
  const { organisation } = job;
  return html`<aside>
    <h2>${match.job}</h2>
    <p>${job.description}</p>
    ${renderFacts(
      [
        [match.facts.place, formatPlace(visit, job.place.countries, job.place.states) ?? match.anywhere],
        [match.facts.work, match.remote[job.remote_policy]],
        [match.facts.salary, formatSalary(visit, job)],
        [match.facts.domain, organisation.domain ?? match.unprovenDomain],
        [match.facts.industry, organisation.industry],
        [match.facts.website, organisation.website && renderWebsite(organisation.website)],
      ],
      'facts',
    )}
    ${organisation.culture && renderCulture(visit, organisation.culture)}
  </aside>`;
}

/** Only the schemes of the web become links: the organisation wrote the address. */
function renderWebsite(website: string): Content {
  if (!/^https?:\/\//.test(website)) return website;
  return html`<a href="${website}" rel="noreferrer nofollow">${website}</a>`;
}

function renderCulture(
  { texts: { match } }: Visit,
  { basis, values, trust }: NonNullable<Job['organisation']['culture']>,
): Html | undefined {
  const sentences = [...values, ...trust];
  if (sentences.length === 0) return undefined;
  return html`<section>
    <h2>${match.culture}</h2>
    ${basis === 'declared' && html`<p class="quiet">${match.cultureDeclared}</p>`} ${renderTicks(sentences)}
  </section>`;
}

function formatSalary({ texts, format }: Visit, job: Job): string | undefined {
  const { salary_min, salary_max, salary_currency } = job;
  if (salary_currency === null) return undefined;
  const [from, to] = [salary_min, salary_max].map((value) =>
    value === null ? undefined : format.formatMoney(value, salary_currency),
  );
  if (from !== undefined && to !== undefined) return texts.match.salaryRange(from, to);
  if (from !== undefined) return texts.match.salaryFrom(from);
  return to === undefined ? undefined : texts.match.salaryTo(to);
}
