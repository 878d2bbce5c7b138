const acronyms: Readonly<Record<string, string>> = { mfa: 'MFA', sso: 'SSO', gdpr: 'GDPR' };

/** Formats the name of an operation as a short title: `notes.createNote` is "Create note". */
export function formatTitle(name: string): string {
  const words = name
    .slice(name.indexOf('.') + 1)
    .split(/(?=[A-Z])/)
    .map((word) => acronyms[word.toLowerCase()] ?? word.toLowerCase());
  const title = words.join(' ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}
