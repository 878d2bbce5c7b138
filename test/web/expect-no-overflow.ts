import { expect } from 'vitest';
import type { Page } from 'playwright-core';

/** Lists the elements that reach beyond the right edge of the window, with the beginning of their text and how far, if the page scrolls sideways. */
const listOverflow = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.body.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > innerWidth)
    .map((element) => [element.tagName, element.className, element.textContent.slice(0, 60), Math.round(element.getBoundingClientRect().right - innerWidth)].join(' '))`;

/** Checks that a page does not scroll sideways, once it has taken the width of a window that was resized just before. */
export async function expectNoOverflow(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(listOverflow)).toEqual([]);
}
