/** An element with its namespace resolved; children are elements and texts in their order. */
export type XmlElement = {
  readonly name: string;
  /** Empty where there is none. */
  readonly namespace: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly (XmlElement | string)[];
};

export type XmlAttribute = { readonly name: string; readonly namespace: string; readonly value: string };

/** Why a text is not taken as XML; the message can be shown. */
export class XmlError extends Error {}

const depth_max = 40;
const attributes_max = 100;

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const declarationNamespace = 'http://www.w3.org/2000/xmlns/';

type OpenElement = { readonly raw: string; readonly scope: Scope; readonly element: MutableElement };
type MutableElement = Omit<XmlElement, 'children'> & { readonly children: (XmlElement | string)[] };

/**
 * What prefixes stand for: those that an element declares itself, and what stands around it. Never one table per element: some thousand
 * declarations outside, copied for some thousand elements inside, would hold the process for seconds.
 */
type Scope = { readonly declared: ReadonlyMap<string, string>; readonly outer: Scope | undefined };

const rootScope: Scope = { declared: new Map([['xml', xmlNamespace]]), outer: undefined };

export type ReadingOptions = {
  readonly remarks?: 'refuse' | 'skip';
  /** Elements and their attributes, declarations of namespaces among them. */
  readonly nodes_max?: number;
};

/**
 * Reads the part of XML on which all parsers agree: elements, attributes, text, the five named entities and character references. A
 * document type, an entity of its own, CDATA, and also comments and processing instructions unless `remarks` says `skip`, are refused, as
 * is whatever is not well-formed. Where one parser sees another document than the next one, a signature is checked on the one and
 * believed on the other.
 *
 * @throws XmlError
 */
export function readXml(
  text: string,
  { remarks = 'refuse', nodes_max = 20_000 }: ReadingOptions = {},
): XmlElement {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text))
    throw new XmlError('holds a character that XML does not have');
  const reader = createReader(text.replace(/\r\n?/g, '\n'));
  reader.take(
    /<\?xml[ \t\n]+version=(["'])1\.0\1(?:[ \t\n]+encoding=(["'])utf-8\2)?(?:[ \t\n]+standalone=(["'])(?:yes|no)\3)?[ \t\n]*\?>/iy,
  );
  const open: OpenElement[] = [];
  let nodes = 0;
  for (;;) {
    const characters = reader.take(/[^<]+/y)?.[0];
    if (characters !== undefined) addText(open.at(-1), characters);
    if (remarks === 'skip' && reader.take(/<!--(?:(?!--)[^])*-->|<\?(?!xml[ \t\n])[^]*?\?>/iy)) continue;
    const closing = reader.take(/<\/([^ \t\n<>/]+)[ \t\n]*>/y)?.[1];
    if (closing !== undefined) {
      const ended = open.pop();
      if (ended?.raw !== closing)
        throw new XmlError('is not well-formed: a tag does not close the one it should');
      if (open.length === 0) return requireEnd(reader, ended.element, remarks);
      continue;
    }
    const opened = readOpeningTag(reader, open.at(-1)?.scope ?? rootScope);
    nodes += opened.nodes;
    if (nodes > nodes_max || open.length >= depth_max) throw new XmlError('has too many elements');
    open.at(-1)?.element.children.push(opened.element);
    if (!opened.empty) open.push(opened);
    else if (open.length === 0) return requireEnd(reader, opened.element, remarks);
  }
}

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

function requireEnd(reader: Reader, root: XmlElement, remarks: 'refuse' | 'skip'): XmlElement {
  reader.take(remarks === 'skip' ? /(?:[ \t\n]|<!--(?:(?!--)[^])*-->)+/y : /[ \t\n]+/y);
  if (!reader.isAtEnd()) throw new XmlError('has something after its root element');
  return root;
}

