import { expect, test } from 'vitest';
import { readHtml } from './html-text.ts';

test('the text of a page has a line for each block, and nothing of its scripts, styles and comments', () => {
  const html = `<!doctype html><head><title>Jobs</title><style>p { color: red }</style></head>
    <h1>Nurse</h1><!-- <p>hidden</p> --><p>Keep&nbsp;calm &amp; listen.<br>Salary &lt; 100&#8217;000</p>
    <ul><li>One</li><li></li><LI class="x">Two</LI></ul><script>alert("no")</script><script src=x>`;
  expect(readHtml(html)).toEqual({
    text: 'Nurse\n\nKeep calm & listen.\nSalary < 100’000\n\n- One\n\n- Two',
    json_ld: [],
  });
});

test('a text without markup keeps its signs', () => {
  const text = 'a < b, 3 > 2, <3, R&D; &unknown; &#0;';
  expect(readHtml(text).text).toBe('a < b, 3 > 2, <3, R&D; &unknown;');
});

test('JSON-LD is returned apart, wherever it is', () => {
  const html =
    '<head><script type="application/ld+json">{"a":1}</script></head><SCRIPT TYPE="application/LD+JSON">[2]</SCRIPT>x';
  expect(readHtml(html)).toEqual({ text: 'x', json_ld: ['{"a":1}', '[2]'] });
});
