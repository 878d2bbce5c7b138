import { describeAttachment } from '#platform/http/attachment.ts';
import type { ReplyContent } from '#platform/http/headers.ts';
import type { View, PageResult } from './page.ts';

export type PageReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly content: ReplyContent;
};

/** Finishes the result of a page. `renderView` adds the frame around a view. */
export async function finishResult(
  result: PageResult,
  set_cookies: readonly string[],
  {
    pageHeaders,
    renderView,
  }: { pageHeaders: PageReply['headers']; renderView: (view: View) => Promise<string> },
): Promise<PageReply> {
  const cookies = set_cookies.length > 0 ? { 'set-cookie': set_cookies } : {};
  if (result.kind === 'redirection')
    return { status: 303, headers: { ...pageHeaders, ...cookies, location: result.location }, content: '' };
  if (result.kind === 'view')
    return {
      status: result.status ?? 200,
      headers: { ...pageHeaders, ...cookies },
      content: await renderView(result),
    };
  const { filename, content } = result.file;
  const headers = { ...cookies, ...describeAttachment('a page', result.media_type, filename) };
  return { status: 200, headers, content };
}
