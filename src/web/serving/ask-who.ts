import { Refusal } from '#lib/refusal.ts';
import type { SentForm } from './kept-form.ts';
import type { FormState, PageResult, Visit } from './page.ts';
import type { PagesOptions } from './pages-options.ts';

/** The status of a page that asks, in reply to a form, who the visitor is. */
const asking_status = 403;

type Options = Pick<PagesOptions, 'confirmPage' | 'describeRefusal'>;

/** Asks, in the place of a page, who the visitor is. The form that needs it is kept in the page that asks. */
export async function askWho(
  { confirmPage }: Options,
  visit: Visit,
  kept: string,
  again: Partial<FormState> = {},
): Promise<PageResult> {
  const { token } = visit.form;
  const form = { token, values: {}, errors: {}, kept, ...again };
  const result = await confirmPage.show(toConfirmation({ ...visit, form }));
  return result.kind === 'view' ? { ...result, status: asking_status } : result;
}

/**
 * Takes the answer of a visitor who was asked who they are.
 *
 * @returns undefined if they have confirmed it, and else the page that asks again.
 */
export async function takeAnswer(
  options: Options,
  visit: Visit,
  kept: string,
  { action, fields }: SentForm,
): Promise<PageResult | undefined> {
  const { actions = {} } = options.confirmPage;
  const answer = Object.hasOwn(actions, action) && actions[action];
  if (!answer) throw new Refusal('request_malformed', { detail: 'The page has no form of this name.' });
  try {
    await answer(toConfirmation(visit), fields);
    return undefined;
  } catch (error) {
    // The session has ended: the visitor logs in.
    if (!(error instanceof Refusal) || error.status === 401 || error.status >= 500) throw error;
    return askWho(options, visit, kept, { action, ...options.describeRefusal(visit, error) });
  }
}

/** The visit of the page that asks who the visitor is, which leads back to the page that needs to know. */
function toConfirmation(visit: Visit): Visit {
  return { ...visit, query: { continue: visit.address } };
}
