/** An element with its namespace resolved; its children are elements and texts in document order. */
export type XmlElement = {
  readonly name: string;
  /** Empty if there is none. */
  readonly namespace: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly (XmlElement | string)[];
};

export type XmlAttribute = { readonly name: string; readonly namespace: string; readonly value: string };

/** Why a text is not accepted as XML. The message completes "The document …" and can be shown. */
export class XmlError extends Error {}

const depth_max = 40;
const attributes_max = 100;

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const declarationNamespace = 'http://www.w3.org/2000/xmlns/';

type OpenElement = { readonly raw: string; readonly scope: Scope; readonly element: MutableElement };
type MutableElement = Omit<XmlElement, 'children'> & { readonly children: (XmlElement | string)[] };

/**
 * The namespaces of prefixes: those that an element declares itself, and the scope around it. Elements do not copy the outer declarations,
 * because thousands of declarations copied for thousands of elements would block the process for seconds.
 */
type Scope = { readonly declared: ReadonlyMap<string, string>; readonly outer: Scope | undefined };

const rootScope: Scope = { declared: new Map([['xml', xmlNamespace]]), outer: undefined };

/** `strict` for what is signed; `lenient` for what somebody vouches for as a whole. */
type XmlForm = 'strict' | 'lenient';

export type ReadingOptions = {
  readonly form?: XmlForm;
  /** The limit of elements and attributes, namespace declarations included. */
  readonly nodes_max?: number;
};

/**
 * Reads the part of XML on which all parsers agree: elements, attributes, text, the five named entities and character references. Anything
 * else is refused: document types, other entities, comments, processing instructions, CDATA, and text that is not well-formed. If two
 * parsers read a document differently, a signature is verified on one reading and trusted on the other.
 *
 * The form `lenient` also reads what tools and people add to a document whose signature nobody verifies: comments, processing instructions, CDATA, a byte
 * order mark or space before the declaration, and any encoding in it, because the text is decoded already. Document types stay refused.
 *
 * @throws XmlError
 */
export function readXml(
  text: string,
  { form = 'strict', nodes_max = 20_000 }: ReadingOptions = {},
): XmlElement {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text))
    throw new XmlError('has a character that XML does not allow');
  const isLenient = form === 'lenient';
  const reader = createReader(text.replace(/\r\n?/g, '\n'));
  if (isLenient) reader.take(/[\ufeff \t\n]+/y);
  reader.take(isLenient ? lenientDeclaration : strictDeclaration);
  const open: OpenElement[] = [];
  let nodes = 0;
  for (;;) {
    const characters = reader.take(/[^<]+/y)?.[0];
    if (characters !== undefined) addText(open.at(-1), characters);
    if (isLenient && reader.take(/<!--(?:(?!--)[^])*-->|<\?(?!xml[ \t\n])[^]*?\?>/iy)) continue;
    const section = isLenient ? reader.take(/<!\[CDATA\[([^]*?)\]\]>/y)?.[1] : undefined;
    if (section !== undefined) {
      addSection(open.at(-1), section);
      continue;
    }
    const closing = reader.take(/<\/([^ \t\n<>/]+)[ \t\n]*>/y)?.[1];
    if (closing !== undefined) {
      const ended = open.pop();
      if (ended?.raw !== closing)
        throw new XmlError('is not well-formed: an end tag does not match its start tag');
      if (open.length === 0) return requireEnd(reader, ended.element, isLenient);
      continue;
    }
    const opened = readOpeningTag(reader, open.at(-1)?.scope ?? rootScope);
    nodes += opened.nodes;
    if (nodes > nodes_max || open.length >= depth_max) throw new XmlError('has too many elements');
    open.at(-1)?.element.children.push(opened.element);
    if (!opened.empty) open.push(opened);
    else if (open.length === 0) return requireEnd(reader, opened.element, isLenient);
  }
}

const strictDeclaration =
  /<\?xml[ \t\n]+version=(["'])1\.0\1(?:[ \t\n]+encoding=(["'])utf-8\2)?(?:[ \t\n]+standalone=(["'])(?:yes|no)\3)?[ \t\n]*\?>/iy;
const lenientDeclaration = /<\?xml[ \t\n](?:[^?<>]|\?(?!>))*\?>/iy;

type Reader = { take(pattern: RegExp): RegExpExecArray | null; isAtEnd(): boolean };

function createReader(text: string): Reader {
  let at = 0;
  return {
    take: (pattern) => {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (found) at += found[0].length;
      return found;
    },
    isAtEnd: () => at === text.length,
  };
}

function requireEnd(reader: Reader, root: XmlElement, isLenient: boolean): XmlElement {
  reader.take(isLenient ? /(?:[ \t\n]|<!--(?:(?!--)[^])*-->|<\?(?!xml[ \t\n])[^]*?\?>)+/iy : /[ \t\n]+/y);
  if (!reader.isAtEnd()) throw new XmlError('has content after its root element');
  return root;
}

function addText(open: OpenElement | undefined, characters: string): void {
  if (open === undefined) {
    if (/[^ \t\n]/.test(characters))
      throw new XmlError('is not well-formed: text is outside the root element');
    return;
  }
  if (characters.includes(']]>')) throw new XmlError('is not well-formed: a text contains ]]>');
  appendText(open.element, unescapeText(characters));
}

/** Adds the text of a CDATA section, in which nothing is a reference. */
function addSection(open: OpenElement | undefined, characters: string): void {
  if (open === undefined) throw new XmlError('is not well-formed: text is outside the root element');
  appendText(open.element, characters);
}

/** A skipped comment and a section must not split a text in two. */
function appendText({ children }: MutableElement, text: string): void {
  const last = children.at(-1);
  if (typeof last === 'string') children[children.length - 1] = last + text;
  else children.push(text);
}

