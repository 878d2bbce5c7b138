import { expect, test } from 'vitest';
import { readPicture } from './picture.ts';

const createPng = (width: number, height: number) => {
  const size = Buffer.alloc(17);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    size,
    Buffer.from('0000000049454e44ae426082', 'hex'),
  ]);
};

const createJpeg = (width: number, height: number) => {
  const frame = Buffer.from('ffc0001108000000000301220002110103110100', 'hex').subarray(0, 19);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from('ffd8ffe000040000', 'hex'), frame, Buffer.from('ffd9', 'hex')]);
};

const createWebp = (kind: string, fill: (bytes: Buffer) => void) => {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(32, 4);
  bytes.write(`WEBP${kind}`, 8, 'latin1');
  fill(bytes);
  return bytes;
};

test.each([
  ['a PNG', createPng(120, 80), 'image/png'],
  ['a JPEG', createJpeg(120, 80), 'image/jpeg'],
  [
    'a WebP with losses',
    createWebp('VP8 ', (bytes) => {
      bytes.writeUInt16LE(120, 26);
      bytes.writeUInt16LE(80, 28);
    }),
    'image/webp',
  ],
  [
    'a lossless WebP',
    createWebp('VP8L', (bytes) => void bytes.writeUInt32LE(119 | (79 << 14), 21)),
    'image/webp',
  ],
  [
    'an extended WebP',
    createWebp('VP8X', (bytes) => {
      bytes.writeUIntLE(119, 24, 3);
      bytes.writeUIntLE(79, 27, 3);
    }),
    'image/webp',
  ],
])('%s is read by its content, with its size', (_, bytes, media_type) => {
  expect(readPicture(bytes)).toEqual({ media_type, width: 120, height: 80 });
});

test.each([
  [
    'an SVG with a script',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  ],
  ['a page that begins like a GIF', Buffer.from('GIF89a<script>alert(1)</script>')],
  [
    'a PNG with a page after its end',
    Buffer.concat([createPng(32, 32), Buffer.from('<script>alert(1)</script>')]),
  ],
  ['a JPEG with a page after its end', Buffer.concat([createJpeg(32, 32), Buffer.from('<script>')])],
  [
    'a WebP that is longer than it says',
    Buffer.concat([createWebp('VP8X', () => undefined), Buffer.from('more')]),
  ],
  ['a JPEG whose segments lead nowhere', Buffer.from(`ffd8ffe0ffff${'00'.repeat(30)}ffd9`, 'hex')],
  ['nothing', Buffer.alloc(0)],
])('%s is no picture', (_, bytes) => {
  expect(readPicture(bytes)).toBeUndefined();
});

test('bytes of any kind and length are read without an error', () => {
  for (const start of [createPng(9, 9), createJpeg(9, 9), createWebp('VP8X', () => undefined)])
    for (let length = 0; length <= start.length; length++)
      for (const filler of [0x00, 0xff])
        expect(() =>
          readPicture(Buffer.concat([start.subarray(0, length), Buffer.alloc(12, filler)])),
        ).not.toThrow();
});
