/** Inserts HTML at the start of the body of a document. A document without a body stays as it is. */
export function insertIntoBody(document: string, inserted: string): string {
  return document.replace(/<body[^<>]*>/, (body) => `${body}\n${inserted}`);
}
