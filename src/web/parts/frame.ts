import type { Caller } from '#lib/caller.ts';
import { html, type Html } from '../serving/html.ts';
import type { View, Visit } from '../serving/page.ts';
import { findAssetAddress, listFonts } from '../serving/assets.ts';
import type { Texts } from '../texts/english.ts';
import { renderMark } from './mark.ts';

/** What the frame needs of a visit: a problem has no more than this. */
export type FramedVisit = Pick<
  Visit,
  'caller' | 'texts' | 'look' | 'address' | 'query' | 'form' | 'documents'
>;

/** Renders a whole document around a view. */
export function renderFrame(visit: FramedVisit, view: View): string {
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
      <meta name="description" content="${texts.frame.description}" />
      <meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}" />
      ${view.layout !== 'open' && html`<meta name="robots" content="noindex" />`}
      ${listFonts().map((font) => html`<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin />`)}
      <link rel="stylesheet" href="${findAssetAddress('console.css')}" />
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
      ${renderHeader(visit, view)}
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

/** Loads a page again, or goes on, where no script does it. */
function renderRefresh(seconds: number, address: string | undefined): Html {
  const content = address === undefined ? String(seconds) : `${seconds};url=${address}`;
  return html`<noscript><meta http-equiv="refresh" content="${content}" /></noscript>`;
}

function renderHeader(visit: FramedVisit, { layout }: View): Html {
  const { caller, texts } = visit;
  const home = caller.role === 'anonymous' ? '/' : '/app';
  return html`<header class="top">
    <a class="brand" href="${home}">${renderMark()}<span>${texts.frame.service}</span></a>
    ${layout === 'app' && renderNavigation(visit)}
  </header>`;
}

function renderNavigation({ caller, texts, address }: FramedVisit): Html {
  const path = address.split('?', 1)[0]!;
  const isHere = (link: string) =>
    homes.has(link)
      ? path === link
      : [link, ...(siblings[link] ?? [])].some((each) => path === each || path.startsWith(`${each}/`));
  return html`<nav aria-label="${texts.frame.navigation}">
    <ul>
      ${listLinks(caller, texts).map(([link, label]) => html`<li><a href="${link}" ${isHere(link) && html`aria-current="page"`}>${label}</a></li>`)}
    </ul>
  </nav>`;
}

/** The first pages, whose addresses are the beginnings of others. */
const homes: ReadonlySet<string> = new Set(['/app', '/app/operator']);

/** Pages that belong to an entry of the navigation, and that its pages link to. */
const siblings: Readonly<Record<string, readonly string[]>> = {
  '/app/traits': ['/app/archetype', '/app/assessment'],
  '/app/matches': ['/app/preferences', '/app/rights'],
  '/app/account': ['/app/agents'],
  '/app/consent': ['/app/self-identification'],
  '/app/organisation': ['/app/sso', '/app/audit', '/app/reports', '/app/reviews'],
};

/** The pages of each role, in the order of the navigation. */
function listLinks(
  { role }: Caller,
  { frame, operator, webhooks }: Texts,
): readonly (readonly [link: string, label: string])[] {
  const first = ['/app', frame.home] as const;
  const last = ['/app/account', frame.account] as const;
  if (role === 'member')
    return [
      first,
      ['/app/traits', frame.you],
      ['/app/matches', frame.matches],
      ['/app/credentials', frame.credentials],
      ['/app/consent', frame.consent],
      ['/app/income', frame.income],
      last,
    ];
  if (role === 'platform_admin')
    return [
      ['/app/operator', frame.home],
      ...Object.entries(operator.navigation).map(
        ([page, label]) => [`/app/operator/${page}`, label] as const,
      ),
      last,
    ];
  return [
    first,
    ['/app/jobs', frame.jobs],
    ['/app/culture', frame.culture],
    ['/app/people', frame.people],
    ['/app/reads', frame.reads],
    ...(role === 'auditor' ? [] : [['/app/webhooks', webhooks.title] as const]),
    ['/app/organisation', frame.organisation],
    last,
  ];
}

function renderFooter({ texts: { frame, documents: words }, documents }: FramedVisit): Html {
  const links = [
    ['/docs', frame.api],
    [documents.terms, words.terms],
    [documents.privacy, words.privacy],
  ] as const;
  return html`<footer aria-label="${frame.footer}">
    <p>${links.map(([link, label]) => link !== null && html`<a href="${link}">${label}</a> `)}</p>
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
