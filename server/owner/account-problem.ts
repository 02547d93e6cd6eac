import { passwordProblem, usernameSchema } from '#server/accounts/credentials.ts'

/** Why nobody may have an account of that name and password, in words for the owner; null where somebody may. */
export function accountProblem(username: string, password: string): string | null {
  const name = usernameSchema.safeParse(username)
  return name.success ? passwordProblem(password, username) : (name.error.issues[0]?.message ?? null)
}
