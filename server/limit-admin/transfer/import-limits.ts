import { z } from 'zod'
import { type Actor, toActor } from '#server/audit/audit.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { refuse, refuseWith } from '#server/errors/refuse.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { limitAdminChange } from '../limits.ts'
import type { OverrideBook } from '../overrides/override-book.ts'
import { writeImport } from '../overrides/override-rows.ts'
import { firstOf, type ImportChange } from './plan-import.ts'
import type { EntryProblem } from './read-file.ts'

export interface ImportResult {
  /** What each entry changes, or would change; then what is not in the file, and removed. */
  readonly changes: readonly ImportChange[]
  /** Why the file would be refused; empty if it can be imported. */
  readonly problems: readonly EntryProblem[]
}

/** Makes a file's overrides and added rule sets those of the site, all or none. A dry run only says what it would change. */
export const importLimits = superadminProcedure
  .meta({ limits: limitAdminChange, audit: 'limits.import', proof: 'fresh' })
  .input(z.strictObject({ file: z.unknown(), dryRun: z.boolean() }))
  .mutation(({ ctx, input: { file, dryRun } }): Promise<ImportResult> => {
    const { db, limitAdmin } = ctx.app
    return runImport(db, limitAdmin.overrides, { file, dryRun, actor: toActor(ctx) })
  })

interface Import {
  readonly file: unknown
  readonly dryRun: boolean
  readonly actor: Actor
}

/** Throws for a file that is none of limits or has too many entries, and unless this is a dry run for an entry that cannot work. */
export async function runImport(
  db: PrismaClient,
  overrides: OverrideBook,
  { file, dryRun, actor }: Import,
): Promise<ImportResult> {
  const plan = await overrides.planImport(file)
  if ('code' in plan) throw refuseWith(plan)
  const { changes, problems, writes } = plan
  if (dryRun) return { changes, problems }
  const first = firstOf(problems)
  if (first) throw refuse('import-entry', first)
  await writeImport(db, actor, writes)
  await overrides.announce()
  return { changes, problems }
}
