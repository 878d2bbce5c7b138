import * as matching from '#modules/matching';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { formatHandle } from './format-handle.ts';
import { readUnlessRefused } from '../parts/read-unless-refused.ts';

type Match = OperationBody<typeof matching.listJobMatches>['data'][number];
type Explanation = OperationBody<typeof matching.readExplanation>;

/** Why the organisation may not read something, or no longer. It is then left out. */
const hidden = ['consent_required', 'match_ended'] as const;

/** One person of a shortlist: why they fit, which requirements they meet, and what the organisation decides. */
export async function renderCandidate(visit: Visit, match: Match): Promise<Html> {
  const { shortlist } = visit.texts;
  const { id: match_id, member_id, match_status } = match;
  const [explanation, requirements] = await Promise.all([
    readUnlessRefused(hidden, () => visit.call(matching.readExplanation, { match_id })),
    readUnlessRefused(hidden, () => visit.call(matching.readRequirements, { match_id })),
  ]);
  return html`<section class="panel" aria-label="${formatHandle(shortlist.person, member_id)}">
    <h2>${formatHandle(shortlist.person, member_id)}</h2>
    <p class="quiet">${shortlist.statuses[match_status]}</p>
    ${explanation && renderExplanation(visit, explanation)}
    ${
      requirements &&
      requirements.requirements.length > 0 &&
      html`<h3>${shortlist.requirements}</h3>
        <ul class="plain-list">
          ${requirements.requirements.map(({ asked, met }) => html`<li>${met ? '✓' : '✗'} <span class="hidden">${met ? shortlist.met : shortlist.notMet}</span> ${asked}</li>`)}
        </ul>`
    }
    ${match_status === 'pending_review' && visit.caller.role === 'org_admin' && renderDecision(visit, match_id)}
    ${match_status === 'member_accepted' && (await renderContact(visit, match_id))}
  </section>`;
}

function renderExplanation({ texts }: Visit, explanation: Explanation): Html {
  if ('task_id' in explanation) return html`<p role="status">${texts.match.explaining}</p>`;
  const { summary_text, top_strengths, growth_areas, confidence_statement } = explanation;
  return html`<p>${summary_text}</p>
    <ul class="ticks">
      ${top_strengths.map((each) => html`<li>${each}</li>`)}
    </ul>
    ${
      growth_areas.length > 0 &&
      html`<h3>${texts.match.growth}</h3>
        <ul class="ticks">
          ${growth_areas.map((each) => html`<li>${each}</li>`)}
        </ul>`
    }
    <p class="quiet small">${confidence_statement}</p>`;
}

function renderDecision(visit: Visit, match_id: string): Html {
  const { shortlist } = visit.texts;
  return html`${renderForm(visit, {
      action: 'interested',
      button: shortlist.interested,
      key: 'i',
      hidden: { match_id },
      fields: [
        { name: 'note', label: shortlist.note, hint: shortlist.noteHint, maxlength: 1000, optional: true },
      ],
    })}
    ${renderForm(visit, { action: 'pass', button: shortlist.pass, key: 'p', look: 'quiet', hidden: { match_id } })}
    <p class="quiet small keys">${shortlist.keys}</p>`;
}

async function renderContact(visit: Visit, match_id: string): Promise<Html | undefined> {
  if (visit.caller.role === 'auditor') return undefined;
  const { match } = visit.texts;
  const { member } = await visit.call(matching.readContact, { match_id });
  return html`<h3>${match.contact}</h3>
    <p>${member.display_name}, <a href="mailto:${member.email}">${member.email}</a></p>
    ${member.note !== null && html`<p class="terms">${member.note}</p>`}`;
}
