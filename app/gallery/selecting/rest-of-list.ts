interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

/** Requests the pages of a list from `cursor` on, one after another; all of them if that is undefined. A cursor of null ends the
 *  list. */
export async function* pagesFrom<Item>(
  cursor: string | null | undefined,
  ask: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<readonly Item[]> {
  let next = cursor
  while (next !== null) {
    const page: Page<Item> = await ask(next)
    yield page.items
    next = page.nextCursor
  }
}
