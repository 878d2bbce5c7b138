import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { parseCookies } from '#platform/http/cookies.ts';
import { readForm, readFormWithFiles } from '#platform/http/form.ts';
import { writeContent } from '#platform/http/write-content.ts';
import type { Platform } from '#platform/platform.ts';
import { readConsoleCookies } from './console-cookies.ts';
import type { PageReply } from './page-reply.ts';
import type { PageRow } from './page.ts';
import type { PagesOptions } from './pages-options.ts';
import { createPageRunner } from './run-page.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** For a page: how long the session lives from now, if this request has extended it. */
    extended_s: number | undefined;
  }
}

export function addPages(server: FastifyInstance, platform: Platform, options: PagesOptions): void {
  const runner = createPageRunner(platform, options);
  const send = (reply: FastifyReply, pageReply: PageReply) => writeContent(platform.log, reply, pageReply);
  const addPage = (scope: FastifyInstance, row: PageRow) => {
    const route = buildRoute(platform, options, row);
    scope.route({
      ...route,
      method: 'GET',
      handler: async (request, reply) => {
        const canonical = findCanonicalAddress(platform, request);
        if (canonical === undefined) return send(reply, await runner.show(row, request));
        return send(reply, { status: 302, headers: { location: canonical }, content: '' });
      },
    });
    if (!row.page.actions) return;
    const receive = async (request: FastifyRequest, reply: FastifyReply) =>
      send(reply, await runner.receive(row, request));
    scope.route({ ...route, method: 'POST', handler: receive });
  };
  server.decorateRequest('extended_s');
  void server.register(async (scope) => {
    readForms(scope);
    for (const row of options.pages) addPage(scope, row);
  });
}

/** The longest form decides on up to 100 people of a shortlist. */
const fields_max = 110;

/** Pages accept nothing but forms, which may have a file. */
function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (_request, bytes, done) => {
      const read = readForm(bytes as Buffer, fields_max);
      return read instanceof Refusal ? done(read, undefined) : done(null, read);
    },
  );
  scope.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      const read = await readFormWithFiles(bytes, request.headers['content-type'] ?? '', fields_max);
      if (read instanceof Refusal) throw read;
      return read;
    },
  );
}

function buildRoute(platform: Platform, options: PagesOptions, { path, limit }: PageRow) {
  return {
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    config: {
      limited: true as const,
      identify: (request: FastifyRequest) => identifyBrowser(platform, options, request),
      ...(limit && { limit }),
    },
  };
}

/** Identifies the caller of a page by the session in the cookie. */
async function identifyBrowser(
  platform: Platform,
  { authenticate }: PagesOptions,
  request: FastifyRequest,
): Promise<LoggedInCaller | undefined> {
  const { session } = readConsoleCookies(platform.config, parseCookies(request.headers.cookie));
  const found = session === undefined ? undefined : await authenticate(platform, session);
  request.extended_s = found?.extended_s;
  return found?.caller;
}

/** The same address at the service's own name, for a visitor who typed the loopback address: forms are accepted only there. */
function findCanonicalAddress({ config }: Platform, { host, url }: FastifyRequest): string | undefined {
  const isLoopback = /^(?:127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host);
  return isLoopback && new URL(config.publicUrl).hostname === 'localhost'
    ? `${config.publicUrl}${url}`
    : undefined;
}
