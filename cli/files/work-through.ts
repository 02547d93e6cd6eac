import pLimit from 'p-limit'
import { ItemFailed } from '../connection/server-error.ts'
import { inOrder } from './in-order.ts'

/** The outcome of one of many items. */
export type ItemOutcome<Done> =
  | Done
  | { readonly state: 'failed'; readonly reason: string }
  /** Not started, or interrupted. */
  | { readonly state: 'left' }

/** An item's outcome, with its name in messages. */
export interface Reported<Done> {
  readonly label: string
  readonly outcome: ItemOutcome<Done>
}

export interface Worked<Done> {
  /** In the order of the items. */
  readonly reported: readonly Reported<Done>[]
  /** The error that ended the work early; null if none did. */
  readonly ended: unknown
}

interface Work<Item, Done> {
  /** Items processed at a time. */
  readonly parallel: number
  getLabel(item: Item): string
  /** Throws ItemFailed for a failure of this item; any other error stops the work. */
  work(item: Item): Promise<Done>
  /** Called for each finished item, as soon as all before it are finished. */
  report(reported: Reported<Done>): void
}

/** Processes many items, some at a time. Each of them ends as done, failed, or left. */
export async function workThrough<Item, Done>(items: readonly Item[], task: Work<Item, Done>): Promise<Worked<Done>> {
  const { parallel, getLabel, work, report } = task
  const reported = items.map((item): Reported<Done> => ({ label: getLabel(item), outcome: { state: 'left' } }))
  const reportInOrder = inOrder(report)
  const places = pLimit(parallel)
  let ended: unknown = null
  const tryItem = (item: Item): Promise<ItemOutcome<Done>> =>
    work(item).catch((error: unknown) => {
      if (error instanceof ItemFailed) return { state: 'failed', reason: error.message }
      ended ??= error
      return { state: 'left' }
    })
  const handle = async (item: Item, index: number): Promise<void> => {
    if (ended !== null) return
    const each = { label: getLabel(item), outcome: await tryItem(item) }
    reported[index] = each
    reportInOrder(index, each)
  }
  await Promise.all(items.map((item, index) => places(handle, item, index)))
  return { reported, ended }
}
