import * as credentials from '#modules/credentials/credentials';
import * as members from '#modules/people/members';
import { locateRenderer } from '@tessera/pdf/render-pdf';
import { renderPdf } from '#platform/pdf/render-pdf.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, sendForm, showHeaded, showNarrow, type Page, type Visit } from '../../serving/page.ts';
import {
  listClaims,
  listFacts,
  listTerms,
  nameCredential,
  readCredential,
  renderCredentialFacts,
  type Credential,
} from './credential-facts.ts';
import { renderBadge } from './badge-panel.ts';
import { renderSharing } from './credential-sharing.ts';
import { formatLifetime } from './credentials.ts';
import { renderWalletOnPhone } from './wallet.ts';
import type { CredentialPaper } from './render-credential-pdf.ts';
import { renderForm } from '../../parts/form.ts';
import { renderTicks } from '../../parts/disclosure.ts';
import type { renderCredentialPdf as Render } from './render-credential-pdf.ts';

/** One credential: what it says, how to share it, how often it was checked, and how to end it. */
export const credentialPage: Page = {
  show: async (visit) => {
    const credential = await readCredential(visit);
    const { credential: texts, credentials: list } = visit.texts;
    const { status, visibility } = credential;
    const isActive = status === 'active';
    const title = nameCredential(visit, credential);
    const content = html`<div class="sides">
        <div>
          ${await renderStatements(visit, credential)} ${isActive && (await renderSharing(visit, credential))}
          ${isActive && renderBadge(visit, credential)}
        </div>
        <aside>
          <section>
            <h2>${texts.checkedTitle}</h2>
            <p><strong>${formatChecks(visit, credential.verifications)}</strong></p>
            <p class="quiet small">${texts.checkedNote}</p>
          </section>
          ${isActive && renderWalletAndRevocation(visit, credential)}
        </aside>
      </div>
      ${renderForms(visit, credential)}`;
    return showHeaded({ title }, content, {
      back: ['/app/credentials', texts.back],
      below: html`<p>
          <span class="tag ${isActive ? '' : 'clay'}">${texts.states[status]}</span>
          ${isActive && html`<span class="tag plain">${list.visibilities[visibility]}</span>`}
          <span class="quiet">${formatLifetime(visit, credential)}</span>
        </p>
        ${credential.revocation_reason !== null && html`<p>${texts.reason(credential.revocation_reason)}</p>`}`,
    });
  },
  actions: {
    visibility: sendForm(credentials.setVisibility, '/app/credentials/{credential_id}', 'visibilityChanged'),
  },
};

async function renderStatements(visit: Visit, credential: Credential): Promise<Html> {
  const facts = await listFacts(visit, credential, visit.texts.credentials.tiers);
  return html`<section>
    <h2>${visit.texts.credential.says}</h2>
    ${renderCredentialFacts(facts)}
  </section>`;
}

function renderWalletAndRevocation(visit: Visit, { id }: Credential): Html {
  const { credential: texts } = visit.texts;
  return html`<section>
      <h2>${texts.walletTitle}</h2>
      <p>${texts.walletText}</p>
      ${renderWalletOnPhone(visit, id)}
      <p><a href="/app/credentials/${id}/wallet">${texts.wallet}</a></p>
    </section>
    <section>
      <h2>${texts.revokeTitle}</h2>
      <p>${texts.revokeText}</p>
      <p><a href="/app/credentials/${id}/revoke">${texts.revoke}</a></p>
    </section>`;
}

function formatChecks({ texts: { credential }, format }: Visit, count: number): string {
  if (count === 0) return credential.checkedNever;
  return count === 1 ? credential.checkedOnce : credential.checked(format.formatNumber(count));
}

function renderForms({ texts: { credential: texts } }: Visit, { formats }: Credential): Html {
  const forms = ['vc_jwt', 'sd_jwt_vc', 'attestation_token', 'open_badge'] as const;
  return html`<details class="group signed">
    <summary>${texts.formsTitle}</summary>
    ${forms.map(
      (form) =>
        formats[form] !== null &&
        html`<h3>${texts.forms[form]}</h3>
          <p class="token-text"><code>${formats[form]}</code></p>`,
    )}
  </details>`;
}

/** A valid credential as a PDF, for its member, who sees the content even if nobody else does. */
export const credentialPdfPage: Page = {
  show: async (visit) => {
    const credential = await readCredential(visit);
    if (credential.status !== 'active') return goTo(`/app/credentials/${credential.id}`);
    const content = await renderPdf(visit, renderCredentialPdf, await buildPaper(visit, credential));
    const filename = `tessera-credential-${credential.id}.pdf`;
    return { kind: 'download', file: { filename, content }, media_type: 'application/pdf' };
  },
};

const renderCredentialPdf = locateRenderer<typeof Render>(
  new URL('./render-credential-pdf.ts', import.meta.url),
  'renderCredentialPdf',
);

/** Writes down what the document says, because its texts are functions, which do not reach the thread that renders it. */
async function buildPaper(visit: Visit, credential: Credential): Promise<CredentialPaper> {
  const { credentialPdf: texts, frame } = visit.texts;
  const headline = nameCredential(visit, credential);
  const { organisation_name } = credential.claims;
  const tiers =
    organisation_name === undefined ? texts.tiers : { ...texts.tiers, org_validated: organisation_name };
  const toRows = (facts: Awaited<ReturnType<typeof listFacts>>) =>
    facts.map(([label, value]) => ({ label, value }));
  const { display_name } = await visit.call(members.readMember);
  const isNamed = display_name !== members.unnamedMember;
  return {
    title: `${headline} · ${frame.service}`,
    created_at: visit.now,
    origin: texts.service(new URL(visit.publicUrl).host),
    headline,
    holder: isNamed ? { prompt: texts.holder, name: display_name } : undefined,
    says: toRows(await listClaims(visit, credential)),
    terms: toRows(listTerms(visit, credential, tiers)),
    address: `${visit.publicUrl}/verify/${credential.id}`,
    code: { prompt: texts.scan, alt: texts.qr },
    notes: [
      `${texts.note(`${visit.publicUrl}/verify/${credential.id}`)} ${isNamed ? texts.noName : ''}`.trim(),
    ],
    replaced: texts.replaced,
  };
}

/** Says what follows from revoking a credential, and revokes it. */
export const revokeCredentialPage: Page = {
  show: async (visit) => {
    const credential = await readCredential(visit);
    if (credential.status !== 'active') return goTo(`/app/credentials/${credential.id}`);
    const { revocation } = visit.texts;
    const content = html`<p><strong>${nameCredential(visit, credential)}</strong></p>
      <p class="lead">${revocation.lead}</p>
      ${renderTicks(revocation.consequences)}
      ${renderForm(visit, {
        button: revocation.button,
        look: 'danger',
        fields: [
          {
            name: 'reason',
            label: revocation.reason,
            hint: revocation.reasonHint,
            maxlength: 500,
            optional: true,
          },
        ],
        after: html`<a href="/app/credentials/${credential.id}">${revocation.cancel}</a>`,
      })}`;
    return showNarrow({ title: revocation.title }, content);
  },
  actions: {
    send: async ({ call, params }, { reason = '' }) => {
      const credential_id = params['credential_id'] ?? '';
      const given = reason.trim() === '' ? {} : { reason };
      await call(credentials.revokeCredential, { credential_id, ...given });
      return goTo(`/app/credentials/${credential_id}`, 'credentialRevoked');
    },
  },
};
