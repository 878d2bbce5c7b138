import type { ApiRow } from '#lib/api-row.ts';
import type { Tool } from '#lib/tool.ts';
import type { Memory } from '#platform/platform.ts';
import type { Caller } from '#lib/caller.ts';
import type { Config } from '#platform/config.ts';
import type { ReplyContent } from '#platform/http/headers.ts';
import type { Limit } from '#platform/limits/rate-windows.ts';
import type { AllowedCallers, Operation } from '#platform/operation.ts';
import type { Texts } from '../texts/english.ts';
import type { Formatter } from './format.ts';
import type { CallOperation } from '#platform/http/in-process/call-operations.ts';
import { html, type Content, type Html } from './html.ts';
import type { Look } from './look.ts';

/** What a page receives: the visitor, the address, and the only way to data. */
export type Visit = {
  readonly caller: Caller;
  /** Calls an operation of the API in process, with the same checks as over HTTP. */
  readonly call: CallOperation;
  /** The path and query of this page, to return to. */
  readonly address: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly form: FormState;
  readonly texts: Texts;
  readonly format: Formatter;
  /** What the browser has chosen. */
  readonly look: Look;
  readonly now: Date;
  /** What this process remembers, shared by all visits. It is no source of what a page shows. */
  readonly memory: Memory;
  /** How the visitor's browser names itself. */
  readonly user_agent: string | undefined;
  /** The language that the visitor's browser asks for first, as BCP 47 writes it. */
  readonly language: string | undefined;
  readonly publicUrl: string;
  /** The address of this page for search engines and shared links; undefined for pages that they leave out. */
  readonly canonical: string | undefined;
  /** The rows of the API, which service keys can be permitted. */
  readonly rows: readonly ApiRow[];
  /** The tools that agents can be allowed. */
  readonly tools: readonly Tool[];
  /** What the operator says about itself and its service. */
  readonly documents: Config['documents'];
  /** How long after its deletion an account is erased, and how long the audit log is kept. */
  readonly retention: { readonly erasure_seconds: number; readonly audit_days: number };
};

/** The forms of a page: the token that each of them carries, and what was wrong with the one that was sent. */
export type FormState = {
  readonly token: string;
  /** The action of the form that was sent and refused; undefined if the page is only shown. */
  readonly action?: string;
  /** What the visitor had entered. */
  readonly values: Readonly<Record<string, string>>;
  /** What is wrong, by field. */
  readonly errors: Readonly<Record<string, string>>;
  /** What is wrong with the form as a whole. */
  readonly message?: string;
  /** The form of another page that every form of this one carries, see `kept-form.ts`. */
  readonly kept?: string;
};

/** A page to show. */
export type View = {
  readonly kind: 'view';
  readonly title: string;
  /** What search engines and shared links say about the page; by default what the service is. */
  readonly description?: string;
  /** `open`: for everyone, without navigation. `app`: with the navigation of the role. `focus`: one thing only, with a way out. */
  readonly layout: 'open' | 'app' | 'focus';
  readonly content: Html;
  /** The HTTP status; 200 if it is absent. */
  readonly status?: number;
  /** After how many seconds the browser loads the page again, for work in progress. */
  readonly refresh_s?: number;
  /** Where the browser goes after `refresh_s`, instead of loading the page again. */
  readonly refresh_to?: string;
  /** A script that only this page needs. */
  readonly script?: 'handle.js' | 'job-form.js' | 'mirror.js' | 'passkeys.js' | 'pay-by-wallet.js';
};

/** Another page to go to. */
export type Redirection = {
  readonly kind: 'redirection';
  readonly location: string;
  /** The look that the browser stores from now on. */
  readonly look?: Look;
};

export type Download = {
  readonly kind: 'download';
  readonly file: { readonly filename: string; readonly content: ReplyContent };
  readonly media_type: string;
};

export type PageResult = View | Redirection | Download;

type Fields = Readonly<Record<string, string>>;

/** Handles a form of a page. A Refusal that it throws shows the page again, with the form filled in and the reasons. */
export type Action = (visit: Visit, fields: Fields) => PageResult | Promise<PageResult>;

/** A page: how it is shown, and what its forms do, by the value of their field `action`. */
export type Page = {
  readonly show: (visit: Visit) => PageResult | Promise<PageResult>;
  readonly actions?: Readonly<Record<string, Action>>;
};

/** One line of `src/tables/pages.ts`. */
export type PageRow = {
  readonly path: string;
  readonly who: AllowedCallers;
  readonly page: Page;
  /** Counts a member's requests apart from others, as the API does for the same work. */
  readonly limit?: Limit;
};

