import * as candidates from '#modules/matching/candidates';
import * as members from '#modules/people/members';
import { renderDisclosure } from '../parts/disclosure.ts';
import { renderNextPage } from '../parts/next-page.ts';
import {
  renderAnswers,
  renderConsequences,
  renderInvitationFacts,
  type ReceivedInvitation,
} from './received-invitation.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, readCursor, sendForm, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { renderMatchTabs } from './tabs.ts';

const page_invitations = 20;

/** The invitations to jobs that wait for an answer, and those that the member has accepted. */
export const ownInvitationsPage: Page = {
  show: async (visit) => {
    const { ownInvitations: texts } = visit.texts;
    const [{ data, pagination }, member] = await Promise.all([
      visit.call(candidates.listMemberInvitations, { limit: page_invitations, ...readCursor(visit) }),
      visit.call(members.readMember),
    ]);
    const isMeasured = member.assessment_phase === 'complete';
    const open = data.filter(({ status }) => status === 'sent' || status === 'accepted');
    const ended = data.filter((each) => !open.includes(each));
    const { next_cursor } = pagination;
    const content = html`${data.length === 0 && html`<p>${texts.empty}</p>`}
    ${open.map((invitation) => renderOpen(visit, invitation, isMeasured))}
    ${ended.length > 0 && renderEnded(visit, ended)}
    ${renderNextPage('/app/invitations', {}, { next_cursor, label: texts.older })}`;
    return showHeaded(texts, content, { tabs: renderMatchTabs(visit) });
  },
  actions: {
    accept: async (visit, { invitation_id = '' }) => {
      await visit.call(candidates.answerMemberInvitation, { invitation_id, decision: 'accept' });
      return goTo('/app/invitations', 'invitationAccepted');
    },
    decline: sendForm(candidates.answerMemberInvitation, '/app/invitations', 'invitationDeclined', {
      decision: 'decline',
    }),
    stop: sendForm(candidates.answerMemberInvitation, '/app/invitations', 'invitationsStopped', {
      decision: 'stop',
    }),
  },
};

function renderOpen(visit: Visit, invitation: ReceivedInvitation, isMeasured: boolean): Html {
  const { id, organisation_name, status, job_is_open } = invitation;
  const { invitation: words } = visit.texts;
  return html`<section class="panel reading" aria-labelledby="${`invitation-${id}`}">
    <h2 id="${`invitation-${id}`}">${words.heading(organisation_name)}</h2>
    ${renderInvitationFacts(visit, invitation)} ${!job_is_open && html`<p>${words.closedJob}</p>`}
    ${status === 'sent' && job_is_open && renderConsequences(visit, invitation)}
    ${status === 'accepted' && renderNextStep(visit, isMeasured)}
    ${renderAnswers(visit, invitation, { hidden: { invitation_id: id } })}
  </section>`;
}

/** A match follows by the consents and the rules of every job; until then, the assessment may be missing. */
function renderNextStep({ texts: { ownInvitations: texts } }: Visit, isMeasured: boolean): Html {
  return isMeasured
    ? html`<p>${texts.matches} <a href="/app/matches">${texts.matchesLink}</a></p>`
    : html`<p>${texts.assessment}</p>
        <p class="buttons"><a class="button" href="/app/assessment">${texts.assessmentLink}</a></p>`;
}

function renderEnded({ texts, format }: Visit, ended: readonly ReceivedInvitation[]): Html {
  const { ownInvitations, candidates: words } = texts;
  const list = html`<ul class="list stacked">
    ${ended.map(
      ({ job_title, organisation_name, status, updated_at }) =>
        html`<li>
          <strong>${job_title}</strong>
          <span>${organisation_name} <span class="tag plain">${words.statuses[status]}</span></span>
          <span class="quiet small">${words.since(format.formatDate(updated_at))}</span>
        </li>`,
    )}
  </ul>`;
  return renderDisclosure(ownInvitations.ended, list, false);
}

/** Counts the invitations that wait for an answer. */
export async function countOpenInvitations({ call }: Visit): Promise<number> {
  const { pagination } = await call(candidates.listMemberInvitations, { status: 'sent', limit: 1 });
  return pagination.total_count;
}
