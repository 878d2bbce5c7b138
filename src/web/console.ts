import type { FastifyRequest } from 'fastify';
import { authenticateBrowser } from '#modules/auth';
import type { Refusal } from '#lib/refusal.ts';
import type { Platform } from '#platform/platform.ts';
import { renderFrame } from './parts/frame.ts';
import { renderProblemPage } from './problem.ts';
import { describeRefusal } from './serving/describe-refusal.ts';
import { createFormatter } from './serving/format.ts';
import type { Visit } from './serving/page.ts';
import type { PagesOptions } from './serving/pages-options.ts';
import { english } from './texts/english.ts';

/** How the console looks and speaks, and how it knows its visitors: what `addPages` needs besides the tables. */
export const consoleOptions: Omit<PagesOptions, 'pages' | 'apiRows'> = {
  authenticate: authenticateBrowser,
  describe: describeService,
  describeRefusal: ({ texts }, refusal) => describeRefusal(texts, refusal),
  renderView: renderFrame,
};

/** Renders a refusal as a page of the console. */
export function renderProblem(platform: Platform, request: FastifyRequest, refusal: Refusal): string {
  return renderProblemPage(request, refusal, describeService(platform));
}

const format = createFormatter(english.locale);

function describeService({ config }: Platform): Pick<Visit, 'texts' | 'format' | 'publicUrl'> {
  return { texts: english, format, publicUrl: config.publicUrl };
}
