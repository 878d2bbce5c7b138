import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { computeOnce } from '#lib/cache-results.ts';

/** The colours of the page in light and dark mode; prints use the light ones. Each has a contrast of at least 7 to 1 on `paper` (WCAG 2.2 AAA). */
export const colours = {
  light: {
    paper: '#faf7f1',
    ink: '#1f1b16',
    quiet: '#524a3f',
    good: '#0e5047',
    caution: '#6b4500',
    bad: '#8c1010',
    open: '#35455c',
    link: '#0e5047',
  },
  dark: {
    paper: '#161410',
    ink: '#f1ebdf',
    quiet: '#b9ae9d',
    good: '#85d4c1',
    caution: '#f2c14e',
    bad: '#ffb3a4',
    open: '#b9cbe6',
    link: '#85d4c1',
  },
} as const;

/** The colours of the mark, which says nothing. */
const markColours = { light: ['#14665a', '#b4532f'], dark: ['#85d4c1', '#e59169'] } as const;

/** The fonts of the console, from this service alone. */
export const text_font = 'Figtree,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif';
export const display_font = 'Marcellus,"Palatino Linotype",Palatino,Georgia,serif';

/** The colours of a palette as properties of a style sheet. */
export const formatVariables = (palette: Readonly<Record<string, string>>) =>
  Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/** The signs of the tones, where a shape is too large. */
export const marks = { good: '✓', caution: '!', bad: '✕', open: '?' } as const;

export const style = `
@font-face{font-family:Marcellus;src:url('/assets/marcellus.woff2') format('woff2');font-display:swap}
@font-face{font-family:Figtree;src:url('/assets/figtree.woff2') format('woff2');font-weight:300 900;font-display:swap}
:root{color-scheme:light dark;${formatVariables(colours.light)}}
@media (prefers-color-scheme:dark){:root{${formatVariables(colours.dark)}}}
body>[role=note]{margin:0;padding:.75rem 1.25rem;border-bottom:1px solid currentColor}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.55 ${text_font}}
.brand{display:flex;align-items:center;gap:.6rem;margin:0 0 1.75rem;font:1.35rem/1 ${display_font}}
.brand svg{width:1.75rem;height:1.75rem}
.brand .left{fill:${markColours.light[0]}}.brand .right{fill:${markColours.light[1]}}
@media (prefers-color-scheme:dark){.brand .left{fill:${markColours.dark[0]}}.brand .right{fill:${markColours.dark[1]}}}
main,footer{max-width:44rem;margin:0 auto;padding:1.5rem 1.25rem}
.service{margin:0 0 .75rem;color:var(--quiet)}
.good{--tone:var(--good)}.caution{--tone:var(--caution)}.bad{--tone:var(--bad)}.open{--tone:var(--open)}
.verdict{display:flex;gap:1.25rem;align-items:center;margin:0 0 1.5rem;padding:1.25rem 1.4rem;border:2px solid var(--tone);border-radius:.6rem;color:var(--tone);background:color-mix(in srgb,var(--tone) 5%,var(--paper))}
.verdict .shape{flex:none;width:4.5rem;height:4.5rem;fill:none;stroke:currentColor;stroke-width:3;stroke-linecap:round;stroke-linejoin:round}
h1{font:400 clamp(1.6rem,4.5vw,2.2rem)/1.18 ${display_font};letter-spacing:-.01em;margin:0;overflow-wrap:anywhere}
.title{margin:0 0 1rem}
h2{font:400 1.5rem/1.25 ${display_font};margin:2.25rem 0 .6rem}
dl{margin:0}
dl div{display:grid;grid-template-columns:minmax(9rem,1fr) 2fr;gap:.25rem 1rem;padding:.5rem 0;border-top:1px solid color-mix(in srgb,var(--ink) 20%,transparent)}
dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere;white-space:pre-line}
details{margin:2rem 0;border-top:1px solid color-mix(in srgb,var(--ink) 20%,transparent);border-bottom:1px solid color-mix(in srgb,var(--ink) 20%,transparent)}
details[open]{padding-bottom:1rem}
summary{cursor:pointer;padding:.8rem 0;font:400 1.25rem/1.25 ${display_font}}
details h2{font:600 1.0625rem/1.3 ${text_font};margin:1.25rem 0 .3rem}
li{margin:.3rem 0}
label,.label{display:block;font-weight:600;margin:1.25rem 0 .3rem}
textarea{box-sizing:border-box;width:100%;min-height:8rem;padding:.7rem;font:.875rem/1.4 ui-monospace,Menlo,monospace;color:inherit;background:transparent;border:1px solid var(--quiet);border-radius:.4rem}
button,.button{font:600 1rem/1.2 ${text_font};min-height:2.75rem;padding:.5rem 1.2rem;border-radius:.4rem;border:2px solid var(--link);background:var(--link);color:var(--paper);cursor:pointer}
button.plain{background:transparent;color:var(--link)}
.ways{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;margin:1rem 0}
.drop{border:2px dashed var(--quiet);border-radius:.6rem;padding:0 1.25rem 1.25rem}.drop.over{border-color:var(--link);background:color-mix(in srgb,var(--link) 8%,var(--paper))}
video{width:100%;max-height:60vh;border-radius:.6rem;background:#000}
.fault{color:var(--bad);font-weight:600}
[hidden]{display:none!important}
textarea:focus-visible,button:focus-visible,summary:focus-visible,input:focus-visible{outline:3px solid var(--link);outline-offset:3px}
figure{margin:1rem 0;display:flex;flex-wrap:wrap;gap:1rem;align-items:center}
figcaption{flex:1 1 16rem;overflow-wrap:anywhere}
figure svg{width:11rem;height:11rem}
a{color:var(--link)}a:focus-visible{outline:3px solid;outline-offset:3px}
footer{color:var(--quiet);font-size:.95rem}
@media (max-width:32rem){dl div{grid-template-columns:1fr}}
@media print{:root{${formatVariables({ ...colours.light, paper: '#ffffff' })}}body{font-size:10pt}main,footer{max-width:none;padding:0}h2{margin:1.25rem 0 .25rem}dl div{padding:.25rem 0}figure svg{width:8rem;height:8rem}.screen,form{display:none}section{break-inside:avoid}a{color:inherit;text-decoration:none}}
`;

/** The script of the page on which credentials are given: it reads files and the camera, and sends the form. Without it, a credential can be pasted. */
export const readScript = computeOnce(() =>
  readFileSync(path.join(import.meta.dirname, 'give-credential.js'), 'utf8'),
);

const formatHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What both pages may load: this style sheet, by its hash, and the fonts of the service. Nobody may frame them. */
const common = `default-src 'none'; style-src ${formatHash(style)}; font-src 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** The content security policy of the page of one credential, which has no script and no form. */
export const pagePolicy = `${common}; form-action 'none'`;

/** That of the page on which credentials are given: one script, by its hash, and one form. */
export const buildGivingPolicy = computeOnce(
  () => `${common}; script-src ${formatHash(readScript())}; form-action 'self'`,
);
