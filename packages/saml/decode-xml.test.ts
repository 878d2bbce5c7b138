import { expect, test } from 'vitest';
import { decodeXml } from './decode-xml.ts';

const label = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a>Zürich</a>`;
const toWide = (text: string) => Buffer.from(text, 'utf16le');

test.each<[string, Buffer, string]>([
  ['in UTF-8', Buffer.from(label('UTF-8')), label('UTF-8')],
  ['with a byte order mark', Buffer.from(`\ufeff${label('utf-8')}`), label('utf-8')],
  ['in UTF-8 that says UTF-16', Buffer.from(label('UTF-16')), label('UTF-16')],
  ['in UTF-8 that says ISO-8859-1', Buffer.from(label('ISO-8859-1')), label('ISO-8859-1')],
  ['in ISO-8859-1', Buffer.from(label('ISO-8859-1'), 'latin1'), label('ISO-8859-1')],
  ['in UTF-16 with a mark', toWide(`\ufeff${label('utf-16')}`), label('utf-16')],
  [
    'in UTF-16 with a mark, the higher byte first',
    toWide(`\ufeff${label('utf-16')}`).swap16(),
    label('utf-16'),
  ],
  ['in UTF-16 without a mark', toWide(label('utf-16')), label('utf-16')],
  ['in UTF-16 without a mark, the higher byte first', toWide(label('utf-16')).swap16(), label('utf-16')],
])('a document %s is decoded', (_, bytes, text) => {
  expect(decodeXml(bytes)).toBe(text);
});

test.each<[string, Buffer]>([
  ['of no encoding', Buffer.from('<a>Zürich</a>', 'latin1')],
  ['of an encoding that does not exist', Buffer.from(label('x-none'), 'latin1')],
  ['of half a character', Buffer.from([0xff, 0xfe, 0x3c, 0x00, 0x00])],
])('bytes %s are not decoded', (_, bytes) => {
  expect(decodeXml(bytes)).toBeUndefined();
});
