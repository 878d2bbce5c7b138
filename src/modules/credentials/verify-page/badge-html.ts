import { createHash } from 'node:crypto';
import { colours, display_font, formatVariables, marks, text_font } from './page-style.ts';
import { escapeText, renderHead } from './verify-html.ts';
import type { Verdict } from './verdict.ts';

const style = `
:root{color-scheme:light dark;${formatVariables(colours.light)}}
@media (prefers-color-scheme:dark){:root{${formatVariables(colours.dark)}}}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.4 ${text_font}}
a{display:grid;justify-items:center;gap:.35rem;padding:1rem;color:inherit;text-decoration:none;text-align:center}
a:focus-visible{outline:3px solid var(--link);outline-offset:-6px}
a:hover .check{text-decoration:underline}
img{width:min(60vw,11rem);height:auto;aspect-ratio:1}
h1{margin:.25rem 0 0;font:400 1.25rem/1.25 ${display_font};overflow-wrap:anywhere}
p{margin:0}
.state{font-weight:600}
.good .state{color:var(--good)}.caution .state{color:var(--caution)}.bad .state{color:var(--bad)}.open .state{color:var(--open)}
.quiet{color:var(--quiet);font-size:.9rem;overflow-wrap:anywhere}
.check{color:var(--link);font-size:.9rem}
`;

/** The content security policy of the badge: any site may frame it, and it can do nothing but show its own pictures and this style sheet. */
export function buildBadgePolicy(publicUrl: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; img-src ${publicUrl}; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors *`;
}

/** What the badge shows. Without an achievement, only whether the credential is good. */
export type BadgeContent = {
  readonly verdict: Pick<Verdict, 'tone' | 'headline'>;
  readonly achievement:
    | { readonly title: string; readonly voucher: string; readonly image: string }
    | undefined;
  /** The verify page, which a click opens in a window of its own. Undefined for an unknown credential. */
  readonly address: string | undefined;
};

/** Renders the badge that other sites frame. */
export function renderBadgeHtml({ verdict, achievement, address }: BadgeContent): string {
  const { tone, headline } = verdict;
  const shown = achievement
    ? `<img src="${escapeText(achievement.image)}" alt="" width="176" height="176">
<h1><bdi>${escapeText(achievement.title)}</bdi></h1>
<p class="quiet"><bdi>${escapeText(achievement.voucher)}</bdi></p>`
    : '';
  const content = `${shown}
<p class="state"><span aria-hidden="true">${marks[tone]}</span> ${escapeText(headline)}</p>`;
  return `${renderHead(headline, style)}
<body class="${tone}">
<main>${wrapInLink(content, address)}</main>
</body>
</html>
`;
}

function wrapInLink(content: string, address: string | undefined): string {
  if (address === undefined) return `<a>${content}</a>`;
  return `<a href="${escapeText(address)}" target="_blank" rel="noopener">
${content}
<p class="check">Check it at ${escapeText(new URL(address).host)}</p>
</a>`;
}
