import { crc32 } from 'node:zlib';

/** The keyword of the chunk that has a badge (Open Badges 3.0, section 5.3.1). */
const keyword = 'openbadgecredential';

/**
 * Puts a badge into a PNG picture, in place of one that it may have: an uncompressed iTXt chunk, of which there must be only one.
 *
 * @throws Error if the bytes are not a PNG.
 */
export function writePngBadge(picture: Buffer, badge: string): Buffer {
  const chunks = splitChunks(picture).filter((chunk) => !isBadge(chunk));
  const [header, ...others] = chunks;
  if (!header) throw new Error('the picture has no chunks');
  return Buffer.concat([signature, header, buildTextChunk(badge), ...others]);
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** A chunk has its length, its type and, after its data, a checksum, of four bytes each. */
const frame_bytes = 12;

/** The chunks of a PNG, each with its length and its checksum. */
function splitChunks(picture: Buffer): readonly Buffer[] {
  if (!picture.subarray(0, signature.length).equals(signature)) throw new Error('the picture is not a PNG');
  const chunks: Buffer[] = [];
  for (let at = signature.length; at + frame_bytes <= picture.length;) {
    const end = at + frame_bytes + picture.readUInt32BE(at);
    if (end > picture.length) throw new Error('a chunk of the picture is longer than the picture');
    chunks.push(picture.subarray(at, end));
    at = end;
  }
  return chunks;
}

function isBadge(chunk: Buffer): boolean {
  return chunk.subarray(4, 8 + keyword.length + 1).equals(Buffer.from(`iTXt${keyword}\0`));
}

/** An iTXt chunk (PNG, section 11.3.3.4): keyword, no compression, no language, no translated keyword, text. */
function buildTextChunk(text: string): Buffer {
  const body = Buffer.from(`iTXt${keyword}\0\0\0\0\0${text}`);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), chunk.length - 4);
  return chunk;
}
