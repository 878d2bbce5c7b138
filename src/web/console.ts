import type { FastifyRequest } from 'fastify';
import { computeOnce } from '#lib/cache-results.ts';
import { authenticateBrowser } from '#modules/access/accounts';
import type { Refusal } from '#lib/refusal.ts';
import { parseCookies } from '#platform/http/cookies.ts';
import type { Platform } from '#platform/platform.ts';
import { confirmPage } from './account/confirm.ts';
import { countWaiting } from './navigation/count-waiting.ts';
import { renderFrame } from './parts/frame.ts';
import { renderProblemPage } from './problem.ts';
import { describeRefusal } from './serving/describe-refusal.ts';
import { createFormatter } from './serving/format.ts';
import { locales, readLookCookie, selectLocale } from './serving/look.ts';
import type { Visit } from './serving/page.ts';
import type { PagesOptions } from './serving/pages-options.ts';
import { english } from './texts/english.ts';

/** How the console looks and speaks, and how it knows its visitors: what `addPages` needs besides the tables. */
export const consoleOptions: Omit<PagesOptions, 'pages' | 'apiRows'> = {
  authenticate: authenticateBrowser,
  describe: describeService,
  describeRefusal: ({ texts }, refusal) => describeRefusal(texts, refusal),
  confirmPage,
  renderView: async (visit, view) =>
    renderFrame(visit, view, view.layout === 'app' ? await countWaiting(visit) : {}),
};

export function renderProblem(platform: Platform, request: FastifyRequest, refusal: Refusal): string {
  return renderProblemPage(request, refusal, describeService(platform, request));
}

/** Formats of all conventions, each created when the first visitor needs it: it takes a millisecond. */
const formatters = new Map(locales.map((locale) => [locale, computeOnce(() => createFormatter(locale))]));

function describeService(
  { config }: Platform,
  { headers }: Pick<FastifyRequest, 'headers'>,
): Pick<Visit, 'texts' | 'format' | 'look' | 'publicUrl' | 'documents' | 'retention'> {
  const look = readLookCookie(parseCookies(headers.cookie));
  const format = formatters.get(selectLocale(look, headers['accept-language']))!();
  const { publicUrl, documents, retention_seconds, audit_days } = config;
  const retention = { erasure_seconds: retention_seconds, audit_days };
  return { texts: english, format, look, publicUrl, documents, retention };
}
