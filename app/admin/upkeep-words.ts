import type { Outputs } from '#app/connection/trpc.ts'
import { count, formatBytes } from '#app/ui/format.ts'

type TaskState = Outputs['site']['maintenance'][number]

const names: Readonly<Record<string, string>> = { trash: 'Emptying the trash', sweep: 'Sweeping the store' }

export const nameOfTask = ({ name }: Pick<TaskState, 'name'>): string => names[name] ?? name

/** What a task's last run came to, in a sentence. */
export function outcomeOfTask({ name, finishedAt, report }: Pick<TaskState, 'name' | 'finishedAt' | 'report'>): string {
  if (!report) return finishedAt === null ? 'Under way for the first time.' : 'Nothing to tell.'
  if (typeof report.failed === 'string') return `Failed. ${report.failed}`
  const figure = (key: string): number => Number(report[key] ?? 0)
  if (name === 'trash')
    return figure('purged') === 0 ? 'Nothing was due.' : `${count(figure('purged'), 'image')} removed for good.`
  if (name !== 'sweep')
    return Object.entries(report)
      .map(([key, value]) => `${key}: ${value}`)
      .join(', ')
  const removed = figure('orphans') + figure('leftovers') + figure('unfinished') + figure('temporary')
  const held = figure('remaining')
  return [
    `${count(figure('listed'), 'object')}, ${formatBytes(figure('listedBytes'))}.`,
    removed === 0 ? 'Nothing was left over.' : `${count(removed, 'leftover')} removed.`,
    ...(held > 0 ? [`${held} to be tried again.`] : []),
  ].join(' ')
}
