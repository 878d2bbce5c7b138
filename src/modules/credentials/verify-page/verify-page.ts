import { Refusal } from '#lib/refusal.ts';
import { verifyStored } from '#modules/credentials/credentials';
import type { OriginHandler, OriginReply } from '#platform/http/origin-routes.ts';
import { locateRenderer } from '@tessera/pdf/render-pdf';
import { renderPdf } from '#platform/pdf/render-pdf.ts';
import type { Platform } from '#platform/platform.ts';
import { buildBadgePolicy, renderBadgeHtml } from './badge-html.ts';
import { pagePolicy } from './page-style.ts';
import { buildShareCard, findShownAchievement } from './share-card.ts';
import { unknownVerdict, buildVerdict, type CredentialVerification, type Verdict } from './verdict.ts';
import { renderVerifyHtml, type PageContext } from './verify-html.ts';
import type { renderVerifyPdf as Render } from './verify-pdf.ts';

/**
 * The page where anyone checks a credential by its id: no script, no cookie, no request to another site. It shows what
 * `GET /credentials/{credential_id}/verify` shows, in plain words.
 */
export const serveVerifyPage: OriginHandler = async (platform, { params }) => {
  const { verdict, frame } = await preparePage(platform, params['credential_id'] ?? '');
  return buildPageReply(verdict, frame);
};

/** The same page as a PDF. */
export const serveVerifyPdf: OriginHandler = async (platform, { params }) => {
  const { verdict, frame, id } = await preparePage(platform, params['credential_id'] ?? '');
  if (id === undefined) return buildPageReply(verdict, frame);
  const headers = {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="credential-${id}.pdf"`,
  };
  return { headers, content: await renderPdf(platform, renderVerifyPdf, verdict, frame) };
};

const renderVerifyPdf = locateRenderer<typeof Render>(
  new URL('./verify-pdf.ts', import.meta.url),
  'renderVerifyPdf',
);

/** The badge that other sites frame: what the page says in a few words, with a link to the page. */
export const serveVerifyBadge: OriginHandler = async (platform, { params }) => {
  const { verdict, frame, verified } = await preparePage(platform, params['credential_id'] ?? '');
  const { publicUrl } = platform.config;
  const content = renderBadgeHtml({
    verdict,
    achievement: findShownAchievement(publicUrl, verdict, verified),
    address: frame.address,
  });
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': buildBadgePolicy(publicUrl),
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': `public, max-age=${badge_s}`,
  };
  return { status: frame.address === undefined ? 404 : 200, headers, content };
};

/** A revocation reaches a badge on another site within this time, in seconds. */
const badge_s = 60;

function buildPageReply(verdict: Verdict, frame: PageContext): OriginReply {
  return {
    status: frame.address === undefined ? 404 : 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy },
    content: renderVerifyHtml(verdict, frame),
  };
}

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type PreparedPage = {
  readonly verdict: Verdict;
  readonly frame: PageContext;
  readonly id: string | undefined;
  readonly verified: CredentialVerification | undefined;
};

async function preparePage(platform: Platform, asked: string): Promise<PreparedPage> {
  const { publicUrl } = platform.config;
  const checked_at = platform.now();
  const id = asked.toLowerCase();
  const verified = uuidText.test(id) ? await findVerification(platform, id) : undefined;
  const verdict = verified ? buildVerdict(verified) : unknownVerdict;
  const address = verified && `${publicUrl}/verify/${id}`;
  const card = buildShareCard(publicUrl, verdict, verified);
  const frame = { publicUrl, address, checked_at, card };
  return { verdict, frame, id: verified && id, verified };
}

async function findVerification(platform: Platform, id: string): Promise<CredentialVerification | undefined> {
  try {
    return await verifyStored(platform, id);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'credential_not_found') return undefined;
    throw error;
  }
}
