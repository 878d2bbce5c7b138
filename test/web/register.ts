import { expect } from 'vitest';
import type { TestApp } from '../harness.ts';
import { readAccountLink } from '../modules/registrations.ts';
import { createEmail, password } from '../users.ts';
import { createVisitor, type SeenPage, type Visitor } from './visitor.ts';

/** A visitor who has just opened an account by pages alone, and the first page that they see in it. */
export type Registered = { readonly visitor: Visitor; readonly email: string; readonly home: SeenPage };

/** Asks for an account on the page of registrations, and opens it with the link of the email. */
export async function registerByPages(
  app: TestApp,
  name = 'Ada Lind',
  page = '/register',
): Promise<Registered> {
  const visitor = createVisitor(app);
  const email = createEmail();
  const asked = await visitor.send(await visitor.open(page), 'send', { name, email });
  expect(asked.html).toContain('Check your inbox');
  const link = await visitor.open(`/open-account?token=${await readAccountLink(app, email)}`);
  const home = await visitor.send(link, 'send', { password });
  expect(home.address).toBe('/app?notice=accountOpened');
  return { visitor, email, home };
}
