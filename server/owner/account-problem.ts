import { describePasswordProblem, usernameSchema } from '#server/accounts/credentials.ts'
import { firstProblem } from '#server/errors/invalid.ts'

/** Returns why an account cannot have this name or password, as a message for the owner; null if it can. */
export function accountProblem(username: string, password: string): string | null {
  const name = usernameSchema.safeParse(username)
  return name.success ? describePasswordProblem(password, username) : firstProblem(name.error)
}
