import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** The smaller form of axe-core: a browser takes half the time to read it. */
export const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Lists the faults that axe-core finds on a page that has run {@link axeScript}, by all rules or by some. */
export async function listFaults(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const options = {
    // The checker takes half as long if it need not describe what has passed.
    resultTypes: ['violations'],
    rules: { 'target-size': { enabled: true } },
    ...(rules && { runOnly: rules }),
  };
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`,
  )) as Pick<AxeResults, 'violations'>;
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`,
  );
}
