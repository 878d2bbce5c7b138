import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refusal } from '#lib/refusal.ts';
import { verifyStored } from '#modules/credentials';
import type { Platform } from '#platform/platform.ts';
import { unknownVerdict, verdictOn, type Verdict } from './verdict.ts';
import { pagePolicy, verifyHtml, type Frame } from './verify-html.ts';

/**
 * Adds the page where anybody checks a credential by its number, `/verify/{credential_id}`, and the same as PDF under `/pdf`: no script, no
 * cookie, nothing from elsewhere. It shows what `GET /credentials/{credential_id}/verify` shows, in plain words.
 */
export function addVerifyPage(door: FastifyInstance, platform: Platform): void {
  const config = { limited: true } as const;
  type Asked = { Params: { credential_id: string } };
  door.get<Asked>('/verify/:credential_id', { config }, async (request, reply) => {
    const { verdict, frame } = await checked(platform, request.params.credential_id);
    return sendPage(reply, verdict, frame);
  });
  door.get<Asked>('/verify/:credential_id/pdf', { config }, async (request, reply) => {
    const { verdict, frame, id } = await checked(platform, request.params.credential_id);
    if (id === undefined) return sendPage(reply, verdict, frame);
    // The writer of PDF is loaded when the first one asks: few do, and a start need not wait for it.
    const { verifyPdf } = await import('./verify-pdf.ts');
    return reply
      .headers({
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="credential-${id}.pdf"`,
      })
      .send(await verifyPdf(verdict, frame));
  });
}

function sendPage(reply: FastifyReply, verdict: Verdict, frame: Frame): FastifyReply {
  return reply
    .code(frame.address === undefined ? 404 : 200)
    .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy })
    .send(verifyHtml(verdict, frame));
}

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type Checked = { readonly verdict: Verdict; readonly frame: Frame; readonly id: string | undefined };

async function checked(platform: Platform, asked: string): Promise<Checked> {
  const { publicUrl } = platform.config;
  const checked_at = platform.now();
  const id = asked.toLowerCase();
  const verdict = uuidText.test(id) ? await verdictOf(platform, id) : undefined;
  if (!verdict)
    return { verdict: unknownVerdict, frame: { publicUrl, address: undefined, checked_at }, id: undefined };
  return { verdict, frame: { publicUrl, address: `${publicUrl}/verify/${id}`, checked_at }, id };
}

async function verdictOf(platform: Platform, id: string): Promise<Verdict | undefined> {
  try {
    return verdictOn(await verifyStored(platform, id));
  } catch (error) {
    if (error instanceof Refusal && error.code === 'credential_not_found') return undefined;
    throw error;
  }
}
