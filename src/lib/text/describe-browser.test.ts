import { expect, test } from 'vitest';
import { describeBrowser } from './describe-browser.ts';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0',
    'Edge',
    'Windows',
  ],
])('%s', (user_agent, browser, system) => {
  expect(describeBrowser(user_agent)).toEqual({ browser, system });
});

test('a program that is no browser has no name', () => {
  for (const user_agent of [null, '', 'curl/8.9.1', 'node'])
    expect(describeBrowser(user_agent)).toBeUndefined();
});
