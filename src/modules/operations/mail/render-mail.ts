import { html as renderTemplate, raw } from 'hono/html';
import { toPlainName } from '#lib/text/plain-name.ts';
import type { Mail } from '#platform/mail.ts';

export type MailPart =
  /** A paragraph. */
  | string
  /** A link to a page. The first one, and those that say so, are buttons. */
  | { readonly link: string; readonly label: string; readonly look?: 'button' }
  /** Words that a user chose, such as the name of an organisation, in one line. */
  | { readonly words: string; readonly characters_max?: number };

/** What an email says. */
export type MailContent = {
  readonly subject: string;
  /** The name of the recipient; undefined for a stranger. */
  readonly name: string | undefined;
  readonly parts: readonly MailPart[];
  /** The address of this service. */
  readonly publicUrl: string;
};

/**
 * Composes an email: the same words and links as text and as HTML, in the look of the console. All text is escaped, and names cannot become
 * links.
 */
export function renderMail(content: MailContent): Required<Pick<Mail, 'subject' | 'text' | 'html'>> {
  return { subject: content.subject, text: renderText(content), html: renderHtml(content) };
}

function formatGreeting(name: string | undefined): string {
  const plain = name === undefined ? '' : toPlainName(name);
  return plain === '' ? 'Hello,' : `Hello ${plain},`;
}

function renderText({ name, parts, publicUrl }: MailContent): string {
  const lines = parts.map((part) => {
    if (typeof part === 'string') return part;
    if ('link' in part) return `${part.label}:\n${part.link}`;
    return `    ${toPlainName(part.words, part.characters_max)}`;
  });
  return `${[formatGreeting(name), ...lines].join('\n\n')}\n\n-- \n${describeService(publicUrl)}\n${publicUrl}\n`;
}

function describeService(publicUrl: string): string {
  return `Tessera at ${new URL(publicUrl).host}`;
}

/** The colours of the console (src/web/assets/styles/tokens.css), in light and dark. */
const colours = {
  paper: ['#faf7f1', '#161410'],
  surface: ['#fffdf9', '#1f1c17'],
  ink: ['#1f1b16', '#f1ebdf'],
  quiet: ['#62594c', '#b9ae9d'],
  line: ['#e3dccd', '#3a352c'],
  accent: ['#14665a', '#85d4c1'],
  onAccent: ['#ffffff', '#08251f'],
  clay: ['#b4532f', '#e59169'],
} as const;

/** Fonts that devices have: mail programs load none. */
const text_font = "Figtree,system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const display_font = "Marcellus,'Palatino Linotype',Palatino,'Book Antiqua',Georgia,serif";

/** Mail programs that know dark mode read this; the others have the inline styles. */
const dark_style = `@media (prefers-color-scheme:dark){${(
  [
    ['.paper', 'background', 'paper'],
    ['.card', 'background', 'surface'],
    ['.card', 'border-color', 'line'],
    ['.ink', 'color', 'ink'],
    ['.quiet', 'color', 'quiet'],
    ['.words', 'border-color', 'clay'],
    ['.main', 'background', 'accent'],
    ['.main', 'color', 'onAccent'],
    ['.other', 'color', 'accent'],
    ['.half-left', 'background', 'accent'],
    ['.half-right', 'background', 'clay'],
  ] as const
)
  .map(([selector, property, colour]) => `${selector}{${property}:${colours[colour][1]}!important}`)
  .join('')}}`;

type Markup = ReturnType<typeof render>;

/** A template of this file contains no promise. */
function render(strings: TemplateStringsArray, ...values: readonly unknown[]) {
  const rendered = renderTemplate(strings, ...values);
  if (rendered instanceof Promise) throw new TypeError('an email contains a promise');
  return rendered;
}

/** Tables, because several mail programs lay out nothing else. */
function renderHtml({ subject, name, parts, publicUrl }: MailContent): string {
  const main = parts.findIndex((part) => typeof part !== 'string' && 'link' in part);
  const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
  return render`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${raw(dark_style)}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${colours.paper[0]}">
<table ${raw(table)} width="100%" class="paper" style="background:${colours.paper[0]}"><tr><td align="center" style="padding:32px 16px">
<table ${raw(table)} width="100%" style="max-width:560px">
<tr><td style="padding:0 4px 20px">${renderBrand(table)}</td></tr>
<tr><td class="card ink" style="padding:32px 28px;background:${colours.surface[0]};border:1px solid ${colours.line[0]};border-radius:12px;color:${colours.ink[0]};font:17px/1.55 ${raw(text_font)};overflow-wrap:anywhere">
<h1 class="ink" style="margin:0 0 20px;color:${colours.ink[0]};font:400 28px/1.2 ${raw(display_font)}">${subject}</h1>
<p style="margin:0 0 16px">${formatGreeting(name)}</p>
${parts.map((part, index) => renderPart(part, index === main))}
</td></tr>
<tr><td class="quiet" style="padding:20px 4px 0;color:${colours.quiet[0]};font:14px/1.5 ${raw(text_font)}">${describeService(publicUrl)}<br><a class="quiet" href="${publicUrl}" style="color:${colours.quiet[0]}">${publicUrl}</a></td></tr>
</table>
</td></tr></table>
</body>
</html>
`.toString();
}

/** The two halves of the token and the name, without an image, which many mail programs would not load. */
function renderBrand(table: string): Markup {
  const half = 'width:9px;height:20px;font-size:0;line-height:0';
  return render`<table ${raw(table)}><tr>
<td class="half-left" style="${half};background:${colours.accent[0]};border-radius:5px 1px 3px 5px">&nbsp;</td>
<td style="width:2px;font-size:0;line-height:0">&nbsp;</td>
<td class="half-right" style="${half};background:${colours.clay[0]};border-radius:3px 5px 5px 1px">&nbsp;</td>
<td class="ink" style="padding-left:10px;color:${colours.ink[0]};font:400 21px/1 ${raw(display_font)}">Tessera</td>
</tr></table>`;
}

function renderPart(part: MailPart, is_main: boolean): Markup {
  if (typeof part === 'string') return render`<p style="margin:0 0 16px">${part}</p>\n`;
  if ('words' in part)
    return render`<p class="words" style="margin:0 0 16px;padding:2px 0 2px 14px;border-left:3px solid ${colours.clay[0]};font-weight:600">${toPlainName(part.words, part.characters_max)}</p>\n`;
  if (is_main || part.look === 'button')
    return render`<p style="margin:24px 0"><a class="main" href="${part.link}" style="display:inline-block;padding:13px 24px;border-radius:9px;background:${colours.accent[0]};color:${colours.onAccent[0]};font-weight:600;text-decoration:none">${part.label}</a></p>\n`;
  return render`<p style="margin:0 0 12px"><a class="other" href="${part.link}" style="color:${colours.accent[0]}">${part.label}</a></p>\n`;
}
