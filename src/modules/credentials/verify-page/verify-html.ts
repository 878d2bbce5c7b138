import { escapeHtml } from '#lib/text/escape-html.ts';
import { markHalves } from '#lib/mark.ts';
import { createHash } from 'node:crypto';
import { buildQrCode, formatQrSvg } from '@tessera/pdf/qr-code';
import { removeDirectionOverrides } from '@tessera/pdf/remove-direction-overrides';
import type { ShareCard } from './share-card.ts';
import type { Fact, Verdict } from './verdict.ts';

/** The colours of the page in light and dark mode; prints use the light ones. Each has a contrast of at least 7 to 1 on `paper` (WCAG 2.2 AAA). */
export const colours = {
  light: {
    paper: '#faf7f1',
    ink: '#1f1b16',
    quiet: '#524a3f',
    good: '#0e5047',
    caution: '#6b4500',
    bad: '#8c1010',
    link: '#0e5047',
  },
  dark: {
    paper: '#161410',
    ink: '#f1ebdf',
    quiet: '#b9ae9d',
    good: '#85d4c1',
    caution: '#f2c14e',
    bad: '#ffb3a4',
    link: '#85d4c1',
  },
} as const;

/** The colours of the mark, which says nothing. */
const markColours = { light: ['#14665a', '#b4532f'], dark: ['#85d4c1', '#e59169'] } as const;

/** The fonts of the console, as far as a device has them: the page loads no file. */
export const text_font = 'Figtree,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif';
export const display_font = 'Marcellus,"Palatino Linotype",Palatino,Georgia,serif';

/** The colours of a palette as properties of a style sheet. */
export const formatVariables = (palette: Readonly<Record<string, string>>) =>
  Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

const style = `
:root{color-scheme:light dark;${formatVariables(colours.light)}}
@media (prefers-color-scheme:dark){:root{${formatVariables(colours.dark)}}}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.55 ${text_font}}
.brand{display:flex;align-items:center;gap:.6rem;margin:0 0 1.75rem;font:1.35rem/1 ${display_font}}
.brand svg{width:1.75rem;height:1.75rem}
.brand .left{fill:${markColours.light[0]}}.brand .right{fill:${markColours.light[1]}}
@media (prefers-color-scheme:dark){.brand .left{fill:${markColours.dark[0]}}.brand .right{fill:${markColours.dark[1]}}}
main,footer{max-width:44rem;margin:0 auto;padding:1.5rem 1.25rem}
.service{margin:0;color:var(--quiet)}
h1{font:400 clamp(1.9rem,5vw,2.6rem)/1.15 ${display_font};letter-spacing:-.012em;margin:.25rem 0 1rem;display:flex;gap:.75rem;align-items:center}
h1 .mark{flex:none;font-size:.8em;border:.12em solid;border-radius:50%;font-family:${text_font};width:1.5em;height:1.5em;line-height:1.4em;text-align:center}
.good h1{color:var(--good)}.caution h1{color:var(--caution)}.bad h1{color:var(--bad)}
h2{font:400 1.5rem/1.25 ${display_font};margin:2.25rem 0 .6rem}
dl{margin:0}
dl div{display:grid;grid-template-columns:minmax(9rem,1fr) 2fr;gap:.25rem 1rem;padding:.5rem 0;border-top:1px solid color-mix(in srgb,var(--ink) 20%,transparent)}
dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere;white-space:pre-line}
figure{margin:1rem 0;display:flex;flex-wrap:wrap;gap:1rem;align-items:center}
figcaption{flex:1 1 16rem;overflow-wrap:anywhere}
svg{width:11rem;height:11rem}
a{color:var(--link)}a:focus-visible{outline:3px solid;outline-offset:3px}
footer{color:var(--quiet);font-size:.95rem}
@media (max-width:32rem){dl div{grid-template-columns:1fr}}
@media print{:root{${formatVariables({ ...colours.light, paper: '#ffffff' })}}body{font-size:10pt}main,footer{max-width:none;padding:0}h2{margin:1.25rem 0 .25rem}dl div{padding:.25rem 0}svg{width:8rem;height:8rem}.screen{display:none}section{break-inside:avoid}a{color:inherit;text-decoration:none}}
`;

/** The mark and the name of the service. */
const brand = `<p class="brand"><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path class="left" d="${markHalves.left}"/><path class="right" d="${markHalves.right}"/></svg>Tessera</p>`;

/** The content security policy of the page: no scripts, no images, no external resources; only this style sheet, by its hash. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The data around a verdict on the page. */
export type PageContext = {
  readonly publicUrl: string;
  /** The URL of the page; undefined for an unknown credential, so that a useless URL is not passed on. */
  readonly address: string | undefined;
  readonly checked_at: Date;
  readonly card: ShareCard;
};

/** The signs of the tones. */
export const marks = { good: '✓', caution: '!', bad: '✕' } as const;

/** Renders the verify page. All text that is not part of this program is escaped. */
export function renderVerifyHtml(verdict: Verdict, context: PageContext): string {
  const { tone, headline, explanation, facts, checks } = verdict;
  const sections = [
    facts && renderSection(facts.heading, renderRows(facts.rows)),
    checks.length > 0 && renderSection('What was checked', renderRows(checks)),
    context.address !== undefined && renderSection('Check it again', renderCheckAgain(context.address)),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeText(headline)} · Tessera</title>
${renderCard(context)}
<style>${style}</style>
</head>
<body>
<main class="${tone}">
${brand}
<p class="service">Credential check by Tessera at ${escapeText(new URL(context.publicUrl).host)}</p>
<h1><span class="mark" aria-hidden="true">${marks[tone]}</span>${escapeText(headline)}</h1>
${explanation.map((sentence) => `<p>${escapeText(sentence)}</p>`).join('\n')}
${sections.filter((each) => typeof each === 'string').join('\n')}
</main>
<footer>
<p>${escapeText(formatCheckTime(context))} A printed or saved copy shows the result at that time. Open this page again for the current result.</p>
</footer>
</body>
</html>
`;
}

/** What networks and messengers show beside a link to the page (https://ogp.me). */
function renderCard({ card, address }: PageContext): string {
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
  const row = ({ label, value }: Fact) =>
    `<div><dt>${escapeText(label)}</dt><dd><bdi>${escapeText(value)}</bdi></dd></div>`;
  return `<dl>\n${rows.map(row).join('\n')}\n</dl>`;
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
