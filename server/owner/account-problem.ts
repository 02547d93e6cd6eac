import { passwordProblem, usernameSchema } from '#server/accounts/credentials.ts'

/** Returns why an account cannot have this name or password, as a message for the owner; null if it can. */
export function accountProblem(username: string, password: string): string | null {
  const name = usernameSchema.safeParse(username)
  return name.success ? passwordProblem(password, username) : (name.error.issues[0]?.message ?? null)
}
