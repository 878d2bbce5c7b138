/**
 * The two encodings of a P-256 signature: r and s side by side in 64 bytes, as JOSE writes it (RFC 7518 section 3.4, IEEE P1363), and the
 * DER of OpenSSL (RFC 3279 section 2.2.3: `SEQUENCE { INTEGER r, INTEGER s }`).
 *
 * Node converts too, if `dsaEncoding` is passed with the key. But it then first tries the options as a key and catches two errors, which
 * took 40 µs of the 145 µs of a verification; the conversion itself took 25 µs.
 */

const half = 32;
const sequence = 0x30;
const integer = 0x02;

/** Converts 64 bytes of r and s to DER. It accepts any two numbers; whether they are a signature is checked by the verification. */
export function toDerSignature(raw: Uint8Array): Buffer {
  const der = Buffer.allocUnsafe(2 + 2 * (2 + half + 1));
  const end = writeInteger(der, writeInteger(der, 2, raw, 0), raw, half);
  der[0] = sequence;
  der[1] = end - 2;
  return der.subarray(0, end);
}

/** Converts the DER of a P-256 signature, as OpenSSL writes it, to 64 bytes of r and s. */
export function toRawSignature(der: Uint8Array): Buffer {
  const raw = Buffer.alloc(2 * half);
  const length_r = der[3]!;
  copyInteger(raw, 0, der, 4, length_r);
  copyInteger(raw, half, der, 4 + length_r + 2, der[4 + length_r + 1]!);
  return raw;
}

/** DER allows a leading zero only if the number would otherwise be negative. @returns the offset of the next field. */
function writeInteger(der: Buffer, at: number, raw: Uint8Array, from: number): number {
  let first = from;
  while (first < from + half - 1 && raw[first] === 0) first++;
  let to = at + 2;
  if (raw[first]! >= 0x80) der[to++] = 0;
  for (let next = first; next < from + half; next++) der[to++] = raw[next]!;
  der[at] = integer;
  der[at + 1] = to - at - 2;
  return to;
}

function copyInteger(raw: Buffer, to: number, der: Uint8Array, from: number, length: number): void {
  const bytes = Math.min(length, half);
  for (let index = 1; index <= bytes; index++) raw[to + half - index] = der[from + length - index]!;
}
