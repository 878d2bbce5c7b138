import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { allowedTiers, credentialTypes } from '../rules.ts';
import { writePngBadge } from './write-png-badge.ts';
import { writeSvgBadge } from './write-svg-badge.ts';
import { readPicture, readPlainCard } from './badge-pictures.ts';

/** The chunks of a PNG, whose checksums it verifies. */
function listChunks(png: Buffer): readonly { readonly type: string; readonly data: Buffer }[] {
  const chunks = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) });
    at += 12 + length;
  }
  return chunks;
}

const readTexts = (png: Buffer) =>
  listChunks(png)
    .filter(({ type }) => type === 'iTXt')
    .map(({ data }) => data.toString());

const key = { credential_type: 'org_validation', attestation_tier: 'org_validated' } as const;

test('a baked PNG has the badge once, uncompressed, under the keyword of the standard, and its other chunks unchanged', () => {
  const picture = readPicture(key, 'badge.png');
  const baked = writePngBadge(picture, '{"name":"働く"}');
  expect(readTexts(baked)).toEqual(['openbadgecredential\0\0\0\0\0{"name":"働く"}']);
  const listOthers = (png: Buffer) => listChunks(png).filter(({ type }) => type !== 'iTXt');
  expect(listOthers(baked)).toEqual(listOthers(picture));
  expect(readTexts(writePngBadge(baked, 'again'))).toEqual(['openbadgecredential\0\0\0\0\0again']);
});

test('bytes that are not a PNG, or end too early, are not baked', () => {
  const picture = readPicture(key, 'badge.png');
  for (const wrong of [
    Buffer.alloc(0),
    Buffer.from('<svg></svg>'),
    picture.subarray(0, 30),
    picture.subarray(0, 8),
  ])
    expect(() => writePngBadge(wrong, '{}')).toThrow('the picture');
});

test('a baked SVG has the badge directly after its first tag, and no text can leave its section', () => {
  const badge = JSON.stringify({ statement: 'a ]]> </openbadges:credential><script>$&' });
  const baked = writeSvgBadge(readPicture(key, 'badge.svg').toString(), badge);
  const [, section] =
    /^<svg xmlns:openbadges="https:\/\/purl\.imsglobal\.org\/ob\/v3p0" [^>]*><openbadges:credential><!\[CDATA\[(.*?)\]\]><\/openbadges:credential>/.exec(
      baked,
    )!;
  expect(JSON.parse(section!)).toEqual(JSON.parse(badge));
});

test('every achievement has its pictures, of the sizes that their readers ask for', () => {
  const readSize = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];
  for (const credential_type of credentialTypes)
    for (const attestation_tier of allowedTiers[credential_type]) {
      const each = { credential_type, attestation_tier };
      expect(readSize(readPicture(each, 'badge.png'))).toEqual([400, 400]);
      expect(readSize(readPicture(each, 'card.png'))).toEqual([1200, 630]);
      expect(readPicture(each, 'badge.svg').toString()).toMatch(/^<svg [^>]+>/);
    }
  expect(readSize(readPlainCard())).toEqual([1200, 630]);
});
