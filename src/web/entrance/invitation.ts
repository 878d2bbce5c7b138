import * as candidates from '#modules/matching/candidates';
import { renderAnswers, renderConsequences, renderInvitationFacts } from '../member/received-invitation.ts';
import type { ReceivedInvitation } from '../member/received-invitation.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showNarrow, type Action, type Page, type View, type Visit } from '../serving/page.ts';

/** An invitation to a job, from the link in the email. Declining needs no account; buttons do it, because programs that check mails open their links. */
export const invitationPage: Page = {
  show: async (visit) => {
    const { token } = visit.query;
    if (token === undefined) return showIncomplete(visit);
    const invitation = await visit.call(candidates.openCandidateInvitation, { token });
    const heading = visit.texts.invitation.heading(invitation.organisation_name);
    const content = html`${renderInvitationFacts(visit, invitation)} ${renderState(visit, invitation)}`;
    return showNarrow({ title: visit.texts.invitation.title, heading }, content, { layout: 'open' });
  },
  actions: {
    accept: async (visit) => {
      await answer(visit, 'accept');
      return goTo('/app/invitations', 'invitationAccepted');
    },
    decline: sendAnswer('decline', 'invitationDeclined'),
    stop: sendAnswer('stop', 'invitationsStopped'),
  },
};

function showIncomplete({ texts: { invitation } }: Visit): View {
  const content = html`<p><a href="/">${invitation.next}</a></p>`;
  return showNarrow({ title: invitation.title, lead: invitation.incomplete }, content, { layout: 'open' });
}

function renderState(visit: Visit, invitation: ReceivedInvitation): Html {
  const { invitation: words } = visit.texts;
  const { status, job_is_open } = invitation;
  const isMember = visit.caller.role === 'member';
  if (status === 'accepted')
    return html`<p class="lead">${words.acceptedElsewhere}</p>
      ${isMember && html`<p class="buttons"><a class="button" href="/app/invitations">${visit.texts.ownInvitations.title}</a></p>`}`;
  if (status !== 'sent') return html`<p class="lead">${words.ended[status]}</p>`;
  return html`${!job_is_open && html`<p>${words.closedJob}</p>`}
  ${job_is_open && renderConsequences(visit, invitation)}
  ${renderAnswers(visit, invitation, isMember ? {} : { accept: renderEntrance(visit) })}`;
}

/** Somebody who is not logged in comes back here; a new account with the invited address has the invitation by itself. */
function renderEntrance(visit: Visit): Html {
  const { invitation: words } = visit.texts;
  if (visit.caller.role !== 'anonymous') return html`<p>${words.otherRole}</p>`;
  return html`<p class="buttons">
      <a class="button" href="/sign-in?continue=${encodeURIComponent(visit.address)}">${words.logIn}</a>
      <a class="button" href="/register">${words.register}</a>
    </p>
    <p class="quiet small">${words.registerHint}</p>`;
}

function sendAnswer(
  decision: 'decline' | 'stop',
  notice: 'invitationDeclined' | 'invitationsStopped',
): Action {
  return async (visit) => {
    await answer(visit, decision);
    return goTo(`/invitation?token=${encodeURIComponent(visit.query['token'] ?? '')}`, notice);
  };
}

async function answer({ call, query }: Visit, decision: 'accept' | 'decline' | 'stop'): Promise<void> {
  await call(candidates.answerCandidateInvitation, { token: query['token'] ?? '', decision });
}
