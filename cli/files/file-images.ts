import { translate } from '#messages/translate.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { ItemFailed } from '../connection/server-error.ts'
import { chunks } from './chunks.ts'
import type { Worked } from './work-through.ts'

/** Images, and tags, of one call. */
const IMAGES = 100
const TAGS = 20

/** What images are filed under. */
export interface Filing {
  /** The ID of an album; null for none. */
  readonly album: string | null
  readonly tags: readonly string[]
}

const reasons = {
  'not-found': 'errors.image-not-found',
  forbidden: 'errors.image-not-yours',
  limited: 'cli.transfer.limited',
  'not-in-trash': 'cli.transfer.notInTrash',
  'too-many-tags': 'cli.albums.tooManyTags',
} as const

interface Answer {
  readonly items: readonly { readonly id: string; readonly outcome: keyof typeof reasons | 'done' }[]
}

/** Adds images to an album, at its end, and gives them tags. Returns why it failed, by image. */
export async function fileImages(
  { api, patience, signal }: ServerConnection,
  ids: readonly string[],
  { album, tags }: Filing,
): Promise<ReadonlyMap<string, string>> {
  const failed = new Map<string, string>()
  const call = async (attempt: () => Promise<Answer>) => {
    const { items } = await patience.run(attempt)
    for (const { id, outcome } of items) if (outcome !== 'done') failed.set(id, translate(reasons[outcome]))
  }
  for (const images of chunks([...new Set(ids)], IMAGES)) {
    if (album !== null) await call(() => api.album.add.mutate({ id: album, images }, { signal }))
    for (const some of chunks(tags, TAGS)) await call(() => api.tag.add.mutate({ images, tags: some }, { signal }))
  }
  return failed
}

/** Files the wanted images of finished work in their order. Those that could not be filed count as failed in the result; if the work had
 *  to stop, all of them remain. */
export async function fileWorked<Done extends { readonly id: string }>(
  connection: ServerConnection,
  worked: Worked<Done>,
  filing: Filing,
  isWanted: (index: number) => boolean = () => true,
): Promise<Worked<Done>> {
  const ids = worked.reported.flatMap(({ outcome }, index) => ('id' in outcome && isWanted(index) ? outcome.id : []))
  if (ids.length === 0 || (filing.album === null && filing.tags.length === 0)) return worked
  try {
    const failed = await fileImages(connection, ids, filing)
    return replaced(worked, isWanted, ({ id }) => toFailed(failed.get(id)))
  } catch (error) {
    if (error instanceof ItemFailed) return replaced(worked, isWanted, () => toFailed(error.message))
    return { ...replaced(worked, isWanted, () => ({ state: 'left' })), ended: worked.ended ?? error }
  }
}

const toFailed = (reason: string | undefined): Unfiled | null =>
  reason === undefined ? null : { state: 'failed', reason }

type Unfiled = { readonly state: 'failed'; readonly reason: string } | { readonly state: 'left' }

function replaced<Done extends { readonly id: string }>(
  worked: Worked<Done>,
  isWanted: (index: number) => boolean,
  replace: (done: { readonly id: string }) => Unfiled | null,
): Worked<Done> {
  const reported = worked.reported.map(({ label, outcome }, index) => {
    return { label, outcome: 'id' in outcome && isWanted(index) ? (replace(outcome) ?? outcome) : outcome }
  })
  return { ...worked, reported }
}
