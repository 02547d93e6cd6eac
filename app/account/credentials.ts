const minPassword = 10

/** What is wrong with a user name before the server has seen it; null when it may do. */
export function usernameProblem(username: string): string | null {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{2,31}$/.test(username)) return null
  return 'Use 3 to 32 letters, digits, dots, dashes or underscores, and begin with a letter or digit.'
}

/** What is wrong with a password before the server has seen it; which ones are too common it says itself. */
export function passwordProblem(password: string, again = password): string | null {
  if (password.length < minPassword) return `Use at least ${minPassword} characters.`
  return password === again ? null : 'The two passwords differ.'
}

/** A password for somebody else, to be read to them once: 20 letters and digits, 100 random bits, without look-alikes. */
export function suggestPassword(
  random: (bytes: Uint8Array<ArrayBuffer>) => void = (bytes) => crypto.getRandomValues(bytes),
): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
  const bytes = new Uint8Array(20)
  random(bytes)
  const text = [...bytes].map((byte) => letters[byte % letters.length]).join('')
  return text.replace(/(.{5})(?!$)/g, '$1-')
}
