import type { Texts } from '../texts/english.ts';
import { html, type Html } from '../serving/html.ts';
import type { View, Visit } from '../serving/page.ts';
import { findAssetAddress, listFonts } from '../serving/assets.ts';
import { renderMark } from './mark.ts';
import { renderNavigation, renderOpenNavigation, type Waiting } from '../navigation/navigation.ts';

/** What the frame needs of a visit: a problem has no more than this. */
export type FramedVisit = Pick<
  Visit,
  'caller' | 'texts' | 'look' | 'address' | 'query' | 'form' | 'documents' | 'publicUrl' | 'canonical'
>;

/** Renders a whole document around a view, whose navigation says what waits for the visitor. */
export function renderFrame(visit: FramedVisit, view: View, waiting: Waiting = {}): string {
  const { texts } = visit;
  const { theme } = visit.look;
  const hasErrors = Object.keys(visit.form.errors).length > 0;
  const title = `${hasErrors ? `${texts.frame.errorTitle}: ` : ''}${view.title} · ${texts.frame.service}`;
  return `<!doctype html>\n${html`<html
    lang="${texts.language}"
    ${theme !== 'system' && html`data-theme="${theme}"`}
  >
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title}</title>
      <meta name="description" content="${view.description ?? texts.frame.description}" />
      <meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}" />
      ${renderCard(visit, view)}
      ${listFonts().map((font) => html`<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin />`)}
      <link rel="stylesheet" href="${findAssetAddress('console.css')}" />
      ${visit.canonical !== undefined && html`<link rel="stylesheet" href="${findAssetAddress('front.css')}" />`}
      <link rel="icon" href="${findAssetAddress('mark.svg')}" type="image/svg+xml" />
      <script src="${findAssetAddress('console.js')}" defer></script>
      ${view.refresh_s !== undefined && renderRefresh(view.refresh_s, view.refresh_to)}
      ${view.script && html`<script src="${findAssetAddress(view.script)}" defer></script>`}
    </head>
    <body
      class="${view.layout}"
      ${view.refresh_s !== undefined && html`data-refresh-seconds="${view.refresh_s}"`}
      ${view.refresh_to !== undefined && html`data-refresh-to="${view.refresh_to}"`}
    >
      <a class="skip" href="#content">${texts.frame.skip}</a>
      ${renderHeader(visit, view, waiting)}
      <main id="content">
        ${renderNotice(visit)}${renderRefusal(visit, view)}${view.content}
        ${
          view.refresh_s !== undefined &&
          html`<noscript
            ><p><a href="${view.refresh_to ?? visit.address}">${texts.frame.lookAgain}</a></p></noscript
          >`
        }
      </main>
      ${view.layout === 'open' && renderFooter(visit)}
    </body>
  </html>`.toString()}\n`;
}

/** What search engines and shared links show of a page (Open Graph); nothing of a page that they leave out. */
function renderCard({ canonical, publicUrl, texts }: FramedVisit, view: View): Html {
  if (canonical === undefined || (view.status ?? 200) >= 400)
    return html`<meta name="robots" content="noindex" />`;
  const { title, description = texts.frame.description } = view;
  return html`<link rel="canonical" href="${canonical}" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${texts.frame.service}" />
    <meta property="og:url" content="${canonical}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:image" content="${publicUrl}${findAssetAddress('share-card.png')}" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="${texts.landing.headline}" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

/** Loads a page again, or goes on, where no script does it. */
function renderRefresh(seconds: number, address: string | undefined): Html {
  const content = address === undefined ? String(seconds) : `${seconds};url=${address}`;
  return html`<noscript><meta http-equiv="refresh" content="${content}" /></noscript>`;
}

function renderHeader(visit: FramedVisit, { layout }: View, waiting: Waiting): Html {
  const { caller, texts } = visit;
  const home = caller.role === 'anonymous' ? '/' : '/app';
  return html`<header class="top">
    <a class="brand" href="${home}">${renderMark()}<span>${texts.frame.service}</span></a>
    ${layout === 'app' && renderNavigation(visit, waiting)}
    ${visit.canonical !== undefined && renderOpenNavigation(visit)}
  </header>`;
}

function renderFooter({ texts: { frame, documents: words }, documents }: FramedVisit): Html {
  const links = [
    ['/transparency', frame.transparency],
    ['/docs', frame.api],
    ['/about', frame.about],
    [documents.terms ?? '/terms', words.terms],
    [documents.privacy ?? '/privacy', words.privacy],
  ] as const;
  return html`<footer aria-label="${frame.footer}">
    <p>${links.map(([link, label]) => html`<a href="${link}">${label}</a> `)}</p>
  </footer>`;
}

/** Why a form was refused, if the page no longer has the form that would say so: another user was faster, or what it was about is gone. */
function renderRefusal({ form }: FramedVisit, { content }: View): Html | undefined {
  if (form.message === undefined) return undefined;
  const message = html`${form.message}`;
  if (content.toString().includes(message.toString())) return undefined;
  return html`<p class="message bad" role="alert">${message}</p>`;
}

/** The notice that the address names. An unknown name shows nothing, so a link cannot put words into the page. */
function renderNotice({ query, texts }: FramedVisit): Html | undefined {
  const { notice } = query;
  if (notice === undefined || !Object.hasOwn(texts.notices, notice)) return undefined;
  return html`<p class="message good" role="status">${texts.notices[notice as keyof Texts['notices']]}</p>`;
}
