import { superadminProcedure } from '#server/trpc/init.ts'
import { limitAdminView } from '../limits.ts'
import type { OverrideBook } from '../overrides/override-book.ts'
import { createFile, type LimitsFile } from './limits-file.ts'

/** Returns all overrides and added rule sets as one file. */
export const exportLimits = superadminProcedure
  .meta({ limits: limitAdminView })
  .query(({ ctx }): Promise<LimitsFile> => readLimits(ctx.app.limitAdmin.overrides))

/** Returns what is stored now as a file. Rejects when the database fails. */
export async function readLimits(overrides: OverrideBook): Promise<LimitsFile> {
  const stored = await overrides.load()
  return createFile(stored, overrides.sets)
}
