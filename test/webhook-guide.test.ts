import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { webhookMessages } from '#modules/operations/webhooks';
import { proves } from './requirements.ts';

const readFile = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const guide = readFile('docs/webhooks.md');

test('the guide shows the code that verifies a webhook, which the console offers and the receiver of the tests uses', () => {
  expect(guide).toContain(`\`\`\`js\n${readFile('src/web/assets/verify-webhook.js')}\`\`\``);
});

test('the guide names every event, and tells receivers to reply within 10 seconds', () => {
  proves('webhook-receiver-10-second-target');
  for (const { name } of webhookMessages) expect(guide).toContain(`\`${name}\``);
  expect(guide).toContain('Reply with 2xx within 10 seconds');
});
