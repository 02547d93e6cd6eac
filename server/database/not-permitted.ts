import { CannotStart } from '#server/cannot-start.ts'

/** What PostgreSQL's refusal to make something means for whoever set it up; every other error as it is. */
export function permissionInWords(error: unknown): unknown {
  const [refusal] = /permission denied for .*/.exec(error instanceof Error ? error.message : '') ?? []
  return refusal ? new CannotStart(`DATABASE_URL: ${refusal}. Its user must own the database.`) : error
}
