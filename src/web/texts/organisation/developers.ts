/** The pages for developers: service keys, first steps, recent requests, and applicant tracking systems. */
export const developerTexts = {
  serviceKeys: {
    title: 'Developers',
    leads: {
      organisation:
        'Programs of your organisation, such as an applicant tracking system, call Tessera with a key of their own. Nobody has to log in for them.',
      operator:
        'Programs of the operator, such as monitoring, read this service with a key of their own. Nobody has to log in for them.',
    },
    keys: 'Service keys',
    add: 'Create a key',
    empty: 'There are no service keys yet. With the first one, this page has the first steps of a program.',
    places: 'What else programs use',
    hint: (hint: string) => `ends with ${hint}`,
    unused: 'never used',
    used: (time: string) => `last used ${time}`,
    expires: (date: string) => `until ${date}`,
    expired: (date: string) => `expired ${date}`,
    ending: 'The key ends with',
    use: 'Use',
    end: 'Accepted',
    previous: 'The key before it is accepted until',
    networks: 'Networks',
    anyNetwork: 'all',
    permissions: 'What it may call',
    rotate: 'Replace the key',
    rotateLead:
      'You get a new key, which then acts for you. During the overlap the old one works as well, so that you can change your programs over. If somebody may know the key, choose no overlap.',
    replaceLead:
      'The program signs with the private key of the new one, and acts for you. During the overlap the old one works as well. If somebody may know its private key, choose no overlap, which also ends its tokens.',
    revoke: 'Revoke the key',
    revokeLead: 'Programs that use it are refused within a second. This cannot be undone.',
  },
  developerPlaces: {
    events: {
      label: 'Events',
      sentence:
        'webhooks that are sent to your servers, and streams that a program fetches where there is no public address.',
    },
    partners: {
      label: 'Applicant tracking systems',
      sentence: 'connect Greenhouse or Ashby, so that recruiters never leave it.',
    },
    directory: {
      label: 'Single sign-on and directory',
      sentence: 'SAML, OpenID Connect and SCIM.',
    },
    audit: { label: 'Audit log', sentence: 'what was done, with the key that did it.' },
    reference: { label: 'API reference', sentence: 'every operation, to read and to try.' },
    sandbox: {
      sentence:
        'Sandbox: a service of your own, with made-up people and a clock that you move, started from the source of Tessera by',
    },
  },
  quickstart: {
    title: 'First steps',
    shell: 'In the shell',
    shellLead: 'The programs below read the key from here. It is not shown again.',
    placeholderLead:
      'The programs below read the key from here. Put in the one that you have stored: it is not shown again.',
    tokenLead: 'The programs below read the token from here.',
    exchangeLead:
      'The program signs an assertion with its private key, and exchanges it for a token of ten minutes. OAuth libraries do this with:',
    clientId: 'Client id',
    tokenEndpoint: 'Token endpoint',
    audience: 'Audience',
    method: 'Method',
    noRow:
      'This key may call no row that a program could try without an id. The pages of your directory and of applicant tracking systems say what to enter there.',
    typescriptLead: 'With the typed client, which npm pack -w client builds in the source of Tessera.',
  },
  keyRequests: {
    title: 'Recent requests',
    lead: 'The newest 100 of the last seven days, without their contents. A new one appears within seconds.',
    empty: 'No program has used the key in the last seven days.',
    request: 'Request',
    answer: 'Answer',
    duration: 'Duration',
    time: 'Time',
    unknownPath: '(unknown path)',
    milliseconds: (count: string) => `${count} ms`,
  },
  newServiceKey: {
    title: 'Create a service key',
    lead: 'A key acts for you, within what you permit here, until it expires or your account ends. What only a person may do stays closed to it: accounts, people, webhooks and other keys.',
    name: 'Name',
    nameHint: 'What the key is for, for example the name of the program.',
    purpose: 'What may it do?',
    purposes: {
      organisation: {
        hiring: 'Jobs and people: create and change jobs, read who fits, decide',
        reading: 'Read everything that your organisation can read',
        directory: 'Your directory: create, change and remove the users of your organisation (SCIM)',
        partners:
          'Your applicant tracking system (Greenhouse or Ashby): send jobs to candidates, read results',
        own: 'Only what I name below',
      },
      operator: {
        monitoring: 'Monitoring: read health, the queue, the match index, and the books',
        reading: 'Read everything that you can read, accounts of people included',
        own: 'Only what I name below',
      },
    },
    rows: 'Further rows of the API',
    rowsHints: {
      organisation: 'One a line, as method and path: GET /orgs/me/jobs. The API reference lists all of them.',
      operator: 'One a line, as method and path: GET /operator/health. The API reference lists all of them.',
    },
    networks: 'Networks',
    networksHint: 'Addresses or networks from which the key is accepted, one a line, such as 203.0.113.0/24.',
    expiry: 'Expires',
    expiries: { 30: 'in 30 days', 90: 'in 90 days', 365: 'in a year', 730: 'in two years' },
    publicKey: 'Public key (JWK)',
    publicKeyHint:
      'For a program that signs with a private key instead of sending a secret: P-256, Ed25519, or RSA from 2048 bits. Leave it empty for a secret.',
    button: 'Create the key',
    createdTitle: 'Your key is ready',
    rotatedTitle: 'The new key',
    registeredTitle: 'The public key is registered',
    createdLead: 'Copy the key now. It is not shown again.',
    registeredLead: 'Your program can exchange its first assertion now.',
    done: 'I have stored it',
    look: 'See the key',
  },
  partners: {
    title: 'Applicant tracking systems',
    lead: 'Recruiters send a job to a candidate from Greenhouse or Ashby, and read the result there: a tier in words with a link, never a number.',
    back: 'Developers',
    names: { greenhouse: 'Greenhouse', ashby: 'Ashby' },
    connected: (date: string) => `connected since ${date}`,
    disconnected: 'not connected',
    origin: 'Results go to',
    changed: 'Key stored',
    steps: 'How to connect it',
    createKey: 'Create a service key for it',
    createKeyLead: 'It lets the system send jobs to candidates. Write down when it expires.',
    enter: {
      greenhouse: 'Give Greenhouse this key as the API key of your assessment partner, and these addresses:',
      ashby: 'Give Ashby this key and this address:',
    },
    addresses: 'Address',
    store: {
      greenhouse: 'Store the same service key here, because Greenhouse accepts results by it.',
      ashby: 'In Ashby, create an API key with the permission candidatesWrite, and store that key here.',
    },
    key: { greenhouse: 'The service key', ashby: 'The API key of Ashby' },
    keyHint: 'It is stored encrypted, and shown to nobody.',
    originLabel: 'Another address of the system',
    originHint: (usual: string) => `Only if results do not go to ${usual}, for example for a bridge.`,
    connect: (name: string) => `Connect ${name}`,
    replace: (name: string) => `Store another key of ${name}`,
    disconnect: (name: string) => `Disconnect ${name}`,
    consequences: [
      'No result is sent any more, and none that the system has is recalled. Cancel open invitations before.',
      'The stored key is deleted. The service key works until you revoke it.',
    ],
    administrators: 'Administrators of your organisation connect and disconnect systems.',
  },
};
