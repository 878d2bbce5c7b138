import type { TestApp } from '../harness.ts';

/** A page as a browser without scripts sees it. */
export type SeenPage = {
  readonly status: number;
  /** The path and query after all redirects. */
  readonly address: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
};

/** A browser without scripts: it stores cookies, follows redirects and sends forms. */
export type Visitor = {
  readonly cookies: Map<string, string>;
  open(address: string, headers?: Readonly<Record<string, string>>): Promise<SeenPage>;
  /** Fills in and sends the form of a page with this action. `headers` replace those of a browser. */
  send(
    page: SeenPage,
    action: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<SeenPage>;
};

const redirects_max = 5;

/** Creates a browser without cookies. */
export function createVisitor({ server, platform }: Pick<TestApp, 'server' | 'platform'>): Visitor {
  const { publicUrl } = platform.config;
  const cookies = new Map<string, string>();

  async function request(
    method: 'GET' | 'POST',
    address: string,
    { headers = {}, payload }: { headers?: Readonly<Record<string, string>>; payload?: string } = {},
    redirects = 0,
  ): Promise<SeenPage> {
    const reply = await server.inject({
      method,
      url: address,
      headers: { accept: 'text/html', ...headers },
      cookies: Object.fromEntries(cookies),
      ...(payload !== undefined && { payload }),
    });
    for (const { name, value, maxAge } of reply.cookies)
      if (maxAge === 0) cookies.delete(name);
      else cookies.set(name, value);
    const { location } = reply.headers;
    if (reply.statusCode === 303 && location !== undefined && redirects < redirects_max)
      return request('GET', location, {}, redirects + 1);
    return { status: reply.statusCode, address, html: reply.payload, headers: reply.headers };
  }

  return {
    cookies,
    open: (address, headers) => request('GET', address, { ...(headers && { headers }) }),
    send: (page, action, fields = {}, headers = {}) => {
      const form = findForm(page, action);
      return request('POST', form.to, {
        payload: new URLSearchParams({ ...form.hidden, ...fields }).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: publicUrl,
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
      });
    },
  };
}

/** The form of a page with this action: where it is sent, and its hidden fields. */
export function findForm({ html, address }: SeenPage, action: string) {
  const forms = [...html.matchAll(/<form\b[^>]*\baction="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, to = '', content = '']) => ({ to: unescapeHtml(to), hidden: readHidden(content), content }),
  );
  const form = forms.find(({ hidden }) => hidden['action'] === action);
  if (!form) throw new Error(`${address} has no form ${action}: ${html.slice(0, 2_000)}`);
  return form;
}

function readHidden(content: string): Record<string, string> {
  const inputs = [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescapeHtml(value)]));
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text of escaped HTML. */
export function unescapeHtml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!);
}

/** The text of a page as a reader sees it: without its markup and its navigation. */
export function readText({ html }: SeenPage): string {
  const content = /<main\b[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? html;
  return unescapeHtml(content.replaceAll('<wbr />', '').replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');
}
