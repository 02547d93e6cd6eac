import type { Outputs } from '#app/connection/trpc.ts'
import { formatBytes } from '#format/bytes.ts'
import { count } from '#format/counts.ts'

type TaskState = Outputs['site']['maintenance'][number]

type Counts = Outputs['job']['list']['counts']

const names: Readonly<Record<string, string>> = {
  trash: 'Emptying the trash',
  sweep: 'Sweeping the store',
  removal: 'Removing bytes',
  variants: 'Making smaller renderings',
  webhook: 'Webhook',
  'webhook-image': 'Webhook, of images',
  settling: 'Settling the days that are over',
  'account-removal': 'Ending the removal of an account',
}

export const nameOfJob = ({ name }: Pick<TaskState, 'name'>): string => names[name] ?? name

const nextRun = 'It runs again by itself when its time comes'
const neverTold = 'The receiver of the webhook is never told of this event, and nothing sends it again.'

const losses: Readonly<Record<string, string>> = {
  trash: `${nextRun}, within the hour. Until then what is due stays in the trash.`,
  sweep: `${nextRun}, within the day. Until then leftovers stay in the store.`,
  settling: `${nextRun}, within the day.`,
  removal:
    'The bytes of a purged image stay in the store, and count there, until the hourly maintenance asks for this again.',
  variants: 'The image goes without its smaller renderings until the hourly maintenance asks for this again.',
  'account-removal': 'The account stays, banned and with what is left of its images: delete it again.',
  webhook: neverTold,
  'webhook-image': neverTold,
}

/** What is lost when such a job is discarded, in sentences. */
export const lossOf = ({ name }: Pick<TaskState, 'name'>): string =>
  `${losses[name] ?? 'What it was to do is left undone, until something else asks for it.'} The job itself cannot be brought back.`

/** How many jobs there are of each kind, in a sentence. */
export function summaryOf(counts: Counts): string {
  const sum = (state: 'waiting' | 'active' | 'retrying' | 'failed') =>
    counts.reduce((total, each) => total + each[state], 0)
  const parts = [
    [sum('failed'), 'failed'],
    [sum('retrying'), 'to be tried again'],
    [sum('active'), 'under way'],
    [sum('waiting'), 'waiting'],
  ] as const
  const told = parts.filter(([amount]) => amount > 0).map(([amount, word]) => `${amount} ${word}`)
  return told.length === 0 ? 'Nothing waits, and nothing has failed.' : `${told.join(', ')}.`
}

/** What a task's last run came to, in a sentence. */
export function outcomeOfTask({ name, finishedAt, report }: Pick<TaskState, 'name' | 'finishedAt' | 'report'>): string {
  if (!report) return finishedAt === null ? 'Under way for the first time.' : 'Nothing to tell.'
  if (typeof report.failed === 'string') return `Failed. ${report.failed}`
  const figure = (key: string): number => Number(report[key] ?? 0)
  if (name === 'trash')
    return figure('purged') === 0 ? 'Nothing was due.' : `${count(figure('purged'), 'image')} removed for good.`
  if (name === 'settling')
    return figure('folded') === 0
      ? 'Nothing was left to add up.'
      : `${count(figure('folded'), 'row')} of usage added up.`
  if (name !== 'sweep')
    return Object.entries(report)
      .map(([key, value]) => `${key}: ${value}`)
      .join(', ')
  const removed = figure('orphans') + figure('leftovers') + figure('unfinished') + figure('temporary')
  const lost = figure('lost')
  const held = figure('remaining')
  return [
    `${count(figure('listed'), 'object')}, ${formatBytes(figure('listedBytes'))}.`,
    removed === 0 ? 'Nothing was left over.' : `${count(removed, 'leftover')} removed.`,
    ...(lost > 0 ? [`Of ${count(lost, 'object')} a smaller rendering is lost, and will be made anew.`] : []),
    ...(held > 0 ? [`${held} to be tried again.`] : []),
  ].join(' ')
}
