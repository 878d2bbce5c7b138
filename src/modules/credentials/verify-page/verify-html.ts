import { escapeHtml } from '#lib/text/escape-html.ts';
import { markHalves } from '#lib/mark.ts';
import { buildQrCode, formatQrSvg } from '@tessera/pdf/qr-code';
import { removeDirectionOverrides } from '@tessera/pdf/remove-direction-overrides';
import { readScript, style } from './page-style.ts';
import type { ShareCard } from './share-card.ts';
import type { Fact, Link, Tone, Verdict } from './verdict.ts';

/** The mark and the name of the service. */
const brand = `<p class="brand"><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path class="left" d="${markHalves.left}"/><path class="right" d="${markHalves.right}"/></svg>Tessera</p>`;

/** The data around a verdict on the page. */
export type PageContext = {
  readonly publicUrl: string;
  /** The URL of the page; undefined for an unknown credential, so that a useless URL is not passed on. */
  readonly address: string | undefined;
  readonly checked_at: Date;
  /** What a link to the page looks like elsewhere; undefined for a page about a credential that was given. */
  readonly card?: ShareCard;
};

/** Shapes that need neither colour nor reading: a circle with a tick, a triangle, an octagon with a cross, and a broken circle. */
const shapes: Readonly<Record<Tone, string>> = {
  good: '<circle cx="24" cy="24" r="21"/><path d="M14 25l7 7 14-16"/>',
  caution: '<path d="M24 5 45 42H3z"/><path d="M24 18v12M24 36v.2"/>',
  bad: '<path d="M15 3h18l12 12v18L33 45H15L3 33V15z"/><path d="M16 16l16 16M32 16 16 32"/>',
  open: '<circle cx="24" cy="24" r="21" stroke-dasharray="6 5.5"/><path d="M18 19a6 6 0 1 1 8.5 5.5c-1.8.9-2.5 2-2.5 4M24 34.5v.2"/>',
};

/** Renders the page of one stored credential. All text that is not part of this program is escaped. */
export function renderVerifyHtml(verdict: Verdict, context: PageContext): string {
  const again =
    context.address === undefined ? '' : renderSection('Check it again', renderCheckAgain(context.address));
  const other = '<p class="screen"><a href="/verify">Check another credential</a></p>';
  const content = renderVerdict(verdict, context) + again + other;
  return renderDocument(verdict.headline, content, {
    checked: renderCheckTime(context),
    head: renderCard(context),
  });
}

/** What the page on which credentials are given shows: nothing yet, a verdict, or why the text is no credential. */
export type GivenResult =
  | { readonly verdict: Verdict }
  | { readonly fault: string; readonly given: string }
  | undefined;

/** Renders the page on which anyone gives a credential of any issuer, with the verdict on the last one. */
export function renderGivingHtml(result: GivenResult, context: PageContext): string {
  const form = renderForm(result && 'fault' in result ? result : undefined);
  if (result && 'verdict' in result) {
    const another = renderSection('Check another credential', form);
    const content = renderVerdict(result.verdict, context) + another;
    return renderDocument(result.verdict.headline, content, {
      checked: renderCheckTime(context),
      code: readScript(),
    });
  }
  const lead = `<h1 class="title">Check a credential</h1>
<p>Paste it, scan it or drop it here. In a moment you see whether it is genuine, who says so, and what you can rely on. It is checked and not stored.</p>
`;
  return renderDocument('Check a credential', lead + form, { code: readScript() });
}

function renderForm(refused: { readonly fault: string; readonly given: string } | undefined): string {
  const fault = refused ? `<p class="fault" id="fault">${escapeText(refused.fault)}</p>` : '';
  const described = refused ? 'fault hint' : 'hint';
  return `<form method="post" action="/verify" class="drop">
${fault}<label for="credential">The credential</label>
<textarea id="credential" name="credential" required spellcheck="false" autocomplete="off" aria-describedby="${described}"${refused ? ' aria-invalid="true"' : ''}>${escapeText(refused?.given ?? '')}</textarea>
<p class="service" id="hint">A token (JWT or SD-JWT), JSON with a proof, or the link of a page like this one.</p>
<p class="ways"><button type="submit">Check it</button>
<span data-script hidden><button type="button" class="plain" data-scan hidden>Scan a code</button>
<button type="button" class="plain" data-choose>Choose a file</button><input type="file" data-file hidden aria-label="A file with a credential"></span></p>
<p class="service" data-script hidden>You can also drop a file here: JSON, a token, or a badge as PNG or SVG.<span data-no-scan hidden> This browser cannot scan codes. The camera app of a phone can: it opens the page of the credential.</span></p>
<div data-camera hidden><video playsinline muted></video><p><button type="button" class="plain" data-stop>Stop the camera</button></p></div>
<p class="fault" role="alert" data-fault hidden></p>
</form>`;
}

