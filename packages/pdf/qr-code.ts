import newQrCode from 'qrcode-generator';

/** The dark modules of a QR code by row and column, without the quiet zone. */
export type QrCode = readonly (readonly boolean[])[];

/** The width of the quiet zone on every side, as ISO/IEC 18004 requires. */
export const quiet_modules = 4;

/** Builds the smallest QR code for a text, with error correction level M: about 15 % of it may be unreadable. */
export function buildQrCode(text: string): QrCode {
  const code = newQrCode(0, 'M');
  code.addData(text, 'Byte');
  code.make();
  const indexes = Array.from({ length: code.getModuleCount() }, (_, index) => index);
  return indexes.map((row) => indexes.map((column) => code.isDark(row, column)));
}

/** Formats a QR code as SVG, always black on white. `label` is the text for screen readers; it must not contain markup. */
export function formatQrSvg(code: QrCode, label: string): string {
  const size = code.length + 2 * quiet_modules;
  const path = findDarkRuns(code)
    .map(
      ({ row, column, length }) =>
        `M${column + quiet_modules} ${row + quiet_modules}h${length}v1h-${length}z`,
    )
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="${size * 5}" height="${size * 5}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${path}"/></svg>`;
}

/** Returns the dark modules as horizontal runs. */
export function findDarkRuns(code: QrCode): readonly { row: number; column: number; length: number }[] {
  return code.flatMap((modules, row) =>
    modules.flatMap((dark, column) => {
      if (!dark || modules[column - 1] === true) return [];
      const end = modules.indexOf(false, column);
      return [{ row, column, length: (end < 0 ? modules.length : end) - column }];
    }),
  );
}
