import { CannotStart } from '#server/cannot-start.ts'

/** Converts PostgreSQL's "permission denied" to CannotStart with an explanation; returns other errors unchanged. */
export function explainPermissionError(error: unknown): unknown {
  const [refusal] = /permission denied for .*/.exec(error instanceof Error ? error.message : '') ?? []
  return refusal ? new CannotStart(`DATABASE_URL: ${refusal}. Its user must own the database.`) : error
}
