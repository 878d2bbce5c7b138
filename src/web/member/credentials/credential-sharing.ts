import * as consent from '#modules/people/consent';
import * as members from '#modules/people/members';
import { renderCopyButton } from '../../serving/copy-button.ts';
import { buildQrCode, formatQrSvg } from '@tessera/pdf/qr-code';
import { renderForm } from '../../parts/form.ts';
import { html, trustMarkup, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import type { Credential } from './credential-facts.ts';

/** The engagement level from which credentials may be public. */
const sharing_level = 3;

/** How to share a valid credential: its link, QR code and PDF, whether its content is public. */
export async function renderSharing(visit: Visit, credential: Credential): Promise<Html> {
  const { credential: texts } = visit.texts;
  const { id } = credential;
  const link = `${visit.publicUrl}/verify/${id}`;
  return html`<section class="panel">
    <h2>${texts.shareTitle}</h2>
    <div class="share">
      <div class="qr">${trustMarkup(formatQrSvg(buildQrCode(link), texts.qr))}</div>
      <div>
        <p>${texts.shareLead}</p>
        <p class="small"><a href="/verify/${id}">${link}</a></p>
        <p class="buttons">
          <a class="button" href="/verify/${id}">${texts.open}</a>
          ${renderCopyButton(link, texts)}
          <a class="button quiet" href="/app/credentials/${id}/pdf" download>${texts.pdf}</a>
        </p>
      </div>
    </div>
    ${await renderVisibility(visit, credential)}
  </section>`;
}

async function renderVisibility(visit: Visit, { id, visibility }: Credential): Promise<Html> {
  const { credential: texts } = visit.texts;
  const obstacle = await renderObstacle(visit, id);
  if (visibility === 'public')
    return html`<div class="visibility">
      <p>${obstacle ? html`${texts.hidden} ${obstacle}` : texts.public}</p>
      ${renderForm(visit, { action: 'visibility', button: texts.makePrivate, look: 'quiet', hidden: { visibility: 'private' } })}
    </div>`;
  return html`<div class="visibility">
    <p>${texts.private}</p>
    ${obstacle ? html`<p>${obstacle}</p>` : renderForm(visit, { action: 'visibility', button: texts.makePublic, look: 'quiet', hidden: { visibility: 'public' } })}
  </div>`;
}

/** What has to be done before the content can be public, if anything. */
async function renderObstacle(visit: Visit, id: string): Promise<Html | undefined> {
  const { credential: texts } = visit.texts;
  const [{ consents }, { engagement_level }] = await Promise.all([
    visit.call(consent.readConsent),
    visit.call(members.readEngagement),
  ]);
  if (engagement_level < sharing_level)
    return html`${texts.needsLevel} <a href="/app">${visit.texts.frame.home}</a>`;
  const agrees = consents.some(
    ({ consent_type, granted }) => consent_type === 'credential_sharing' && granted,
  );
  if (agrees) return undefined;
  const back = encodeURIComponent(`/app/credentials/${id}`);
  return html`${texts.needsConsent}
    <a href="/app/consent/credential_sharing?continue=${back}">${texts.toConsent}</a>`;
}
