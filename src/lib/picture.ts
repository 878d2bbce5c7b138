/** A picture by its content: its media type, and its size in pixels. */
export type Picture = {
  readonly media_type: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly width: number;
  readonly height: number;
};

/**
 * Reads what kind of picture bytes are. Undefined for everything else, and for a picture with something after its end, which could be a document for another
 * program: an SVG, which can contain scripts, is none of these kinds.
 *
 * Sources: PNG (third edition) section 5, JPEG (ITU-T T.81) annex B, WebP (RFC 9649) section 2.
 */
export function readPicture(bytes: Buffer): Picture | undefined {
  return readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
}

const pngStart = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const pngEnd = Buffer.from('0000000049454e44ae426082', 'hex');

function readPng(bytes: Buffer): Picture | undefined {
  if (bytes.length < 45 || !bytes.subarray(0, 16).equals(pngStart) || !bytes.subarray(-12).equals(pngEnd))
    return undefined;
  return { media_type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Of the segments before the first scan, the one that begins a frame has the size. */
function readJpeg(bytes: Buffer): Picture | undefined {
  if (
    bytes.length < 24 ||
    bytes.readUInt32BE(0) >>> 8 !== 0xff_d8_ff ||
    bytes.readUInt16BE(bytes.length - 2) !== 0xff_d9
  )
    return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return {
        media_type: 'image/jpeg',
        width: bytes.readUInt16BE(at + 7),
        height: bytes.readUInt16BE(at + 5),
      };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function readWebp(bytes: Buffer): Picture | undefined {
  const isWhole = bytes.length >= 30 && bytes.readUInt32LE(4) + 8 === bytes.length;
  if (!isWhole || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  const size = readWebpSize(bytes.toString('latin1', 8, 16), bytes);
  return size && { media_type: 'image/webp', ...size };
}

function readWebpSize(
  kind: string,
  bytes: Buffer,
): { readonly width: number; readonly height: number } | undefined {
  if (kind === 'WEBPVP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind === 'WEBPVP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind !== 'WEBPVP8L') return undefined;
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
