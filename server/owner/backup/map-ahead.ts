/** Maps items with up to `concurrency` calls of `work` at once, yielding results in order. When the consumer stops or a call
 *  fails, waits for the pending calls. */
export async function* mapAhead<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncIterable<Result> {
  const pending: Promise<Result>[] = []
  try {
    for await (const item of items) {
      const result = work(item)
      // A rejection surfaces when its turn comes; until then it must not count as unhandled.
      result.catch(() => undefined)
      pending.push(result)
      if (pending.length === concurrency) yield* next(pending)
    }
    while (pending.length > 0) yield* next(pending)
  } finally {
    await Promise.allSettled(pending)
  }
}

async function* next<Result>(pending: Promise<Result>[]): AsyncIterable<Result> {
  const [first] = pending.splice(0, 1)
  if (first !== undefined) yield await first
}
