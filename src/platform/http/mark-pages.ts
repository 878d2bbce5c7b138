import { insertIntoBody } from '#platform/insert-into-body.ts';
import type { FastifyInstance } from 'fastify';

const note =
  '<p class="message" role="note"><strong>Sandbox.</strong> The people, payments and time on this page are made up.</p>';

/** Puts a note at the top of every page that a sandbox serves, whichever part of the service has rendered it. */
export function markPages(server: FastifyInstance): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html');
    if (!isPage || typeof payload !== 'string') return done(null, payload);
    done(null, insertIntoBody(payload, note));
  });
}
