import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'

const MIN_PASSWORD = 10
const MAX_PASSWORD = 200

/** Common passwords, compared by their letters alone and without regard to case. */
const commonPasswords = new Set(
  'password passwort admin administrator root owner superadmin changeme changeit letmein welcome secret default sluice qwerty qwertyuiop qwertz qwertzuiop azerty asdfghjkl asdfghjklö iloveyou testtest demodemo passwordpassword adminadmin'.split(
    ' ',
  ),
)

/** Returns why the password cannot be used, as a message for the user; null if it can. */
export function passwordProblem(password: string, username: string): string | null {
  if (password.length < MIN_PASSWORD) return `The password needs at least ${MIN_PASSWORD} characters.`
  if (password.length > MAX_PASSWORD) return `The password may have at most ${MAX_PASSWORD} characters.`
  const letters = password.toLowerCase().replaceAll(/[^\p{Letter}]/gu, '')
  const isCommon = commonPasswords.has(letters) || letters === usernameKey(username).replaceAll(/[^a-z]/g, '')
  const isMonotonous = new Set(password).size < 5
  const isCounting = letters === '' && '01234567890123456789012345678909876543210987654321'.includes(password)
  if (isCommon || isMonotonous || isCounting)
    return 'That password is among the first that anyone guesses. Choose another.'
  return null
}

/** User names are unique without regard to case. */
export const usernameKey = (username: string): string => username.toLowerCase()

export const usernameSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{2,31}$/, invalid('username'))

/** Use with `checkPassword`, which validates the password against the user name. */
export const credentialsShape = { username: usernameSchema, password: z.string() }

/** For `.check()` of a schema with both fields: adds an issue at `password` if it cannot be used. */
export function checkPassword(ctx: z.core.ParsePayload<{ username: string; password: string }>): void {
  const problem = passwordProblem(ctx.value.password, ctx.value.username)
  if (problem) ctx.issues.push({ code: 'custom', message: problem, path: ['password'], input: '' })
}
