import pLimit from 'p-limit'
import { ItemFailed } from '../connection/server-error.ts'
import { inOrder } from './in-order.ts'

/** What became of one of many. */
export type ItemOutcome<Done> =
  | Done
  | { readonly state: 'failed'; readonly reason: string }
  /** Not begun, or broken off. */
  | { readonly state: 'left' }

/** One of many, by what people know it by. */
export interface Reported<Done> {
  readonly label: string
  readonly outcome: ItemOutcome<Done>
}

export interface Worked<Done> {
  /** In the order of the items. */
  readonly reported: readonly Reported<Done>[]
  /** What ended it before its time; null where nothing did. */
  readonly ended: unknown
}

interface Work<Item, Done> {
  /** Items under way at a time. */
  readonly parallel: number
  labelOf(item: Item): string
  /** Throws ItemFailed for what concerns one item; whatever else it throws leaves those that are not begun. */
  work(item: Item): Promise<Done>
  /** Told of each that is over, as soon as all before it are. */
  tell(reported: Reported<Done>): void
}

/** Does the same with many, some at a time. None is lost: each is done, failed, or left. */
export async function workThrough<Item, Done>(items: readonly Item[], task: Work<Item, Done>): Promise<Worked<Done>> {
  const { parallel, labelOf, work, tell } = task
  const reported = items.map((item): Reported<Done> => ({ label: labelOf(item), outcome: { state: 'left' } }))
  const tellInOrder = inOrder(tell)
  const places = pLimit(parallel)
  let ended: unknown = null
  const outcomeOf = (item: Item): Promise<ItemOutcome<Done>> =>
    work(item).catch((error: unknown) => {
      if (error instanceof ItemFailed) return { state: 'failed', reason: error.message }
      ended ??= error
      return { state: 'left' }
    })
  const handle = async (item: Item, index: number): Promise<void> => {
    if (ended !== null) return
    const each = { label: labelOf(item), outcome: await outcomeOf(item) }
    reported[index] = each
    tellInOrder(index, each)
  }
  await Promise.all(items.map((item, index) => places(handle, item, index)))
  return { reported, ended }
}
