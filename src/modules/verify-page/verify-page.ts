import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refusal } from '#lib/refusal.ts';
import { verifyStored } from '#modules/credentials';
import type { Platform } from '#platform/platform.ts';
import { unknownVerdict, buildVerdict, type Verdict } from './verdict.ts';
import { pagePolicy, renderVerifyHtml, type PageContext } from './verify-html.ts';

/**
 * Adds the page where anybody checks a credential by its number, `/verify/{credential_id}`, and the same as PDF under `/pdf`: no script, no
 * cookie, nothing from elsewhere. It shows what `GET /credentials/{credential_id}/verify` shows, in plain words.
 */
export function addVerifyPage(server: FastifyInstance, platform: Platform): void {
  const config = { limited: true } as const;
  type VerifyRequest = { Params: { credential_id: string } };
  server.get<VerifyRequest>('/verify/:credential_id', { config }, async (request, reply) => {
    const { verdict, frame } = await preparePage(platform, request.params.credential_id);
    return sendPage(reply, verdict, frame);
  });
  server.get<VerifyRequest>('/verify/:credential_id/pdf', { config }, async (request, reply) => {
    const { verdict, frame, id } = await preparePage(platform, request.params.credential_id);
    if (id === undefined) return sendPage(reply, verdict, frame);
    // The writer of PDF is loaded when the first one asks: few do, and a start need not wait for it.
    const { renderVerifyPdf } = await import('./verify-pdf.ts');
    return reply
      .headers({
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="credential-${id}.pdf"`,
      })
      .send(await renderVerifyPdf(verdict, frame));
  });
}

function sendPage(reply: FastifyReply, verdict: Verdict, frame: PageContext): FastifyReply {
  return reply
    .code(frame.address === undefined ? 404 : 200)
    .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy })
    .send(renderVerifyHtml(verdict, frame));
}

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type PreparedPage = {
  readonly verdict: Verdict;
  readonly frame: PageContext;
  readonly id: string | undefined;
};

async function preparePage(platform: Platform, asked: string): Promise<PreparedPage> {
  const { publicUrl } = platform.config;
  const checked_at = platform.now();
  const id = asked.toLowerCase();
  const verdict = uuidText.test(id) ? await findVerdict(platform, id) : undefined;
  if (!verdict)
    return { verdict: unknownVerdict, frame: { publicUrl, address: undefined, checked_at }, id: undefined };
  return { verdict, frame: { publicUrl, address: `${publicUrl}/verify/${id}`, checked_at }, id };
}

async function findVerdict(platform: Platform, id: string): Promise<Verdict | undefined> {
  try {
    return buildVerdict(await verifyStored(platform, id));
  } catch (error) {
    if (error instanceof Refusal && error.code === 'credential_not_found') return undefined;
    throw error;
  }
}
