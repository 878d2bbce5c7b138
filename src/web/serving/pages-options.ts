import type { FastifyRequest } from 'fastify';
import type { LoggedInCaller } from '#lib/caller.ts';
import type { Refusal } from '#lib/refusal.ts';
import type { Row } from '#platform/http/row.ts';
import type { Platform } from '#platform/platform.ts';
import type { FormState, Page, PageRow, View, Visit } from './page.ts';

/** A browser that is logged in, and how long its cookie lives from now, if this request has extended the session. */
type BrowserSession = { readonly caller: LoggedInCaller; readonly extended_s: number | undefined };

/** What the pages need besides the platform. */
export type PagesOptions = {
  readonly pages: readonly PageRow[];
  /** The API, whose operations are the pages' only way to data. */
  readonly apiRows: readonly Row[];
  /** Identifies a browser by the session in its cookie. */
  readonly authenticate: (platform: Platform, session: string) => Promise<BrowserSession | undefined>;
  /** What a visit has of the language, the look and the service. */
  readonly describe: (
    platform: Platform,
    request: Pick<FastifyRequest, 'headers'>,
  ) => Pick<Visit, 'texts' | 'format' | 'look' | 'publicUrl' | 'documents' | 'retention'>;
  /** What the visitor reads about a refusal of their form. */
  readonly describeRefusal: (
    visit: Visit,
    refusal: Refusal,
  ) => Pick<FormState, 'errors'> & { readonly message: string };
  /** Asks who the visitor is, before a form that needs to know. */
  readonly confirmPage: Page;
  /** Adds the frame of the console to a view. */
  readonly renderView: (visit: Visit, view: View) => Promise<string>;
};
