import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { computeOnce } from '#lib/cache-results.ts';
import { Refusal } from '#lib/refusal.ts';
import type { OriginHandler } from '#platform/http/origin-routes.ts';

const folder = path.join(import.meta.dirname, '../assets');
const readPackaged = (file: string) => readFileSync(createRequire(import.meta.url).resolve(file));

/** The parts of the stylesheet of all pages, in order. */
const styleParts = [
  'tokens',
  'dark',
  'base',
  'frame',
  'forms',
  'parts',
  'pages',
  'traits',
  'mirror',
  'controls',
  'member',
  'organisation',
  'table',
  'webhooks',
  'culture',
  'operator',
  'agents',
  'forced',
  'print',
];

/** The files that pages load, by name. */
const sources = {
  'marcellus.woff2': () => readPackaged('@fontsource/marcellus/files/marcellus-latin-400-normal.woff2'),
  'figtree.woff2': () => readPackaged('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'),
  'share-card.png': () => readFileSync(path.join(folder, 'share-card.png')),
  'mark.svg': () => readFileSync(path.join(folder, 'mark.svg')),
  'console.js': () => readFileSync(path.join(folder, 'console.js')),
  'handle.js': () => readFileSync(path.join(folder, 'handle.js')),
  'job-form.js': () => readFileSync(path.join(folder, 'job-form.js')),
  'mirror.js': () => readFileSync(path.join(folder, 'mirror.js')),
  'passkeys.js': () => readFileSync(path.join(folder, 'passkeys.js')),
  'pay-by-wallet.js': () => readFileSync(path.join(folder, 'pay-by-wallet.js')),
  'console.css': () => Buffer.from(buildStylesheet()),
  'front.css': () => Buffer.from(shortenStyles(readStyles('front'))),
} as const;

type AssetName = keyof typeof sources;

const types: Readonly<Record<string, string>> = {
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** What is sent as it is, not as text. */
const binary: ReadonlySet<string> = new Set(['.woff2', '.png']);

type Asset = {
  readonly type: string;
  readonly content: string | Buffer;
  readonly version: string;
};

const loaded = new Map<AssetName, () => Asset>(
  (Object.keys(sources) as AssetName[]).map((name) => [name, computeOnce(() => loadAsset(name))]),
);

function loadAsset(name: AssetName): Asset {
  const content = sources[name]();
  const extension = path.extname(name);
  return {
    type: types[extension]!,
    content: binary.has(extension) ? content : content.toString(),
    version: createHash('sha256').update(content).digest('base64url').slice(0, 10),
  };
}

/** Joins the parts of the stylesheet, whose fonts have the addresses of their versions. */
function buildStylesheet(): string {
  const styles = styleParts.map((part) => (part === 'dark' ? buildDarkTheme() : readStyles(part)));
  return shortenStyles(styles.join('\n')).replace(
    /url\('(\w+\.woff2)'\)/g,
    (_, name: AssetName) => `url('${findAssetAddress(name)}')`,
  );
}

/** Removes comments and indentation. */
function shortenStyles(styles: string): string {
  const [first, ...others] = styles.split('/*');
  const code = [first!, ...others.map((text) => text.slice(text.indexOf('*/') + 2))].join('');
  return code
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
}

function readStyles(part: string): string {
  return readFileSync(path.join(folder, `styles/${part}.css`), 'utf8');
}

/**
 * The dark theme, for devices that ask for it unless the visitor has chosen the light one, and for visitors who have chosen it. `:where` keeps it
 * as weak as `:root`, so that prints can replace it.
 */
function buildDarkTheme(): string {
  const dark = readStyles('dark');
  const device = dark.replace(':root {', ":root:where(:not([data-theme='light'])) {");
  return `@media (prefers-color-scheme: dark) {${device}}${dark.replace(':root {', ":root:where([data-theme='dark']) {")}`;
}

/** The address of an asset. It changes with the content, so browsers may keep the file for good. */
export function findAssetAddress(name: AssetName): string {
  return `/assets/${name}?v=${loaded.get(name)!().version}`;
}

/** The fonts of every page, which browsers fetch with the stylesheet, so that no text moves when they arrive. */
export const listFonts = computeOnce(() =>
  (['figtree.woff2', 'marcellus.woff2'] as const).map(findAssetAddress),
);

/**
 * Serves a stylesheet, script, font or drawing of the pages. During an upgrade, a page of one version may ask a node of the other, whose file a browser
 * would otherwise keep for a year under the address of the first.
 */
export const serveAsset: OriginHandler = (_, { params, url }) => {
  const asset = loaded.get(params['asset'] as AssetName)?.();
  if (asset === undefined) throw new Refusal('route_not_found');
  const { type, content, version } = asset;
  const isOther = url.includes('?v=') && !url.endsWith(`?v=${version}`);
  const caching = isOther ? 'no-store' : 'public, max-age=31536000, immutable';
  return { headers: { 'content-type': type, 'cache-control': caching }, content };
};