function readOpeningTag(
  reader: Reader,
  outer: Scope,
): OpenElement & { readonly empty: boolean; readonly nodes: number } {
  const raw = reader.take(/<([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)/y)?.[1];
  if (raw === undefined) throw new XmlError(describeFault(reader));
  const written = new Map<string, string>();
  for (;;) {
    const attribute = reader.take(
      /[ \t\n]+([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)[ \t\n]*=[ \t\n]*(?:"([^"<]*)"|'([^'<]*)')/y,
    );
    if (!attribute) break;
    const [, name = '', quoted, apostrophed] = attribute;
    if (written.has(name)) throw new XmlError('is not well-formed: an attribute appears twice');
    if (written.size >= attributes_max) throw new XmlError('has too many attributes');
    written.set(name, unescapeText((quoted ?? apostrophed ?? '').replace(/[\t\n]/g, ' ')));
  }
  const end = reader.take(/[ \t\n]*(\/?)>/y);
  if (!end) throw new XmlError('is not well-formed: a tag is not closed');
  const declared = readDeclarations(written);
  const scope = declared.size === 0 ? outer : { declared, outer };
  const element = {
    ...resolveName(raw, scope, findNamespace(scope, '') ?? ''),
    attributes: resolveAttributes(written, scope),
    children: [],
  };
  return { raw, scope, element, empty: end[1] === '/', nodes: 1 + written.size };
}

function describeFault(reader: Reader): string {
  if (reader.take(/<!DOCTYPE/iy)) return 'must not have a document type';
  if (reader.take(/<!--/y)) return 'must not have a comment';
  if (reader.take(/<!\[CDATA\[/y)) return 'must not have a CDATA section';
  if (reader.take(/<\?/y)) return 'must not have a processing instruction';
  return reader.isAtEnd() ? 'is incomplete' : 'is not well-formed';
}

/** Prefix → namespace; the empty prefix is the default. */
function readDeclarations(written: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const declarations = new Map<string, string>();
  for (const [name, value] of written) {
    const prefix = name === 'xmlns' ? '' : /^xmlns:(.+)$/.exec(name)?.[1];
    if (prefix === undefined) continue;
    const reserved =
      ['xml', 'xmlns'].includes(prefix) || [xmlNamespace, declarationNamespace].includes(value);
    if (reserved || (prefix !== '' && value === '')) throw new XmlError('declares an invalid namespace');
    declarations.set(prefix, value);
  }
  return declarations;
}

function resolveAttributes(written: ReadonlyMap<string, string>, scope: Scope): readonly XmlAttribute[] {
  const attributes = [...written]
    .filter(([name]) => name !== 'xmlns' && !name.startsWith('xmlns:'))
    .map(([name, value]) => ({ ...resolveName(name, scope, ''), value }));
  const distinct = new Set(attributes.map(({ name, namespace }) => `${namespace} ${name}`));
  if (distinct.size < attributes.length) throw new XmlError('is not well-formed: an attribute appears twice');
  return attributes;
}

/** @param unprefixed The namespace of a name without a prefix. */
function resolveName(
  raw: string,
  scope: Scope,
  unprefixed: string,
): { readonly name: string; readonly namespace: string } {
  const colon = raw.indexOf(':');
  if (colon === -1) return { name: raw, namespace: unprefixed };
  const namespace = findNamespace(scope, raw.slice(0, colon));
  if (namespace === undefined) throw new XmlError('uses an undeclared namespace prefix');
  return { name: raw.slice(colon + 1), namespace };
}

/** Takes at most as many steps as the elements are nested. */
function findNamespace(scope: Scope, prefix: string): string | undefined {
  for (let around: Scope | undefined = scope; around; around = around.outer) {
    const namespace = around.declared.get(prefix);
    if (namespace !== undefined) return namespace;
  }
  return undefined;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescapeText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|([a-z]+));|&/g,
    (_, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined && Object.hasOwn(entities, name)) return entities[name]!;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      if (!isCharacter(code)) throw new XmlError('has an invalid entity or character reference');
      return String.fromCodePoint(code);
    },
  );
}

function isCharacter(code: number): boolean {
  const above = (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd);
  return [0x9, 0xa, 0xd].includes(code) || above || (code >= 0x10000 && code <= 0x10ffff);
}

/** The value of an attribute that has no namespace, or undefined. */
export function findAttribute({ attributes }: XmlElement, name: string): string | undefined {
  return attributes.find((each) => each.name === name && each.namespace === '')?.value;
}

/** The child elements. */
export function listChildren({ children }: XmlElement): readonly XmlElement[] {
  return children.filter((child) => typeof child !== 'string');
}

/** The child elements with a name. */
export function listNamedChildren(
  element: XmlElement,
  namespace: string,
  name: string,
): readonly XmlElement[] {
  return listChildren(element).filter((child) => child.namespace === namespace && child.name === name);
}

/** The element and all its descendants, in document order. */
export function listElements(element: XmlElement): readonly XmlElement[] {
  return [element, ...listChildren(element).flatMap(listElements)];
}

/** The text of an element without the surrounding space; undefined if the element has child elements. */
export function readText({ children }: XmlElement): string | undefined {
  const texts = children.filter((child) => typeof child === 'string');
  if (texts.length < children.length) return undefined;
  return trimSpace(texts.join(''));
}

const space = '\t\n\r ';

/**
 * Removes the space of XML at both ends. A pattern such as `[\t\n\r ]+$` searches from every position, so that a long run of spaces takes
 * quadratic time; `trim()` also removes other kinds of space.
 */
function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && space.includes(text[start]!)) start++;
  while (end > start && space.includes(text[end - 1]!)) end--;
  return text.slice(start, end);
}
