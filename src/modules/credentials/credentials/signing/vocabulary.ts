import { addedTermMeanings, termMeanings, vcTypes, type Issuer } from './issuer.ts';

const xsd = 'http://www.w3.org/2001/XMLSchema#';

/** The data types of terms whose values are not plain text. */
const datatypes: Readonly<Record<string, string>> = {
  trait_coverage: `${xsd}double`,
  assessment_completed_on: `${xsd}date`,
  placed_on: `${xsd}date`,
  ended_on: `${xsd}date`,
};

/** The terms within a value, where it is an object: those of Open Badges 3.0, with the same meanings as in its context. */
const innerTerms: Readonly<Record<string, object>> = {
  achievement_alignment: {
    targetName: 'https://schema.org/targetName',
    targetUrl: { '@id': 'https://schema.org/targetUrl', '@type': `${xsd}anyURI` },
    targetFramework: 'https://schema.org/targetFramework',
    targetCode: 'https://purl.imsglobal.org/spec/vc/ob/vocab.html#targetCode',
  },
};

const types: ReadonlySet<string> = new Set(Object.values(vcTypes));

/** The JSON-LD context of the service's own terms. It never changes: new terms need a new version in its URL. */
export function buildCredentialContext(issuer: Issuer): object {
  return buildContext(issuer, Object.keys(termMeanings));
}

/** The JSON-LD context of the terms that were added later. It never changes either. */
export function buildAddedContext(issuer: Issuer): object {
  return buildContext(issuer, Object.keys(addedTermMeanings));
}

/** The context of the terms of a service at a URL; undefined if it has none there. */
export function findContext(issuer: Issuer, url: string): object | undefined {
  if (url === issuer.context) return buildCredentialContext(issuer);
  return url === issuer.added_context ? buildAddedContext(issuer) : undefined;
}

function buildContext({ vocabulary }: Issuer, names: readonly string[]): object {
  const terms = names.map((term): readonly [string, string | object] => {
    const id = `${vocabulary}${term}`;
    const [datatype, inner] = [datatypes[term], innerTerms[term]];
    if (inner) return [term, { '@id': id, '@container': '@set', '@context': inner }];
    return [term, datatype === undefined ? id : { '@id': id, '@type': datatype }];
  });
  return { '@context': { '@version': 1.1, '@protected': true, ...Object.fromEntries(terms) } };
}

/** The meanings of the service's own terms as linked data (RDF Schema). */
export function buildVocabulary({ vocabulary }: Issuer): object {
  return {
    '@context': {
      rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
      rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
    },
    '@graph': Object.entries({ ...termMeanings, ...addedTermMeanings }).map(([term, meaning]) => ({
      '@id': `${vocabulary}${term}`,
      '@type': types.has(term) ? 'rdfs:Class' : 'rdf:Property',
      'rdfs:label': term,
      'rdfs:comment': meaning,
    })),
  };
}
