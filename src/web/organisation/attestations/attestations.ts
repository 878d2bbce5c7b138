import { readParentId } from '#lib/child-id.ts';
import * as offers from '#modules/credentials/offers';
import * as matching from '#modules/matching/matches';
import type { OperationBody } from '#platform/operation.ts';
import { renderDisclosure } from '../../parts/disclosure.ts';
import { renderForm } from '../../parts/form.ts';
import { renderNextPage } from '../../parts/next-page.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, readCursor, showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin } from '../admins-only.ts';
import { nameMatch } from '../shortlist/match.ts';
import { renderVerification } from '../unverified.ts';

const page_attestations = 20;

type Attestation = OperationBody<typeof offers.listAttestations>['data'][number];

/** What the organisation has attested to people, with its state; an administrator takes it back here. */
export const attestationsPage: Page = {
  show: async (visit) => {
    const { attestations: texts } = visit.texts;
    const list = await readUnlessRefused(['email_not_verified'], () =>
      visit.call(offers.listAttestations, { limit: page_attestations, ...readCursor(visit) }),
    );
    return showHeaded(texts, list ? await renderList(visit, list) : renderVerification(visit), {
      back: ['/app/organisation', texts.back],
      below: html`<p class="buttons">
        ${
          isAdmin(visit) &&
          html`<a class="button" href="/app/attestations/new">${texts.attest}</a>
            <a class="button quiet" href="/app/attestations/table">${texts.attestMany}</a>`
        }
        <a class="button quiet" href="/app/achievements">${texts.achievements}</a>
      </p>`,
    });
  },
  actions: {
    revoke: async (visit, { offer_id = '', reason = '' }) => {
      await visit.call(offers.revokeAttestation, { offer_id, reason: reason.trim() });
      return goTo('/app/attestations', 'attestationTakenBack');
    },
  },
};

async function renderList(
  visit: Visit,
  { data, pagination }: OperationBody<typeof offers.listAttestations>,
): Promise<Html> {
  const { attestations: texts } = visit.texts;
  if (data.length === 0) return html`<p>${texts.empty}</p>`;
  const rows = await Promise.all(data.map((each) => renderAttestation(visit, each)));
  const { next_cursor } = pagination;
  return html`<ul class="list stacked">
      ${rows}
    </ul>
    ${renderNextPage('/app/attestations', {}, { next_cursor, label: texts.older })}`;
}

async function renderAttestation(visit: Visit, attestation: Attestation): Promise<Html> {
  const { texts, format } = visit;
  const { attestations: words, offers: shared, credentials } = texts;
  const { credential_type, claims, status, reason, match_id, opens_at } = attestation;
  const date = format.formatDate(opens_at);
  return html`<li>
    <strong>${claims.achievement_name ?? credentials.types[credential_type]}</strong>
    <span>
      ${await renderPerson(visit, match_id)}
      <span class="tag ${status === 'open' || status === 'accepted' ? '' : 'plain'}"
        >${shared.statuses[status]}</span
      >
      <span class="quiet small">${status === 'waiting' ? words.opensOn(date) : words.offeredOn(date)}</span>
    </span>
    ${(claims.statement ?? claims.job_title) !== undefined && html`<span class="quiet">${claims.statement ?? claims.job_title}</span>`}
    ${reason !== null && html`<span class="quiet">${words.reasonGiven(reason)}</span>`}
    ${isAdmin(visit) && ['waiting', 'open', 'accepted'].includes(status) && renderTakingBack(visit, attestation)}
  </li>`;
}

/** The person by name while both share their contact. A match belongs to the job that its id begins with. */
async function renderPerson(visit: Visit, match_id: string | null): Promise<Html> {
  const { attestations: words } = visit.texts;
  const match =
    match_id === null
      ? undefined
      : await readUnlessRefused(['match_not_found', 'email_not_verified'], () =>
          visit.call(matching.readMatch, { match_id }),
        );
  if (!match || match_id === null) return html`<span>${words.former}</span>`;
  return html`<a href="/app/jobs/${readParentId(match_id)}?match=${match_id}">${nameMatch(visit, match)}</a>`;
}

function renderTakingBack(visit: Visit, { id: offer_id, status }: Attestation): Html {
  const { attestations: words } = visit.texts;
  const isOpen = visit.form.action === 'revoke' && visit.form.values['offer_id'] === offer_id;
  const content = html`<p class="quiet">${words.takeBackLead}</p>
    ${renderForm(visit, {
      action: 'revoke',
      button: status === 'accepted' ? words.revokeButton : words.withdrawButton,
      look: 'danger',
      hidden: { offer_id },
      fields: [
        {
          name: 'reason',
          id: `reason-${offer_id}`,
          label: words.reason,
          hint: words.reasonHint,
          lines: 2,
          maxlength: 500,
        },
      ],
    })}`;
  return renderDisclosure(words.takeBack, content, isOpen);
}
