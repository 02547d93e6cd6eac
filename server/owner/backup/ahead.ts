/** Does `work` on several items at once, at most `atOnce`, and gives what comes of it in the order of the items. What is under
 *  way when the reader leaves, or something fails, is waited for. */
export async function* ahead<Item, Result>(
  items: AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncIterable<Result> {
  const underWay: Promise<Result>[] = []
  try {
    for await (const item of items) {
      const result = work(item)
      // Looked at when its turn comes.
      result.catch(() => undefined)
      underWay.push(result)
      if (underWay.length === atOnce) yield* next(underWay)
    }
    while (underWay.length > 0) yield* next(underWay)
  } finally {
    await Promise.allSettled(underWay)
  }
}

async function* next<Result>(underWay: Promise<Result>[]): AsyncIterable<Result> {
  const [first] = underWay.splice(0, 1)
  if (first !== undefined) yield await first
}
