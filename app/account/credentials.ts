import type { credentials } from '#messages/en/credentials.ts'

/** A key of the messages `credentials`. */
type Problem = Extract<keyof typeof credentials, 'usernameInvalid' | 'passwordShort' | 'passwordsDiffer'>

const MIN_PASSWORD = 10

/** What is wrong with a user name, checked before it is sent; null if nothing is. */
export const usernameProblem = (username: string): Problem | null =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{2,31}$/.test(username) ? null : 'usernameInvalid'

/** What is wrong with a password, checked before it is sent. The server also refuses common ones. */
export function passwordProblem(password: string, repeated = password): Problem | null {
  if (password.length < MIN_PASSWORD) return 'passwordShort'
  return password === repeated ? null : 'passwordsDiffer'
}

/** Returns a password that an admin can read to someone: 20 letters and digits, 100 random bits, no look-alikes. */
export function suggestPassword(
  random: (bytes: Uint8Array<ArrayBuffer>) => void = (bytes) => crypto.getRandomValues(bytes),
): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
  const bytes = new Uint8Array(20)
  random(bytes)
  const text = [...bytes].map((byte) => letters[byte % letters.length]).join('')
  return text.replace(/(.{5})(?!$)/g, '$1-')
}
