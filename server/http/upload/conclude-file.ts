import { TRPCError } from '@trpc/server'
import type { App } from '#server/app.ts'
import { notFound } from '#server/images/find-image.ts'
import { parseFileName } from '#server/images/names.ts'
import { type UploadAnswer, uploadAnswer, wishOf } from '#server/images/uploading/upload-image.ts'
import { refusedUpload } from '#server/images/uploading/upload-refusals.ts'
import type { FileFacts } from './facts.ts'
import { isFault, refusalOf } from './refusal.ts'
import type { FileSender, Taken } from './take-file.ts'

/**
 * Says of a file that was stored out of a form who may see it, now that what stands behind it is known. Where the form was
 * not read to its end that is its owner alone, unless somebody else was asked for.
 */
export async function concludeFile(
  sender: FileSender,
  stored: Extract<Taken, { outcome: 'stored' }>,
  { facts, isWhole }: { readonly facts: FileFacts; readonly isWhole: boolean },
): Promise<Taken> {
  const { app, frame } = sender
  try {
    return { ...stored, image: await conclude(sender, stored.image, facts, isWhole) }
  } catch (error) {
    if (isFault(error)) app.logFailure({ requestId: frame.requestId, path: 'image.upload', err: error }, 'call failed')
    return { outcome: 'refused', refusal: refusalOf(error, frame.requestId), isUnread: false }
  }
}

async function conclude({ app, viewer }: FileSender, image: UploadAnswer, facts: FileFacts, isWhole: boolean) {
  if (viewer === null) throw new Error('nobody has stored a file')
  const { defaultVisibility, origin } = app.config
  const unlisted = facts.isUnlisted && defaultVisibility === 'public' ? 'link' : defaultVisibility
  const wish = await discardingRefused(app, image, () =>
    wishOf(facts.visibility, viewer, isWhole ? unlisted : 'private'),
  )
  const concluded = await app.images.conclude(image, { wish, filename: parseFileName(facts.filename) ?? '' })
  if (concluded.outcome === 'gone') throw notFound()
  if (concluded.outcome !== 'stored') throw refusedUpload(concluded.outcome)
  return uploadAnswer(concluded.image, image, origin)
}

/** A file that is refused leaves nothing. */
async function discardingRefused<T>(app: App, image: UploadAnswer, read: () => T): Promise<T> {
  try {
    return read()
  } catch (error) {
    if (image.isNew && error instanceof TRPCError) await app.images.discard(image)
    throw error
  }
}
