import type * as candidates from '#modules/matching/candidates';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';
import { renderTicks } from '../parts/disclosure.ts';
import { renderFacts } from '../parts/facts.ts';
import { renderForm } from '../parts/form.ts';

/** An invitation to a job, as its person reads it. */
export type ReceivedInvitation = OperationBody<typeof candidates.openCandidateInvitation>;

/** Renders who invites to what, and by which domain the organisation can be recognised. */
export function renderInvitationFacts({ texts, format }: Visit, invitation: ReceivedInvitation): Html {
  const { invitation: words } = texts;
  const { job_title, organisation_domain, outcome_description, expires_at, status } = invitation;
  return html`${renderFacts([
      [words.job, job_title],
      [words.domain, organisation_domain ?? words.noDomain],
      [words.until, status === 'sent' ? format.formatDate(expires_at) : undefined],
    ])}
    <p class="reading">${outcome_description}</p>`;
}

/** Renders what follows from taking part, in full, before the button that says it. */
export function renderConsequences(
  { texts: { invitation: words, candidates } }: Visit,
  { partner, organisation_name }: ReceivedInvitation,
): Html {
  const what = partner ? words.whatOfSystem(organisation_name, candidates.systems[partner]) : words.what;
  return html`<p><strong>${words.whatTitle}</strong></p>
    ${renderTicks(what)}`;
}

/** Renders the answers that are possible, each as a form. `accept` replaces the first one for somebody who must log in before. */
export function renderAnswers(
  visit: Visit,
  invitation: ReceivedInvitation,
  {
    accept,
    hidden = {},
  }: { readonly accept?: Html; readonly hidden?: Readonly<Record<string, string>> } = {},
): Html {
  const { invitation: words } = visit.texts;
  const { job_title, organisation_name, status, job_is_open } = invitation;
  const take = () =>
    accept ??
    renderForm(visit, {
      action: 'accept',
      button: words.accept,
      button_label: words.acceptLabel(job_title),
      hidden,
    });
  const isAccepted = status === 'accepted';
  return html`<div class="buttons choices">
    ${status === 'sent' && job_is_open && take()}
    ${renderForm(visit, {
      action: 'decline',
      button: isAccepted ? words.withdraw : words.decline,
      button_label: isAccepted ? words.withdrawLabel(job_title) : words.declineLabel(job_title),
      look: 'quiet',
      hidden,
    })}
    ${renderForm(visit, {
      action: 'stop',
      button: words.stop,
      button_label: words.stopLabel(organisation_name),
      look: 'quiet',
      hidden,
    })}
  </div>`;
}
