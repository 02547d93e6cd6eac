import type { useTRPCClient } from '#app/connection/trpc.ts'
import type { ImageItems } from './bulk-action.ts'
import type { TagAnswer } from './many.ts'
import { changesBack, TAGS_AT_ONCE, type TagChange, type TagChangeOf } from './tag-changes.ts'
import type { useBulkActions } from './use-bulk-actions.ts'

/** Short waits for a limit are not shown. */
const patient = { context: { limit: { waitUpToMs: 4000 } } }

type Client = ReturnType<typeof useTRPCClient>
type Run = ReturnType<typeof useBulkActions>['run']

/** Favourites and tags of many images, each with one toast: what was done, what was skipped and why, and Undo. */
export function filingActions(client: Client, run: Run) {
  async function favourite(images: ImageItems, wanted: boolean): Promise<void> {
    // Those that are marked already stay so after Undo.
    const others = images.filter((image) => image.favourite !== wanted)
    await run(others, {
      doing: 'filing',
      done: wanted ? 'favourited' : 'unfavourited',
      failed: 'notChanged',
      call: (ids) => client.image.favouriteMany.mutate({ ids, favourite: wanted }, patient),
      retry: (remaining) => favourite(remaining, wanted),
      undo: (_, done) => unmark(done, !wanted),
    })
  }

  async function unmark(images: ImageItems, wanted: boolean): Promise<void> {
    await run(images, {
      doing: 'filing',
      done: 'favouritesBack',
      failed: 'notChanged',
      call: (ids) => client.image.favouriteMany.mutate({ ids, favourite: wanted }, patient),
      retry: (remaining) => unmark(remaining, wanted),
    })
  }

  async function tag(images: ImageItems, change: TagChange): Promise<void> {
    await run(images, {
      doing: 'filing',
      done: 'tagged',
      failed: 'notChanged',
      call: (ids) => makeChange({ ids, ...change }),
      retry: (remaining) => tag(remaining, change),
      undo: (before, done) => untag(before, done),
    })
  }

  /** Gives the images of `done` the tags that they had in `before`. */
  async function untag(before: ImageItems, done: ImageItems): Promise<void> {
    const changes = changesBack(before, done)
    const changed = new Set(changes.flatMap(({ ids }) => ids))
    const images = [...new Map(done.map((image) => [image.id, image])).values()].filter(({ id }) => changed.has(id))
    const call = async (ids: string[]): Promise<TagAnswer> => {
      const wanted = new Set(ids)
      const parts = changes.map((change) => ({ ...change, ids: change.ids.filter((id) => wanted.has(id)) }))
      const answers = await Promise.all(parts.filter((part) => part.ids.length > 0).map(makeChange))
      return { items: answers.flatMap(({ items }) => items) }
    }
    await run(images, {
      doing: 'filing',
      done: 'tagsBack',
      failed: 'notChanged',
      call,
      retry: (remaining) => untag(before, remaining),
    })
  }

  /** Takes tags first, so that a full image has room for others. The answer is that of the last call. */
  async function makeChange({ ids, add, remove }: TagChangeOf): Promise<TagAnswer> {
    const images = [...ids]
    let answer: TagAnswer = { items: [] }
    for (const tags of inParts(remove)) answer = await client.tag.remove.mutate({ images, tags }, patient)
    for (const tags of inParts(add)) answer = await client.tag.add.mutate({ images, tags }, patient)
    return answer
  }
  return { favourite, tag }
}

/** Splits tags into as many as a call takes. */
function inParts(tags: readonly string[]): readonly string[][] {
  const parts = Math.ceil(tags.length / TAGS_AT_ONCE)
  return Array.from({ length: parts }, (_, at) => tags.slice(at * TAGS_AT_ONCE, (at + 1) * TAGS_AT_ONCE))
}
