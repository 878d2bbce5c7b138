import { insertIntoBody } from '#platform/insert-into-body.ts';
import type { FastifyInstance } from 'fastify';

const note =
  '<p class="message" role="note"><strong>Sandbox.</strong> The people, payments and time on this page are made up.</p>';

/** Puts a note at the top of every page that a sandbox serves, and `sandbox-` before the name of every file, whichever part of the service has made it. */
export function markReplies(server: FastifyInstance): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    const disposition = reply.getHeader('content-disposition');
    if (typeof disposition === 'string') reply.header('content-disposition', markFilename(disposition));
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html');
    if (!isPage || typeof payload !== 'string') return done(null, payload);
    done(null, insertIntoBody(payload, note));
  });
}

function markFilename(disposition: string): string {
  return disposition.replace('filename="', 'filename="sandbox-');
}
