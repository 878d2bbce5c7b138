import { readFileSync } from 'node:fs';
import path from 'node:path';
import { computeLine, fault, listFiles, listRootFiles, type Source } from './source.ts';

/** Words and habits that make readers stumble, and what to write instead. Each pattern takes time in proportion to the text. */
const phrases: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:who|whom|whoso)ever\b/gi, 'the user, the caller, anyone who …'],
  [/\bwhatever\s+(?:is|was|are|were|has|had)\b/gi, 'everything that …, any …'],
  [/\banew\b/gi, 'again, from scratch'],
  [
    /\b(?:is|are|was|were)\s+no\s+[\w-]+(?:\s+[\w-]+)?\s+(?:that|who|which|whose)\b/gi,
    'no X …, X must not …, only Y may …',
  ],
  [/\/\*\*\s+Keeps\b|\bkeeps\s+that\b/g, 'Ensures that …, Stores …, or another plain verb'],
  [/\bno\s+more(?=\s*[.,;:)!?])|\bworks\s+no\s+more\b/gi, 'no longer'],
  [/\bthis\s+very\b/gi, 'now, this'],
  [
    /\bstand(?:s|ing)?\s+(?:in|twice|there|here|beside|behind|above|below|before|outside|alone|now)\b/gi,
    'is in, appears, is stored',
  ],
  [/\btold\b|\b(?:tells?|hears?)\s+of\b|\bheard\b/gi, 'says, receives, is informed'],
  [/\bnews\b/gi, 'events, changes'],
  [/\bdoors?\b/gi, 'the HTTP server'],
  [/\bhouses?\b/gi, 'the project, the service'],
  [/\bsomebody\s+else\b/gi, 'another user, somebody with another …'],
  [/\bnobody[’']s\b/gi, 'no one user’s'],
  [/\bas\s+of\b|\bof\s+now\b/gi, 'since, from, current'],
  [/\bAs\s+for\b/g, 'For example'],
  [/\bof\s+(?:it|them)sel(?:f|ves)\b/gi, 'automatically'],
  [/\bmay\s+well\b/gi, 'may, often'],
  [/\b(?:is|are|was|were)\s+(?:never\s+|not\s+)?to\s+be\b|\bis\s+never\s+to\b/gi, 'must, must not'],
  [/\blets?\s+in\b/gi, 'admits, accepts'],
  [/\b(?:the|an)\s+own\b/gi, 'its own, the caller’s own'],
  [/\bnot\s+as\s+(?:it|they)\s+must\s+be\b/gi, 'has an invalid value'],
  [/\bnothing\s+to\s+say\b/gi, 'no content'],
  [/,\s+also\s+(?:not|after|before|for|if|in|when|with|without)\b/gi, 'even after …, even if …, including …'],
  [/(?<!\bthere\s)\b(?:are|were)\s+no\s+(?!longer\b|more\b)\w+/gi, 'are not …'],
  [/\b(?:is|are)\s+to\s+(?!the\b|an?\b|its\b|be\b)[a-z]+/g, 'will …, must …'],
  [/\bthe\s+present\b/gi, 'the current'],
  [/\bsome\s+(?=\d|(?:hundred|thousand|million)\b)/gi, 'about, a few'],
  [/\be-mail/gi, 'email'],
  [/\b(?:second|two)[- ]factors?\b|\btwo-step\b/gi, 'MFA'],
  // Paths and file names keep the word of the design.
  [/(?<![\w/-])sign(?:s|ed|ing)?[- ]ins?\b(?!\s+its\b)/gi, 'log in, login'],
];

/** Files whose words are not ours to choose, or that quote what must not be written. */
const exempt: ReadonlySet<string> = new Set([
  'STYLE.md',
  'docs/glossary.md',
  'scripts/tidy/phrases.ts',
  // Statements about everyday life, in everyday words.
  'src/modules/organisations/culture/questionnaire.ts',
  'test/requirements.ts',
  'tidy.test.ts',
]);

/** Banned phrases in the comments and strings of sources. */
export function findSourcePhrases(sources: readonly Source[]): string[] {
  return sources.flatMap((each) => findPhrases(each.path, maskCode(each)));
}

/** Banned phrases in the documents. Code in them is not read. */
export function findMarkdownPhrases(root: string): string[] {
  return [...listRootFiles(root, /\.md$/), ...listFiles(root, 'docs', /\.md$/)].flatMap((file) =>
    findPhrases(file, maskMarkdownCode(readFileSync(path.join(root, file), 'utf8'))),
  );
}

function findPhrases(file: string, prose: string): string[] {
  if (exempt.has(file)) return [];
  return phrases.flatMap(([pattern, instead]) =>
    [...prose.matchAll(pattern)].map((match) =>
      fault(
        file,
        computeLine(prose, match.index),
        `“${match[0].replace(/\s+/g, ' ')}” is hard to read; write: ${instead}.`,
      ),
    ),
  );
}

/** Comments and strings, with bars in place of code, and blanks in place of the marks at the beginning of a comment's lines. */
function maskCode({ text, code }: Source): string {
  let prose = '';
  for (const { 0: piece, index } of code.matchAll(/[^ \n]+/g))
    prose += text.slice(prose.length, index) + '|'.repeat(piece.length);
  return (prose + text.slice(prose.length)).replace(
    /\n[ \t]*(?:\*(?!\/)|\/\/)/g,
    (start) => `\n${' '.repeat(start.length - 1)}`,
  );
}

/** Markdown with blanks in place of fenced blocks and code spans. */
function maskMarkdownCode(text: string): string {
  return text.replace(/^```[^\n]*\n(?:(?!```)[^\n]*\n)*```|`[^`\n]*`/gm, (code) =>
    code.replace(/[^\n]/g, '|'),
  );
}
