import type { Outputs } from '#app/connection/trpc.ts'
import type { Translate } from '#app/ui/translate.ts'
import type { Formats } from '#format/formats.ts'

type TaskState = Outputs['site']['maintenance'][number]
type Counts = Outputs['job']['list']['counts']
type T = Translate<'adminJobs'>

const names = [
  'trash',
  'sweep',
  'removal',
  'variants',
  'cleaning',
  'webhook',
  'webhook-image',
  'mail',
  'settling',
  'account-removal',
  'audit-purge',
  'album-purge',
  'report-purge',
  'guest-purge',
  'backup',
  'backup-check',
] as const
const knownName = (name: string) => names.find((each) => each === name)

/** The name of a job or task. A newer server's may be unknown here: it is shown as it is. */
export function jobName(t: T, { name }: Pick<TaskState, 'name'>): string {
  const known = knownName(name)
  return known ? t(`name.${known}`) : name
}

/** What is lost when a job is discarded. */
export const jobLoss = (t: T, { name }: Pick<TaskState, 'name'>): string => t(`loss.${knownName(name) ?? 'other'}`)

/** The number of jobs in each state. */
export function jobSummary(t: T, format: Formats, counts: Counts): string {
  const shown = (['failed', 'retrying', 'active', 'waiting'] as const).flatMap((state) => {
    const count = counts.reduce((total, each) => total + each[state], 0)
    return count > 0 ? [t(`summary.${state}`, { count })] : []
  })
  return shown.length === 0 ? t('none') : format.parts(shown)
}

interface Run extends Pick<TaskState, 'name' | 'finishedAt' | 'report'> {
  /** Why it failed, in the reader's language. */
  readonly reason?: string | null
}

/** The result of a task's last run. */
export function taskOutcome(t: T, format: Formats, { name, finishedAt, report, reason }: Run): string {
  if (!report) return finishedAt === null ? t('outcome.first') : t('outcome.none')
  if (report.failed === '') return t('outcome.interrupted')
  if (typeof report.failed === 'string') return t('outcome.failed', { reason: reason || report.failed })
  const figure = (key: string): number => Number(report[key] ?? 0)
  if (name === 'trash') return t('outcome.trash', { count: figure('purged') })
  if (name === 'settling') return t('outcome.settling', { count: figure('folded') })
  if (name === 'audit-purge') return t('outcome.auditPurge', { count: figure('purged') })
  if (name === 'album-purge') return t('outcome.albumPurge', { count: figure('purged') })
  if (name === 'report-purge') return t('outcome.reportPurge', { count: figure('purged') })
  if (name === 'backup-check') return t('outcome.backupCheck', { count: figure('queued') })
  if (name === 'guest-purge') return t('outcome.guestPurge', { count: figure('purged') })
  if (name === 'sweep') return sweepOutcome(t, format, figure)
  return format.parts(Object.entries(report).map(([key, value]) => `${key}: ${value}`))
}

function sweepOutcome(t: T, format: Formats, figure: (key: string) => number): string {
  const removed = figure('orphans') + figure('leftovers') + figure('unfinished') + figure('temporary')
  const [lost, remaining] = [figure('lost'), figure('remaining')]
  return format.sentences([
    t('outcome.listed', { count: figure('listed'), size: format.bytes(figure('listedBytes')) }),
    t('outcome.removed', { count: removed }),
    ...(lost > 0 ? [t('outcome.lost', { count: lost })] : []),
    ...(remaining > 0 ? [t('outcome.remaining', { count: remaining })] : []),
  ])
}
