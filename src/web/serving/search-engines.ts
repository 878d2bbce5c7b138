import type { OriginHandler } from '#platform/http/origin-routes.ts';

/**
 * The pages that search engines may list and whose shared links have a card: they explain the service, are the same for everybody, and have no
 * parameter. All others say themselves that they are not listed.
 */
export const listedPages: readonly string[] = [
  '/',
  '/how-it-works',
  '/for-employers',
  '/prices',
  '/transparency',
  '/model-card',
  '/technical-report',
  '/fairness',
  '/about',
  '/terms',
  '/privacy',
];

/**
 * What search engines have no use for: data, forms of protocols, and pages behind a login. Pages of shared credentials stay readable for the cards of
 * other services, and say themselves that they are not listed.
 */
const closed = ['/api/', '/app', '/demo/', '/mcp', '/oauth/', '/openid4vci/'] as const;

const cache_control = 'public, max-age=3600';

/** Serves `robots.txt` (RFC 9309). */
export const serveRobots: OriginHandler = ({ config }) => ({
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': cache_control },
  content: [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${config.publicUrl}/sitemap.xml`,
    '',
  ].join('\n'),
});

/** Serves `sitemap.xml` (sitemaps.org 0.9). */
export const serveSitemap: OriginHandler = ({ config }) => ({
  headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': cache_control },
  content: [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...listedPages.map((path) => `<url><loc>${config.publicUrl}${path}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n'),
});
