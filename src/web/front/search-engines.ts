import { computeOnce } from '#lib/cache-results.ts';
import type { OriginHandler } from '#platform/http/origin-routes.ts';
import type { PageRow } from '../serving/page.ts';

/** What search engines have no use for: data, forms of protocols, and pages behind a login. */
const closed = ['/api/', '/app', '/demo/', '/mcp', '/oauth/', '/openid4vci/'] as const;

/** Builds the handler of `robots.txt` (RFC 9309). Cards of shared credentials stay readable: their pages say themselves that no search engine lists them. */
export const serveRobots: OriginHandler = ({ config }) => ({
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  content: [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${config.publicUrl}/sitemap.xml`,
    '',
  ].join('\n'),
});

/** Builds the handler of `sitemap.xml` (sitemaps.org 0.9): the pages that search engines may list. */
export function buildSitemapHandler(rows: readonly PageRow[]): OriginHandler {
  const listPaths = computeOnce(() => rows.flatMap(({ path, listed }) => (listed ? [path] : [])));
  return ({ config }) => ({
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
    content: [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...listPaths().map((path) => `<url><loc>${config.publicUrl}${path}</loc></url>`),
      '</urlset>',
      '',
    ].join('\n'),
  });
}
