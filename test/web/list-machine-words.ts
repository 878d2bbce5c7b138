import type { Page } from 'playwright-core';

/** Times and ids as machines write them: 2026-03-02, 2026-03-02T09:00, and UUIDs. */
const machineWords =
  /\b\d{4}-\d{2}-\d{2}(?!\d)|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** Where a machine's words may stand: what is copied for a program or as a reference, and what a visitor typed. */
const allowed = 'code, pre, kbd, textarea, input, select, script, noscript, style, template';

/** Finds a machine's dates and ids in a text. An address may hold an id: a person copies it as a whole. */
export function findMachineWords(text: string): readonly string[] {
  return text.replaceAll(/https?:\/\/\S+/g, '').match(machineWords) ?? [];
}

/** Lists the dates and ids in the text of a page that are written for machines and stand where a person reads, folded parts included. */
export async function listMachineWords(page: Page): Promise<readonly string[]> {
  const texts = (await page.evaluate(
    `[...document.querySelectorAll('body, body *')]
      .filter((element) => !element.closest(${JSON.stringify(allowed)}))
      .flatMap((element) => [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data))`,
  )) as string[];
  return texts.flatMap((text) => findMachineWords(text));
}