function addText(open: OpenElement | undefined, characters: string): void {
  if (open === undefined) {
    if (/[^ \t\n]/.test(characters))
      throw new XmlError('is not well-formed: there is text outside of its root element');
    return;
  }
  if (characters.includes(']]>')) throw new XmlError('is not well-formed: there is a ]]> in a text');
  const { children } = open.element;
  const last = children.at(-1);
  // A remark between two texts must not make them two.
  if (typeof last === 'string') children[children.length - 1] = last + unescapeText(characters);
  else children.push(unescapeText(characters));
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
    if (written.has(name)) throw new XmlError('is not well-formed: an attribute stands twice');
    if (written.size >= attributes_max) throw new XmlError('has too many attributes');
    written.set(name, unescapeText((quoted ?? apostrophed ?? '').replace(/[\t\n]/g, ' ')));
  }
  const end = reader.take(/[ \t\n]*(\/?)>/y);
  if (!end) throw new XmlError('is not well-formed: a tag does not end');
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
  if (reader.take(/<!DOCTYPE/iy)) return 'has a document type';
  if (reader.take(/<!--/y)) return 'has a comment';
  if (reader.take(/<!\[CDATA\[/y)) return 'has a CDATA section';
  if (reader.take(/<\?/y)) return 'has a processing instruction';
  return reader.isAtEnd() ? 'is not complete' : 'is not well-formed';
}

/** Prefix → namespace; the empty prefix is the default. */
function readDeclarations(written: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of written) {
    const prefix = name === 'xmlns' ? '' : /^xmlns:(.+)$/.exec(name)?.[1];
    if (prefix === undefined) continue;
    const reserved =
      ['xml', 'xmlns'].includes(prefix) || [xmlNamespace, declarationNamespace].includes(value);
    if (reserved || (prefix !== '' && value === ''))
      throw new XmlError('declares a namespace that cannot be');
    found.set(prefix, value);
  }
  return found;
}

function resolveAttributes(written: ReadonlyMap<string, string>, scope: Scope): readonly XmlAttribute[] {
  const attributes = [...written]
    .filter(([name]) => name !== 'xmlns' && !name.startsWith('xmlns:'))
    .map(([name, value]) => ({ ...resolveName(name, scope, ''), value }));
  const distinct = new Set(attributes.map(({ name, namespace }) => `${namespace} ${name}`));
  if (distinct.size < attributes.length) throw new XmlError('is not well-formed: an attribute stands twice');
  return attributes;
}

/** @param unprefixed The namespace of a name without a prefix. */
function resolveName(
  raw: string,
  scope: Scope,
  unprefixed: string,
): { readonly name: string; readonly namespace: string } {
  const [local, prefix] = raw.split(':').reverse() as [string, string | undefined];
  if (prefix === undefined) return { name: local, namespace: unprefixed };
  const namespace = findNamespace(scope, prefix);
  if (namespace === undefined) throw new XmlError('uses a namespace prefix that it does not declare');
  return { name: local, namespace };
}

/** As deep as elements stand, at most. */
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
      if (!isCharacter(code)) throw new XmlError('has an entity that is not one of XML’s own');
      return String.fromCodePoint(code);
    },
  );
}

function isCharacter(code: number): boolean {
  const above = (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd);
  return [0x9, 0xa, 0xd].includes(code) || above || (code >= 0x10000 && code <= 0x10ffff);
}

/** The value of an attribute without a namespace, or undefined. */
export function findAttribute({ attributes }: XmlElement, name: string): string | undefined {
  return attributes.find((each) => each.name === name && each.namespace === '')?.value;
}

/** The elements directly inside. */
export function listChildren({ children }: XmlElement): readonly XmlElement[] {
  return children.filter((child) => typeof child !== 'string');
}

/** The elements of a name directly inside. */
export function listNamedChildren(
  element: XmlElement,
  namespace: string,
  name: string,
): readonly XmlElement[] {
  return listChildren(element).filter((child) => child.namespace === namespace && child.name === name);
}

/** The element and everything in it, in the order of the document. */
export function listElements(element: XmlElement): readonly XmlElement[] {
  return [element, ...listChildren(element).flatMap(listElements)];
}

/** The text of an element that holds nothing but text, without the space around it; undefined where it holds elements. */
export function readText({ children }: XmlElement): string | undefined {
  const texts = children.filter((child) => typeof child === 'string');
  if (texts.length < children.length) return undefined;
  return texts.join('').replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
}
