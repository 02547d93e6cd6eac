import { translate } from '#messages/translate.ts'
import type { RunReport } from '#server/backups/run-backup.ts'
import type { CommandResult } from './accounts.ts'

/** Describes a backup at the destination to the owner. */
export function describeRun(report: RunReport): CommandResult {
  const { name, description, objects, bytes, sentObjects, sentBytes, damaged, unpruned } = report
  const done = translate('cli.owner.backedUp', {
    ...{ name, destination: description, objects, sent: sentObjects },
    ...{ size: { bytes }, sentSize: { bytes: sentBytes } },
  })
  const warnings = [
    ...(damaged > 0 ? [translate('cli.owner.runDamaged', { count: damaged })] : []),
    ...(unpruned ? [unpruned.message] : []),
  ]
  return warnings.length > 0 ? { done, warned: warnings.join(' ') } : { done }
}
