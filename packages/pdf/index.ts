export { writeCertificate, type Certificate, type CertificateLook } from './certificate.ts';
export {
  drawMark,
  finishPaper,
  openPaper,
  writeAddress,
  writeHeadline,
  writeOrigin,
  writePageNumbers,
  writeRows,
  writeSentence,
  type Paper,
  type PaperPart,
  type PaperRow,
  type PaperScale,
} from './paper.ts';
export { writeTable, type TableColumn } from './table.ts';
