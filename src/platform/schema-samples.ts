/** The ids of the people and things in the samples of the API reference. Each has one id, so that the samples of different endpoints fit together. */
export const sampleIds = {
  member: '5b0c2f5e-6f0a-4d8e-9a53-0f6b7c1d2e34',
  user: '0c9d5a1e-7a54-4f0b-8f2d-3e1b6a7c8d90',
  colleague: '7e2f4b6a-1c3d-4e5f-8a9b-0c1d2e3f4a5b',
  session: '9f1e2d3c-4b5a-4c6d-8e7f-1a2b3c4d5e6f',
  passkey: '4d5e6f70-8192-4a3b-bc4d-5e6f7a8b9c0d',
  organisation: '2a7d4c18-93f5-4b61-8c0e-5d2f1b3a4c67',
  job: 'c41f8e27-5d3b-4a90-b6e1-7f2a9c0d8b15',
  serviceKey: 'a1c3e5f7-2b4d-4608-9ace-13579bdf0246',
  match: 'e8a3b7d2-0f4c-4e19-9b58-6c1d2f3a7e40',
  task: '3d6b9e50-8c2f-4a71-9e04-b5f7a1c8d263',
  credential: '91f0c3a8-2e6d-4b75-a8f1-4c0b7d9e5a32',
  list: '6a5e4d3c-2b1f-4098-8765-43210fedcba9',
  assessment: 'b2d4f6a8-1c3e-4579-8b0d-2f4a6c8e0b13',
  entry: 'd7c5b3a1-9f8e-4d6c-8b4a-2e1f0d9c8b7a',
} as const;

/** Tokens in samples are shortened, and no service accepts them. */
export const sampleTokens = {
  access: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjFhMmIifQ.eyJyb2xlIjoibWVtYmVyIn0.c2FtcGxl',
  mail: 'Zk3Qm9s1XeYt7uRwPb2hVd5cLg8nJa4oTi6fKqE0yUw',
} as const;
