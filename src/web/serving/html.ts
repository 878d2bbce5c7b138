import { html as renderTemplate, raw } from 'hono/html';

/** Markup. Only {@link html} and {@link trustMarkup} create it, so all text in it is escaped. */
export type Html = ReturnType<typeof raw>;

/** What a template may contain: text, which is escaped, markup, and lists of both. `undefined`, `null` and `false` are left out. */
export type Content = string | number | Html | undefined | null | false | readonly Content[];

/** Renders a template: html`<p>${text}</p>`. Everything that is not markup is escaped. Attributes need quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  const rendered = renderTemplate(strings, ...values);
  if (rendered instanceof Promise) throw new TypeError('a template contains a promise');
  return rendered;
}

/** Declares text of this program as markup, such as a drawing. Never call it with text of a user. */
export function trustMarkup(markup: string): Html {
  return raw(markup);
}
