import { z } from 'zod'
import { firstProblem, invalid } from '#server/errors/invalid.ts'

const MIN_PASSWORD = 10
const MAX_PASSWORD = 200

/** Common passwords, compared by their letters alone and without regard to case. */
const commonPasswords = new Set(
  'password passwort admin administrator root owner superadmin changeme changeit letmein welcome secret default sluice qwerty qwertyuiop qwertz qwertzuiop azerty asdfghjkl asdfghjklö iloveyou testtest demodemo passwordpassword adminadmin'.split(
    ' ',
  ),
)

/** Returns why the password cannot be used, as an error at `field` of an input; null if it can. */
export function passwordError(password: string, username: string, field = 'password'): z.ZodError | null {
  const problem = findProblem(password, username)
  return problem && new z.ZodError([{ ...problem, code: 'custom', path: [field], input: '' }])
}

/** Returns why the password cannot be used, in English; null if it can. */
export function describePasswordProblem(password: string, username: string): string | null {
  const error = passwordError(password, username)
  return error && firstProblem(error)
}

function findProblem(password: string, username: string) {
  if (password.length < MIN_PASSWORD) return { message: invalid('passwordTooShort'), params: { minimum: MIN_PASSWORD } }
  if (password.length > MAX_PASSWORD) return { message: invalid('passwordTooLong'), params: { maximum: MAX_PASSWORD } }
  const letters = password.toLowerCase().replaceAll(/[^\p{Letter}]/gu, '')
  const isCommon = commonPasswords.has(letters) || letters === usernameKey(username).replaceAll(/[^a-z]/g, '')
  const isMonotonous = new Set(password).size < 5
  const isCounting = letters === '' && '01234567890123456789012345678909876543210987654321'.includes(password)
  return isCommon || isMonotonous || isCounting ? { message: invalid('passwordCommon') } : null
}

/** User names are unique without regard to case. */
export const usernameKey = (username: string): string => username.toLowerCase()

export const usernameSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{2,31}$/, invalid('username'))

/** Use with `checkPassword`, which validates the password against the user name. */
export const credentialsShape = { username: usernameSchema, password: z.string() }

/** For `.check()` of a schema with both fields: adds an issue at `password` if it cannot be used. */
export function checkPassword(ctx: z.core.ParsePayload<{ username: string; password?: string | undefined }>): void {
  if (ctx.value.password === undefined) return
  const problem = findProblem(ctx.value.password, ctx.value.username)
  if (problem) ctx.issues.push({ ...problem, code: 'custom', path: ['password'], input: '' })
}
