import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderMail, type MailPart } from './render-mail.ts';

const publicUrl = 'https://tessera.example';

const hostile = fc.constantFrom(
  '<script>alert(1)</script>',
  '"><a href="https://evil.example">',
  '</p><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '&amp;',
  'https://evil.example',
  'www.evil.example',
  '\r\nhttps://evil.example\r\n',
  '\u202e',
  'Ada Lind',
);
const text = fc.array(hostile, { maxLength: 4 }).map((words) => words.join(' '));
const link = fc.webPath().map((path) => ({ link: `${publicUrl}${path}?token=a_b`, label: 'Open' }));
const words = text.map((each) => ({ words: each }));

const listHtmlLinks = (html: string) => [...html.matchAll(/ href="([^"]*)"/g)].map(([, address]) => address);
const listTextLinks = (mail: string) => [...mail.matchAll(/^https:\S+$/gm)].map(([address]) => address);

test('both parts have the same links, whatever names and words contain', () => {
  fc.assert(
    fc.property(
      text,
      fc.array(fc.oneof(link, words), { maxLength: 6 }),
      (name, parts: readonly MailPart[]) => {
        const mail = renderMail({ subject: 'Hello', name, parts, publicUrl });
        const given = parts.flatMap((part) =>
          typeof part === 'object' && 'link' in part ? [part.link] : [],
        );
        expect(listTextLinks(mail.text)).toEqual([...given, publicUrl]);
        expect(
          listHtmlLinks(mail.html).map((each) => each!.replaceAll('&#39;', "'").replaceAll('&amp;', '&')),
        ).toEqual([...given, publicUrl]);
        expect(mail.html).not.toMatch(/<(?:script|img)|<[^>]*\son\w+=/);
      },
    ),
  );
});

test('greets by name, and a stranger or a name of nothing visible without one', () => {
  const render = (name: string | undefined) => renderMail({ subject: 'Hello', name, parts: [], publicUrl });
  expect(render('Ada Lind').text).toMatch(/^Hello Ada Lind,\n/);
  expect(render('Ada Lind').html).toContain('>Hello Ada Lind,<');
  for (const name of [undefined, '', ' \u200b ']) expect(render(name).text).toMatch(/^Hello,\n/);
});

test('an ampersand in a link is escaped in the HTML and not in the text', () => {
  const address = `${publicUrl}/verify-email?token=a&b=c`;
  const { text: plain, html } = renderMail({
    subject: 'Verify',
    name: undefined,
    parts: ['Now:', { link: address, label: 'Verify' }],
    publicUrl,
  });
  expect(plain).toBe(
    `Hello,\n\nNow:\n\nVerify:\n${address}\n\n-- \nTessera at tessera.example\n${publicUrl}\n`,
  );
  expect(html).toContain('href="https://tessera.example/verify-email?token=a&amp;b=c"');
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
});
