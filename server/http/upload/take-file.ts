import { viewerOfTokenId } from '#server/accounts/tokens/api-token.ts'
import type { App } from '#server/app.ts'
import { deletionUrl, makeDeletionLink } from '#server/images/links/deletion-link.ts'
import type { UploadAnswer } from '#server/images/uploading/upload-image.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { UploadForm } from '#server/trpc/context.ts'
import { BadRequest } from './bad-request.ts'
import type { Allowance } from './body.ts'
import type { FileFacts } from './facts.ts'
import type { FilePart } from './part.ts'
import type { PendingFiles } from './pending-files.ts'
import { isFault, type Refusal, refusalOf } from './refusal.ts'
import { callerBy, contextOf, type Sender } from './sender.ts'

/** The sender of files, and what they share. */
export interface FileSender extends Sender {
  readonly allowance: Allowance
  /** Aborted when the client has gone. */
  readonly gone: AbortSignal
  readonly pending: PendingFiles
  /** Where the decisions of all files are gathered. */
  readonly decisions: Decision[]
}

export type Taken =
  | { readonly outcome: 'stored'; readonly image: UploadAnswer; readonly deletionUrl: string | null }
  /** `isUnread`: it was refused before its body was let in. */
  | { readonly outcome: 'refused'; readonly refusal: Refusal; readonly isUnread: boolean }

/** Bytes of the files of a request, which may be several of the largest. */
export const requestBytes = ({ config }: App): number => 4 * config.maxUploadBytes

/** Sends a file through image.upload: whatever way it came, it is charged and refused as there. One of a form ends with it. */
export async function takeFile(
  sender: FileSender,
  file: FilePart,
  facts: FileFacts,
  form: UploadForm | null,
): Promise<Taken> {
  const { app, frame, gone } = sender
  const brokenOff = new AbortController()
  let failure: unknown
  const body = toStream(file.bytes, (error) => {
    failure = error
    brokenOff.abort()
  })
  let isUnread = true
  const headers = {
    'content-length': declaredLength(sender),
    'x-file-name': facts.filename,
    'x-visibility': facts.visibility,
  }
  const ctx = contextOf(sender, {
    headers,
    form,
    isStillValid: () => isStillValid(sender),
    acceptBody: () => {
      isUnread = false
      sender.allowance.raise(requestBytes(app))
    },
  })
  try {
    const caller = callerBy(ctx, AbortSignal.any([gone, brokenOff.signal]))
    // Its parser takes of clients what it gives to the procedure: the stream.
    const image: UploadAnswer = await Reflect.apply(caller.image.upload, null, [body])
    return { outcome: 'stored', image, deletionUrl: await linkTo(sender, image) }
  } catch (error) {
    const thrown = failure ?? sender.pending.failure ?? error
    if (isFault(thrown))
      app.logFailure({ requestId: frame.requestId, path: 'image.upload', err: thrown }, 'call failed')
    return { outcome: 'refused', refusal: told(sender, refusalOf(thrown, frame.requestId)), isUnread }
  } finally {
    sender.decisions.push(...ctx.decisions)
  }
}

/** Whether the sender's token is good: a form may be minutes behind its head. */
export const isStillValid = async ({ app, viewer }: Sender): Promise<boolean> =>
  !!viewer?.token && (await viewerOfTokenId(app.db, viewer.token.id)) !== null

/** Whoever sends no token is told how. */
function told({ authorization, frame }: FileSender, refusal: Refusal): Refusal {
  const isWithout = refusal.status === 401 && authorization === undefined
  return isWithout ? refusalOf(new BadRequest('no-token'), frame.requestId) : refusal
}

/** A stream that reads no further than it is read. What fails in the middle ends it, for `onFailure` to say why. */
function toStream(bytes: AsyncIterator<Uint8Array>, onFailure: (error: unknown) => void): ReadableStream<Uint8Array> {
  const next = () =>
    bytes.next().catch((error: unknown) => {
      onFailure(error)
      return { done: true, value: undefined } as const
    })
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}

/** What a file may have at most, by what its request says of itself: a form says nothing of its parts. */
function declaredLength({ app, req }: Sender): string | undefined {
  const { 'content-length': length, 'content-type': type = '' } = req.headers
  if (length === undefined) return undefined
  const isWhole = !/^(multipart\/|application\/(json|x-www-form-urlencoded))/i.test(type)
  return isWhole ? length : String(Math.min(Number(length), app.config.maxUploadBytes))
}

/**
 * A link that deletes the image. A token that may add images gets none to one that was there before: it may not delete. A
 * link that cannot be made costs nobody the image, which is stored.
 */
async function linkTo({ app, viewer, frame }: Sender, { id, isNew }: UploadAnswer): Promise<string | null> {
  const token = viewer?.token
  if (!token || (!isNew && !token.scopes.includes('manage'))) return null
  try {
    const link = await makeDeletionLink(app.db, id, token.id)
    return link && deletionUrl(app.config.origin, link)
  } catch (err) {
    app.log.error({ requestId: frame.requestId, err }, 'an image has no deletion link')
    return null
  }
}
