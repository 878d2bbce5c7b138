import type { FastifyRequest } from 'fastify';
import { Refusal } from '#lib/refusal.ts';
import { pageHeaders } from '#platform/http/headers.ts';
import { mayCall } from '#platform/operation.ts';
import type { Platform } from '#platform/platform.ts';
import { askWho, takeAnswer } from './ask-who.ts';
import { readNewSession } from './console-cookies.ts';
import { identifySending, isFormToken } from './form-token.ts';
import { createVisitOpener, type OpenedVisit } from './open-visit.ts';
import { formatLookCookie } from './look.ts';
import { kept_form_field, openForm, sealForm, type SentForm } from './kept-form.ts';
import { finishResult, type PageReply } from './page-reply.ts';
import { goTo, type FormState, type PageResult, type PageRow, type View, type Visit } from './page.ts';
import type { PagesOptions } from './pages-options.ts';
import { handleOnce } from './sent-forms.ts';

/** Where a visitor logs in, and where they confirm that they are still the same person. */
const log_in_path = '/sign-in';
const confirm_path = '/app/account/confirm';
/** Where a platform administrator enables MFA, or is led to confirm with it. */
const mfa_path = '/app/account/mfa';

type Fields = Readonly<Record<string, string>>;

/** The two ways to use a page. */
type PageRunner = {
  readonly show: (row: PageRow, request: FastifyRequest) => Promise<PageReply>;
  readonly receive: (row: PageRow, request: FastifyRequest) => Promise<PageReply>;
};

