import { renderCopyButton } from '../../serving/copy-button.ts';
import { Refusal } from '#lib/refusal.ts';
import * as credentials from '#modules/credentials/credentials';
import { html, type Html } from '../../serving/html.ts';
import { goTo, type Page, type Visit } from '../../serving/page.ts';
import { readCredential, type Credential } from './credential-facts.ts';
import { buildLinkedInLink } from './linkedin-link.ts';

/** A valid credential as a badge: its picture, the files with the credential in them, the link for a profile, and the frame for other sites. */
export function renderBadge(visit: Visit, credential: Credential): Html {
  const { badge: texts } = visit.texts;
  const { id, visibility } = credential;
  const issuer = credentials.buildIssuer(visit.publicUrl);
  const picture = new URL(`${credentials.describeAchievement(issuer, credential).id}/badge.svg`).pathname;
  const { name } = credentials.describeEarned(issuer, credential, credential.claims);
  return html`<section class="panel">
    <h2>${texts.title}</h2>
    <div class="share">
      <img class="badge" src="${picture}" alt="${texts.alt(name)}" width="152" height="152" />
      <div>
        <p>${texts.lead}</p>
        <p class="buttons">
          <a class="button quiet" href="/app/credentials/${id}/badge/png" download>${texts.png}</a>
          <a class="button quiet" href="/app/credentials/${id}/badge/svg" download>${texts.svg}</a>
          <a
            class="button quiet"
            href="${buildLinkedInLink(visit.publicUrl, credential)}"
            target="_blank"
            rel="noopener noreferrer"
            >${texts.linkedIn}</a
          >
        </p>
        ${visibility === 'private' && html`<p class="quiet small">${texts.private}</p>`}
      </div>
    </div>
    ${renderFrame(visit, id, name)}
  </section>`;
}

function renderFrame({ texts, publicUrl }: Visit, id: string, name: string): Html {
  const { badge, credential } = texts;
  const address = `${publicUrl}/verify/${id}/badge`;
  // Only characters of its own: the name of an achievement and the address of the service.
  const code = `<iframe src="${address}" title="${badge.frameTitle(name)}" width="320" height="340" style="border:0" loading="lazy"></iframe>`;
  return html`<details class="group signed">
    <summary>${badge.embed}</summary>
    <p>${badge.embedLead} <a href="/verify/${id}/badge">${badge.embedSee}</a></p>
    <p class="token-text"><code>${code}</code></p>
    <p class="buttons">${renderCopyButton(code, { copy: badge.copyCode, copied: credential.copied })}</p>
  </details>`;
}

const formats = ['png', 'svg'] as const;

/** A valid credential baked into a picture, for its member. */
export const badgePicturePage: Page = {
  show: async (visit) => {
    const { id, status } = await readCredential(visit);
    if (status !== 'active') return goTo(`/app/credentials/${id}`);
    const format = formats.find((each) => each === visit.params['format']);
    if (!format) throw new Refusal('route_not_found');
    const { content, media_type } = await visit.call(credentials.readOpenBadge, {
      credential_id: id,
      format,
    });
    return { kind: 'download', file: { filename: `tessera-badge-${id}.${format}`, content }, media_type };
  },
};
