import type { FastifyRequest } from 'fastify';
import type { Refusal } from '#lib/refusal.ts';
import { html } from './serving/html.ts';
import { showView, type View, type Visit } from './serving/page.ts';
import { renderFrame, type FramedVisit } from './parts/frame.ts';

/** Renders a refusal as a page that says what happened and what to do next. */
export function renderProblemPage(
  { caller, id, url, replyHeaders }: Pick<FastifyRequest, 'caller' | 'id' | 'url' | 'replyHeaders'>,
  refusal: Refusal,
  described: Pick<Visit, 'texts' | 'format' | 'look' | 'publicUrl' | 'documents' | 'retention'>,
): string {
  const visit = {
    ...described,
    canonical: undefined,
    caller,
    address: url,
    query: {},
    form: { token: '', values: {}, errors: {} },
  };
  const wait_s = Number(refusal.extras.headers?.['retry-after'] ?? replyHeaders['retry-after'] ?? 0);
  return renderFrame(visit, showProblem(visit, refusal, { request_id: id, wait_s }));
}

function showProblem(
  { caller, texts, address }: FramedVisit,
  refusal: Refusal,
  { request_id, wait_s }: { readonly request_id: string; readonly wait_s: number },
): View {
  const { problems } = texts;
  // That of an identity provider is for the login to try again.
  const isTemporary = [429, 500, 503].includes(refusal.status) && refusal.code !== 'sso_provider_unavailable';
  // The login of an organisation is in the API, and cannot be tried again at its own address.
  const isLogin = address.startsWith('/api/');
  const { title, advice } =
    isLogin && !isTemporary ? describeLoginRefusal(texts, refusal) : selectWords(texts, refusal.status);
  const home = caller.role === 'anonymous' ? '/' : '/app';
  const content = html`<div class="narrow">
    <p class="status" aria-hidden="true">${refusal.status}</p>
    <h1>${title}</h1>
    <p class="lead">${advice}</p>
    ${refusal.status === 500 && html`<p><code>${request_id}</code></p>`}
    ${wait_s > 0 && html`<p>${problems.wait(wait_s)}</p>`}
    <p class="buttons">
      ${isLogin && html`<a class="button" href="/sign-in">${problems.logInAgain}</a>`}
      ${isTemporary && !isLogin && html`<a class="button" href="${address}">${problems.again}</a>`}
      <a class="button ${(isTemporary || isLogin) && 'quiet'}" href="${home}">${problems.home}</a>
    </p>
  </div>`;
  return showView({ title, layout: caller.role === 'anonymous' ? 'open' : 'app', content });
}

function describeLoginRefusal({ problems, refusals }: Visit['texts'], { code }: Refusal) {
  const known: Readonly<Record<string, string>> = refusals;
  return { title: problems.organisationLogin, advice: known[code] ?? problems.refused.advice };
}

function selectWords({ problems }: Visit['texts'], status: number) {
  if (status === 404 || status === 410) return problems.notFound;
  if (status === 401 || status === 403) return problems.forbidden;
  if (status === 413) return problems.tooLarge;
  if (status === 429) return problems.limited;
  if (status === 503) return problems.unavailable;
  return status === 500 ? problems.failed : problems.refused;
}
