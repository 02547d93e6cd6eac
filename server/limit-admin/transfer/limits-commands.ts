import { TRPCError } from '@trpc/server'
import { translate } from '#messages/translate.ts'
import { commandLine } from '#server/audit/audit.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { toSentence } from '#server/errors/refuse.ts'
import { Refused } from '#server/errors/refused.ts'
import type { OverrideBook } from '../overrides/override-book.ts'
import { targetText } from '../overrides/override-target.ts'
import { examineLimits } from './examine-limits.ts'
import { readLimits } from './export-limits.ts'
import { runImport } from './import-limits.ts'
import type { ImportChange } from './plan-import.ts'

/** The result of a command: a message for the owner, and what is for standard output. */
type Outcome = { readonly done: string; readonly printed?: string } | { readonly refused: string }

/** The owner's commands for all limits at once, which the running server answers. */
export interface LimitsCommands {
  /** Prints a line for each stored limit that cannot work. */
  examineLimits(): Promise<Outcome>
  exportLimits(): Promise<Outcome>
  importLimits(input: { readonly file?: unknown; readonly dryRun: boolean }): Promise<Outcome>
}

export const limitsCommands = (db: PrismaClient, overrides: OverrideBook): LimitsCommands => ({
  async examineLimits() {
    const found = await examineLimits(overrides)
    const done = translate('cli.owner.limitsExamined', { count: found.length })
    return found.length === 0 ? { done } : { done, printed: found.join('\n') }
  },
  async exportLimits() {
    const file = await readLimits(overrides)
    const counts = { overrides: file.overrides?.length ?? 0, sets: file.ruleSets?.length ?? 0 }
    return { done: translate('cli.owner.limitsExported', counts), printed: JSON.stringify(file, null, 2) }
  },
  async importLimits({ file, dryRun }) {
    try {
      const { changes, problems } = await runImport(db, overrides, { file, dryRun, actor: commandLine() })
      if (problems.length > 0)
        return { refused: problems.map(({ entry, problem }) => `${entry}: ${toSentence(problem)}`).join('\n') }
      const lines = changes.filter(({ change }) => change !== 'keep').map(lineOf)
      const done = dryRun ? 'cli.owner.limitsWouldChange' : 'cli.owner.limitsImported'
      const said = { done: translate(done, { count: lines.length }) }
      return lines.length === 0 ? said : { ...said, printed: lines.join('\n') }
    } catch (error) {
      if (error instanceof TRPCError && error.cause instanceof Refused) return { refused: error.message }
      throw error
    }
  },
})

function lineOf({ change, ruleSet, procedure, target, after, isShadowed }: ImportChange): string {
  const words = [
    change,
    ruleSet,
    procedure && `@ ${procedure}`,
    target && targetText(target),
    after && JSON.stringify(after),
  ]
  return [...words, isShadowed && translate('cli.owner.limitsInShadow')].filter(Boolean).join('  ')
}
