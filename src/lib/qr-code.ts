import newQrCode from 'qrcode-generator';

/** The dark places of a QR code, row by row, without the quiet zone. */
export type QrCode = readonly (readonly boolean[])[];

/** Four modules on every side, as ISO/IEC 18004 asks. */
export const quiet_modules = 4;

/** The QR code of a text, of the smallest size that holds it; level M: a seventh of it may be unreadable. */
export function buildQrCode(text: string): QrCode {
  const code = newQrCode(0, 'M');
  code.addData(text, 'Byte');
  code.make();
  const places = Array.from({ length: code.getModuleCount() }, (_, place) => place);
  return places.map((row) => places.map((column) => code.isDark(row, column)));
}

/** The QR code as SVG, black on white whatever is around it; `label` is for those who cannot see it, and is no markup. */
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

/** The dark places as runs along the rows. */
export function findDarkRuns(code: QrCode): readonly { row: number; column: number; length: number }[] {
  return code.flatMap((places, row) =>
    places.flatMap((dark, column) => {
      if (!dark || places[column - 1] === true) return [];
      const end = places.indexOf(false, column);
      return [{ row, column, length: (end < 0 ? places.length : end) - column }];
    }),
  );
}
