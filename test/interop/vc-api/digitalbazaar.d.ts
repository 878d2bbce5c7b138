/** The parts of these packages that only the VC-API uses. The packages have no types. */
declare module '@digitalbazaar/vc' {
  type AnyLoader = (url: string) => Promise<{ contextUrl: null; documentUrl: string; document: object }>;
  export function derive(options: {
    verifiableCredential: object;
    suite: object;
    documentLoader: AnyLoader;
  }): Promise<object>;
  export function signPresentation(options: {
    presentation: object;
    suite: object;
    documentLoader: AnyLoader;
    challenge: string;
    domain?: string;
  }): Promise<object>;
}

declare module '@digitalbazaar/ecdsa-jcs-2019-cryptosuite' {
  export function createSignCryptosuite(): object;
  export function createVerifyCryptosuite(): object;
}

declare module '@digitalbazaar/eddsa-rdfc-2022-cryptosuite' {
  export const cryptosuite: object;
}

declare module '@digitalbazaar/ecdsa-sd-2023-cryptosuite' {
  export function createSignCryptosuite(options: { mandatoryPointers: readonly string[] }): object;
  export function createDiscloseCryptosuite(options: { selectivePointers: readonly string[] }): object;
  export function createVerifyCryptosuite(): object;
}

declare module 'jsonld-signatures' {
  const signatures: {
    readonly purposes: {
      readonly AuthenticationProofPurpose: new (options: { challenge: string; domain?: string }) => object;
    };
    verify(
      document: object,
      options: {
        suite: readonly object[];
        purpose: object;
        documentLoader: (url: string) => Promise<object>;
      },
    ): Promise<{ verified: boolean; error?: unknown }>;
  };
  export default signatures;
}