/** Creates what shows a page and receives its forms. */
export function createPageRunner(platform: Platform, options: PagesOptions): PageRunner {
  const openVisit = createVisitOpener(platform, options);
  const finish = (opened: OpenedVisit, result: PageResult) => finishPage(platform, options, opened, result);
  const isUsable = (reply: PageReply) => hasLiveSession(platform, options, reply);

  async function show(row: PageRow, request: FastifyRequest): Promise<PageReply> {
    const opened = openVisit(row, request);
    return finish(opened, await runForVisitor(row, opened.visit, () => row.page.show(opened.visit)));
  }

  async function receive(row: PageRow, request: FastifyRequest): Promise<PageReply> {
    requireOwnPage(platform, request);
    const opened = openVisit(row, request);
    const { action = 'send', token = '', ...fields } = (request.body ?? {}) as Fields;
    const sent = { action, fields };
    if (isFormToken(opened.secret, token)) {
      const sending = identifySending(token, { address: request.url, ...sent });
      const handle = () =>
        fields[kept_form_field] === undefined
          ? runAction(row, opened, sent, sending)
          : runKeptForm(row, request, sent, sending);
      return handleOnce(platform, { token, sending, handle, isUsable });
    }
    const message = opened.visit.texts.forms.expired;
    return showAgain(row, opened, { ...sent, errors: {}, message }, 403);
  }

  async function runAction(row: PageRow, opened: OpenedVisit, sent: SentForm, sending: string) {
    const { actions = {} } = row.page;
    const action = Object.hasOwn(actions, sent.action) && actions[sent.action];
    if (!action) throw new Refusal('request_malformed', { detail: 'The page has no form of this name.' });
    const visit = { ...opened.visit, call: opened.createCall(sending, sent.fields['seen'] || undefined) };
    try {
      const askFirst = () => askWho(options, visit, sealForm(platform, sent));
      const result = await runForVisitor(row, visit, () => action(visit, sent.fields), askFirst);
      return { reply: await finish(opened, result), succeeded: !isDetour(result) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      const described = options.describeRefusal(visit, error);
      // The page that is shown now is the version that the visitor has seen from now on.
      const seen = error.code === 'precondition_failed' ? { seen: '' } : {};
      const fields = { ...sent.fields, ...seen };
      const reply = await showAgain(row, opened, { ...sent, ...described, fields }, error.status);
      return {
        reply: { ...reply, headers: { ...reply.headers, ...error.extras.headers } },
        succeeded: false,
      };
    }
  }

  /** Takes the answer of a visitor who was asked who they are, and then the form that was kept. */
  async function runKeptForm(row: PageRow, request: FastifyRequest, sent: SentForm, sending: string) {
    const opened = openVisit(row, request);
    const { [kept_form_field]: kept = '', ...fields } = sent.fields;
    const form = openForm(platform, kept);
    const take = () => takeAnswer(options, opened.visit, kept, { action: sent.action, fields });
    const asked = await runForVisitor(row, opened.visit, take);
    if (asked) return { reply: await finish(opened, asked), succeeded: false };
    return runAction(row, openVisit(row, request, { authenticated_at: platform.now() }), form, sending);
  }

  /** Shows the page with the refused form filled in. */
  async function showAgain(
    row: PageRow,
    opened: OpenedVisit,
    { action, fields, ...reasons }: SentForm & Pick<FormState, 'errors' | 'message'>,
    status: number,
  ): Promise<PageReply> {
    const form = { ...opened.visit.form, action, values: fields, ...reasons };
    const again = { ...opened, visit: { ...opened.visit, form } };
    const result = await runForVisitor(row, again.visit, () => row.page.show(again.visit));
    return finish(again, result.kind === 'view' ? { ...result, status } : result);
  }

  return { show, receive };
}

function finishPage(
  { config }: Platform,
  options: Pick<PagesOptions, 'renderView'>,
  { visit, set_cookies }: OpenedVisit,
  result: PageResult,
): Promise<PageReply> {
  const renderView = (view: View) => options.renderView(visit, view);
  const look = result.kind === 'redirection' ? result.look : undefined;
  const cookies = look ? [...set_cookies, formatLookCookie(config, look)] : set_cookies;
  return finishResult(result, cookies, { pageHeaders, renderView });
}

/** Whether the session that a reply begins, if it begins one, has not ended. */
async function hasLiveSession(
  platform: Platform,
  { authenticate }: Pick<PagesOptions, 'authenticate'>,
  { headers }: PageReply,
): Promise<boolean> {
  const session = readNewSession(platform.config, headers['set-cookie']);
  return session === undefined || (await authenticate(platform, session)) !== undefined;
}

/** Whether a form has not acted yet: its visitor logs in or confirms who they are first, and may then send it again. */
function isDetour(result: PageResult): boolean {
  // A page that says what is in the way, such as a price, is built again when the form is sent again.
  if (result.kind === 'view') return (result.status ?? 200) >= 400;
  if (result.kind !== 'redirection') return false;
  const { location } = result;
  return (
    location.startsWith(`${mfa_path}?`) ||
    [log_in_path, confirm_path].some((path) => location.startsWith(`${path}?continue=`))
  );
}

/** Runs a page for a visitor who may see it. Others log in first, or confirm who they are, and then return to the page. */
async function runForVisitor<Result>(
  { who }: PageRow,
  { caller, address, params }: Visit,
  run: () => Result | Promise<Result>,
  askFirst?: () => Promise<PageResult>,
): Promise<Result | PageResult> {
  const returning = `continue=${encodeURIComponent(address)}`;
  if (!mayCall(who, caller)) {
    if (caller.role === 'anonymous') return goTo(`${log_in_path}?${returning}`);
    throw new Refusal('role_not_allowed');
  }
  try {
    return await run();
  } catch (error) {
    const code = error instanceof Refusal ? error.code : undefined;
    if (code === 'recent_authentication_required')
      return askFirst ? askFirst() : goTo(`${confirm_path}?${returning}`);
    if (code === 'mfa_required') return goTo(mfa_path, 'mfaNeeded');
    if (code === 'authentication_required' || code === 'token_invalid')
      return goTo(`${log_in_path}?${returning}`);
    if (error instanceof Refusal && isAboutAddress(error, params)) throw new Refusal('route_not_found');
    throw error;
  }
}

/** Whether a refusal is about what the address names: an id that is no id leads to no page, like one that nothing has. */
function isAboutAddress({ code, extras: { errors = [] } }: Refusal, params: Visit['params']): boolean {
  return code === 'field_invalid' && errors.some(({ pointer }) => Object.hasOwn(params, pointer.slice(1)));
}

/**
 * Refuses a form that a page of another site sent. Browsers name the origin of every form, and whether it is the same site
 * (Fetch Metadata); a browser that does neither is left to the form's token.
 */
function requireOwnPage({ config }: Platform, { headers }: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== config.publicUrl) throw new Refusal('origin_not_allowed');
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new Refusal('origin_not_allowed');
}
