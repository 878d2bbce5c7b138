import * as credentials from '#modules/credentials/credentials';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import { offerActions, renderOffers } from './offers.ts';
import { readCursor, showHeaded, type Page, type Visit } from '../../serving/page.ts';

const rows_max = 100;

/** The member's credentials: the valid ones first. */
export const credentialsPage: Page = {
  show: async (visit) => {
    const { data, pagination } = await visit.call(credentials.listCredentials, {
      limit: rows_max,
      ...readCursor(visit),
    });
    const { credentials: texts } = visit.texts;
    const groups = Map.groupBy(data, ({ status }) => status);
    const content = html`${readCursor(visit).cursor === undefined && (await renderOffers(visit))}
    ${(['active', 'expired', 'revoked'] as const).map((status) => renderGroup(visit, status, groups.get(status)))}
    ${pagination.next_cursor !== null && html`<p><a href="/app/credentials?cursor=${encodeURIComponent(pagination.next_cursor)}">${texts.older}</a></p>`}`;
    return showHeaded(texts, content, {
      below: html`${data.length === 0 && html`<p>${texts.empty}</p>`}
        <p class="buttons"><a class="button" href="/app/credentials/new">${texts.issue}</a></p>`,
    });
  },
  actions: offerActions,
};

export type CredentialSummary = OperationBody<typeof credentials.listCredentials>['data'][number];

function renderGroup(
  visit: Visit,
  status: CredentialSummary['status'],
  list: readonly CredentialSummary[] | undefined,
): Html | undefined {
  return (
    list &&
    html`<section class="group ${status}">
      <h2>${visit.texts.credentials.groups[status]}</h2>
      <ul class="list">
        ${list.map((each) => renderCredential(visit, each))}
      </ul>
    </section>`
  );
}

function renderCredential(visit: Visit, credential: CredentialSummary): Html {
  const { credentials: texts } = visit.texts;
  const { id, credential_type, title, organisation_name, attestation_tier, visibility, status } = credential;
  const names = [title ?? texts.types[credential_type], organisation_name].filter((each) => each !== null);
  return html`<li>
    <a href="/app/credentials/${id}">
      <strong>${names.join(', ')}</strong> <span>${formatLifetime(visit, credential)}</span>
    </a>
    ${status === 'active' && html`<span class="tag ${visibility === 'private' && 'plain'}">${texts.visibilities[visibility]}</span>`}
    <span class="quiet small"
      >${title !== null && `${texts.types[credential_type]}. `}${texts.tiers[attestation_tier]}</span
    >
  </li>`;
}

/** Until when a credential is valid, or when it ended. */
export function formatLifetime(
  { texts, format }: Visit,
  { status, expires_at, revoked_at }: Pick<CredentialSummary, 'status' | 'expires_at' | 'revoked_at'>,
): string {
  const { credentials: words } = texts;
  if (status === 'revoked') return words.revokedOn(format.formatDate(revoked_at ?? expires_at));
  const day = format.formatDate(expires_at);
  return status === 'expired' ? words.expiredOn(day) : words.until(day);
}