/** Defines a row of the table of pages. `{name}` in the path is a parameter. */
export function row(
  path: string,
  who: AllowedCallers,
  page: Page,
  options: Pick<PageRow, 'limit'> = {},
): PageRow {
  return { path, who, page, ...options };
}

export function showView(view: Omit<View, 'kind'>): View {
  return { kind: 'view', ...view };
}

/** The words above a page: its title, which is also that of the browser's window unless `heading` differs, and a sentence about it. */
type Head = { readonly title: string; readonly heading?: Content; readonly lead?: Content };

/** What else a page with a head can have: tabs or a link back above its title, and further content below its sentence. */
type HeadOptions = Partial<Omit<View, 'kind' | 'title' | 'content'>> & {
  readonly tabs?: Html | undefined;
  readonly back?: readonly [address: string, label: string];
  readonly below?: Content;
};

/** Shows a page with the navigation: its head, and its content below it. */
export function showHeaded(head: Head, content: Content, options: HeadOptions = {}): View {
  const above = html`${options.tabs} ${renderBack(options.back)}`;
  return showBelow(
    head,
    html`${above}
      <header class="head">${renderHead(head, options)}</header>
      ${content}`,
    options,
  );
}

/** Shows a page of one narrow column, such as a form. */
export function showNarrow(head: Head, content: Content, options: HeadOptions = {}): View {
  const column = html`<div class="narrow">
    ${renderBack(options.back)} ${renderHead(head, options)} ${content}
  </div>`;
  return showBelow(head, column, options);
}

function showBelow(
  { title }: Head,
  content: Html,
  { tabs: _tabs, back: _back, below: _below, ...view }: HeadOptions,
): View {
  return showView({ title, layout: 'app', ...view, content });
}

function renderHead({ title, heading = title, lead }: Head, { below }: HeadOptions): Html {
  return html`<h1>${heading}</h1>
    ${lead !== undefined && html`<p class="lead">${lead}</p>`} ${below}`;
}

function renderBack(back: HeadOptions['back']): Html | undefined {
  return back && html`<p class="back"><a href="${back[0]}">${back[1]}</a></p>`;
}

/** Reads which page of a list the address asks for, as the operations of lists take it. */
export function readCursor({ query: { cursor } }: Pick<Visit, 'query'>): { readonly cursor?: string } {
  return cursor === undefined ? {} : { cursor };
}

/**
 * Handles a form whose fields and address have the names of an operation's input: calls the operation with them, and goes to a page. A required
 * value that the form does not have is empty, and the operation says what is wrong with it. `{name}` in the path of the next page stands for
 * a parameter of this page or a value of the reply. `added` is what the form does not say.
 */
export function sendForm(
  operation: Operation,
  path: string,
  notice?: keyof Texts['notices'],
  added: object = {},
): Action {
  const { properties, required = [] } = operation.input as ObjectSchema;
  return async (visit, fields) => {
    // What the address names cannot be changed by a field.
    const given: Fields = { ...fields, ...visit.params };
    const named = Object.keys(properties).map((name) => {
      const absent = required.includes(name) ? '' : undefined;
      return [name, given[name] ?? absent] as const;
    });
    // The operation checks its input as over HTTP.
    const body = await visit.call(operation, { ...Object.fromEntries(named), ...added });
    const values: Readonly<Record<string, unknown>> = { ...visit.params, ...(body as object | null) };
    return goTo(
      path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
      notice,
    );
  };
}

type ObjectSchema = { readonly properties: object; readonly required?: readonly string[] };

/** Goes to another page, which shows the notice of the catalogue with this name. */
export function goTo(path: string, notice?: keyof Texts['notices']): Redirection {
  const separator = path.includes('?') ? '&' : '?';
  return {
    kind: 'redirection',
    location: notice === undefined ? path : `${path}${separator}notice=${notice}`,
  };
}

/** The path to continue at after a login: only one of this service, never another site's. */
export function readContinuation(
  { query, publicUrl }: Pick<Visit, 'query' | 'publicUrl'>,
  fallback = '/app',
): string {
  const given = query['continue'];
  if (given === undefined || !given.startsWith('/') || !URL.canParse(given, publicUrl)) return fallback;
  const { origin, pathname, search } = new URL(given, publicUrl);
  // Without its dots, /app/..//host is //host, which a browser takes for another site.
  return origin === publicUrl && !pathname.startsWith('//') ? `${pathname}${search}` : fallback;
}

/** The page to return to, if it fits into what SAML carries. */
export function selectRelayState(path: string): string {
  return path.length <= 80 && /^\/[\w/?=&-]*$/.test(path) ? path : '/app';
}
