import * as candidates from '#modules/matching/candidates';
import * as jobs from '#modules/matching/jobs';
import type { OperationBody } from '#platform/operation.ts';
import { renderForm } from '../../parts/form.ts';
import { renderNextPage } from '../../parts/next-page.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, readCursor, sendForm, showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin } from '../admins-only.ts';

const page_invitations = 50;

type Invitation = OperationBody<typeof candidates.readCandidateInvitation>;

/** The invitations to a job with their states; an administrator invites, sends again and cancels here. */
export const jobInvitationsPage: Page = {
  show: async (visit) => {
    const { candidates: texts } = visit.texts;
    const job_id = visit.params['job_id'] ?? '';
    const [job, { data, pagination }] = await Promise.all([
      visit.call(jobs.readJob, { job_id }),
      visit.call(candidates.listCandidateInvitations, {
        job_id,
        limit: page_invitations,
        ...readCursor(visit),
      }),
    ]);
    const { next_cursor } = pagination;
    const address = `/app/jobs/${job_id}/invitations`;
    const content = html`<div class="sides people-page">
        <div>
          ${data.length === 0 && html`<p>${texts.empty}</p>`}
          <ul class="list stacked">
            ${data.map((each) => renderInvitation(visit, each))}
          </ul>
          ${renderNextPage(address, {}, { next_cursor, label: texts.older })}
        </div>
        ${isAdmin(visit) && renderInviting(visit, job.status === 'active')}
      </div>
      <p class="quiet small">${texts.explained}</p>`;
    const head = { title: texts.title, heading: texts.heading(job.title), lead: texts.lead };
    return showHeaded(head, content, { back: [`/app/jobs/${job_id}`, texts.back] });
  },
  actions: {
    invite: async ({ call, params }, { email = '', external_ref = '' }) => {
      const job_id = params['job_id'] ?? '';
      const reference = external_ref.trim();
      await call(candidates.inviteCandidate, {
        job_id,
        email: email.trim(),
        ...(reference !== '' && { external_ref: reference }),
      });
      return goTo(`/app/jobs/${job_id}/invitations`, 'invited');
    },
    resend: sendForm(candidates.resendCandidateInvitation, '/app/jobs/{job_id}/invitations', 'invited'),
    cancel: sendForm(
      candidates.cancelCandidateInvitation,
      '/app/jobs/{job_id}/invitations',
      'invitationCancelled',
    ),
  },
};

function renderInvitation(visit: Visit, invitation: Invitation): Html {
  const { candidates: texts } = visit.texts;
  const { id: invitation_id, email, status, external_ref, partner } = invitation;
  const isWaiting = status === 'sent' || status === 'accepted';
  return html`<li>
    <strong>${email ?? texts.deleted}</strong>
    <span>
      <span class="tag ${!isWaiting && 'plain'}">${texts.statuses[status]}</span>
      ${external_ref !== null && html`<span class="quiet">${external_ref}</span>`}
      ${partner !== null && html`<span class="quiet">${texts.from(texts.systems[partner])}</span>`}
    </span>
    <span class="quiet small">${describeTimes(visit, invitation)}</span>
    ${
      isAdmin(visit) &&
      status === 'sent' &&
      html`<div class="buttons">
        ${renderForm(visit, { action: 'resend', button: texts.resend, button_label: texts.resendLabel(email ?? ''), look: 'quiet', hidden: { invitation_id } })}
        ${renderForm(visit, { action: 'cancel', button: texts.cancel, button_label: texts.cancelLabel(email ?? ''), look: 'quiet', hidden: { invitation_id } })}
      </div>`
    }
  </li>`;
}

function describeTimes(
  { texts, format }: Visit,
  { status, sent_at, expires_at, updated_at }: Invitation,
): string {
  const { candidates: words } = texts;
  const sent = words.sentOn(format.formatDate(sent_at));
  const then =
    status === 'sent'
      ? words.until(format.formatDate(expires_at))
      : words.since(format.formatDate(updated_at));
  return `${sent} · ${then}`;
}

function renderInviting(visit: Visit, isActive: boolean): Html {
  const { candidates: texts } = visit.texts;
  const form = renderForm(visit, {
    action: 'invite',
    button: texts.button,
    fields: [
      { name: 'email', label: texts.email, hint: texts.emailHint, type: 'email', maxlength: 254 },
      {
        name: 'external_ref',
        label: texts.reference,
        hint: texts.referenceHint,
        maxlength: 200,
        optional: true,
      },
    ],
  });
  return html`<section class="panel" aria-labelledby="invite">
    <h2 id="invite">${texts.invite}</h2>
    ${isActive ? form : html`<p>${texts.notActive}</p>`}
  </section>`;
}