function renderVerdict(verdict: Verdict, context: PageContext): string {
  const { tone, headline, explanation, facts, checks, reliance } = verdict;
  const sections = [
    facts && renderSection(facts.heading, renderRows(facts.rows)),
    checks.length > 0 &&
      `<details>
<summary>What was checked, and what you can rely on</summary>
${renderRows(checks)}
${renderList('You can rely on', reliance.can)}${renderList('You cannot rely on', reliance.cannot)}
</details>`,
  ];
  return `<p class="service">Credential check by Tessera at ${escapeText(new URL(context.publicUrl).host)}</p>
<div class="verdict ${tone}"><svg class="shape" viewBox="0 0 48 48" aria-hidden="true" focusable="false">${shapes[tone]}</svg><h1>${escapeText(headline)}</h1></div>
${explanation.map((sentence) => `<p>${escapeText(sentence)}</p>`).join('\n')}
${sections.filter((each) => typeof each === 'string').join('\n')}
`;
}

function renderList(heading: string, sentences: readonly string[]): string {
  if (sentences.length === 0) return '';
  const items = sentences.map((each) => `<li>${escapeText(each)}</li>`).join('\n');
  return `<h2>${escapeText(heading)}</h2>\n<ul>\n${items}\n</ul>\n`;
}

function renderCheckTime(context: PageContext): string {
  return `<footer>
<p>${escapeText(formatCheckTime(context))} A printed or saved copy shows the result at that time. Check it again for the current result.</p>
</footer>
`;
}

type DocumentParts = {
  /** The footer with the time of the check. */
  readonly checked?: string;
  readonly code?: string;
  /** What the head has beside the title. */
  readonly head?: string;
};

function renderDocument(
  title: string,
  content: string,
  { checked = '', code = '', head = '' }: DocumentParts,
): string {
  return `${renderHead(title, style, head)}
<body>
<main>
${brand}
${content}
</main>
${checked}${code && `<script>${code}</script>\n`}</body>
</html>
`;
}

/** Renders the beginning of a page that no search engine may list, up to its body. */
export function renderHead(title: string, css: string, more = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeText(title)} · Tessera</title>
${more}<style>${css}</style>
</head>`;
}

/** What networks and messengers show beside a link to the page (https://ogp.me). */
function renderCard({ card, address }: PageContext): string {
  if (!card) return '';
  const properties = {
    'og:type': 'website',
    'og:site_name': 'Tessera',
    'og:title': card.title,
    'og:description': card.description,
    'og:image': card.image,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': card.title,
    ...(address !== undefined && { 'og:url': address }),
  };
  const rows = Object.entries(properties).map(
    ([property, content]) => `<meta property="${property}" content="${escapeText(content)}">`,
  );
  return [...rows, '<meta name="twitter:card" content="summary_large_image">'].join('\n');
}

/** The sentence that says when the check was made. */
export function formatCheckTime({ checked_at }: PageContext): string {
  const when = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `Checked on ${when.format(checked_at)} UTC.`;
}

function renderSection(heading: string, content: string): string {
  return `<section>\n<h2>${escapeText(heading)}</h2>\n${content}\n</section>`;
}

function renderRows(rows: readonly Fact[]): string {
  const row = ({ label, value, links }: Fact) =>
    `<div><dt>${escapeText(label)}</dt><dd>${links?.map(renderLink).join('; ') ?? `<bdi>${escapeText(value)}</bdi>`}</dd></div>`;
  return `<dl>\n${rows.map(row).join('\n')}\n</dl>`;
}

function renderLink({ text, href }: Link): string {
  return `<a href="${escapeText(href)}" rel="noreferrer nofollow"><bdi>${escapeText(text)}</bdi></a>`;
}

function renderCheckAgain(address: string): string {
  return `<figure>
${formatQrSvg(buildQrCode(address), 'QR code with the address of this page')}
<figcaption>Scan the code or open <a href="${escapeText(address)}">${escapeText(address)}</a></figcaption>
</figure>
<p class="screen"><a href="${escapeText(address)}/pdf">Save as PDF</a> or print this page with your browser.</p>`;
}

/** Escapes a text for HTML and for attributes, and removes direction overrides from it. */
export function escapeText(text: string): string {
  return escapeHtml(removeDirectionOverrides(text));
}
