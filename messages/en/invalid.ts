/** What is wrong with a field of the input. Keys are the messages of zod schemas (server/errors/invalid.ts). */
export const invalid = {
  input: 'The input is not valid.',
  username:
    'A user name has 3 to 32 letters, digits, dots, dashes or underscores, and starts with a letter or a digit.',
} as const
