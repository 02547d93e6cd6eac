import { viewerOfTokenId } from '#server/accounts/tokens/api-token.ts'
import type { GuestUploadAnswer } from '#server/guests/upload-as-guest.ts'
import { deletionUrl, makeDeletionLink } from '#server/images/links/deletion-link.ts'
import type { UploadAnswer } from '#server/images/uploading/upload-answer.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { Services } from '#server/services.ts'
import type { UploadForm } from '#server/trpc/context.ts'
import type { FileFacts } from './facts.ts'
import { BadRequest } from './parsing/bad-request.ts'
import type { Allowance } from './parsing/body.ts'
import type { FilePart } from './parsing/part.ts'
import type { PendingFiles } from './pending-files.ts'
import { isFault, type SentRefusal, toSentRefusal } from './refusal.ts'
import { callerBy, createSenderContext, type TokenSender } from './sender.ts'
import type { ShareWish } from './share-headers.ts'

/** The sender of a request's files, with the state that the files share. */
export interface FileSender extends TokenSender {
  /** The files are a guest's, and there is no token. */
  readonly isGuest: boolean
  /** Each file is answered with a link that this protects; null for the addresses of the images. */
  readonly shareWish: ShareWish | null
  readonly allowance: Allowance
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal
  readonly pending: PendingFiles
  /** Collects the limiter's decisions about all files. */
  readonly decisions: Decision[]
}

/** A share of one uploaded image. */
export interface SentShare {
  readonly id: string
  readonly url: string
  /** ISO 8601; null for no end. */
  readonly expiresAt: string | null
}

export type Taken =
  | {
      readonly outcome: 'stored'
      readonly image: UploadAnswer
      readonly deletionUrl: string | null
      /** The link that the headers asked for. */
      readonly share?: SentShare | null
      /** Set for a guest's. */
      readonly guest?: GuestUploadAnswer
    }
  | {
      readonly outcome: 'refused'
      readonly refusal: SentRefusal
      /** The file was refused before its body was accepted. */
      readonly isUnread: boolean
      /** For pages, which say it in their reader's language. */
      readonly thrown: unknown
    }

/** The most bytes of a request: four of the largest files. */
export const requestBytes = ({ site }: Pick<Services, 'site'>): number => 4 * site.read().maxUploadBytes

/** Uploads a file by image.upload, so that every format is charged and refused alike. A form's file resolves with its form. */
export async function takeFile(
  sender: FileSender,
  file: FilePart,
  facts: FileFacts,
  form: UploadForm | null,
): Promise<Taken> {
  const { app, frame, gone } = sender
  const interrupted = new AbortController()
  let failure: unknown
  const body = toStream(file.bytes, (error) => {
    failure = error
    interrupted.abort()
  })
  let isUnread = true
  const headers = {
    'content-length': declaredLength(sender),
    'x-file-name': facts.filename,
    'x-visibility': facts.visibility,
    'x-album': facts.album && encodeURIComponent(facts.album.toWellFormed()),
    'x-tags': facts.tags && encodeURIComponent(facts.tags.toWellFormed()),
  }
  const ctx = createSenderContext(sender, {
    headers,
    form,
    isStillValid: () => isStillValid(sender),
    acceptBody: () => {
      isUnread = false
      sender.allowance.raise(requestBytes(app))
    },
  })
  try {
    const caller = callerBy(ctx, AbortSignal.any([gone, interrupted.signal]))
    // The procedure's input type is that of tRPC clients, but its parser passes the stream through.
    if (sender.isGuest) {
      const image: GuestUploadAnswer = await Reflect.apply(caller.guest.upload, null, [body])
      return { outcome: 'stored', image, deletionUrl: image.deletionUrl, guest: image }
    }
    const image: UploadAnswer = await Reflect.apply(caller.image.upload, null, [body])
    const share = sender.shareWish && (await shareImage(caller, image, sender.shareWish))
    return { outcome: 'stored', image, deletionUrl: await linkTo(sender, image), share }
  } catch (error) {
    const thrown = failure ?? sender.pending.failure ?? error
    if (isFault(thrown))
      app.logFailure({ requestId: frame.requestId, path: 'image.upload', err: thrown }, 'call failed')
    const refusal = withTokenHint(sender, toSentRefusal(thrown, frame.requestId))
    return { outcome: 'refused', refusal, isUnread, thrown }
  } finally {
    sender.decisions.push(...ctx.decisions)
  }
}

/** Shares the image as Zipline would publish it: with its original. If that is refused, so is the file, although its image is stored:
 *  to send it again shares the same image. */
async function shareImage(
  { share }: ReturnType<typeof callerBy>,
  { id }: UploadAnswer,
  wish: ShareWish,
): Promise<SentShare> {
  const made = await share.create({ target: { images: [id] }, originals: true, ...wish })
  return { ...made, expiresAt: wish.expiresAt ?? null }
}

/** Whether the sender's token is still valid. A form may take minutes after its head. */
export const isStillValid = async ({ app, viewer }: TokenSender): Promise<boolean> =>
  !!viewer?.token && (await viewerOfTokenId(app.db, viewer.token.id)) !== null

/** Tells a sender without a token how to send one. */
function withTokenHint({ authorization, frame }: FileSender, refusal: SentRefusal): SentRefusal {
  const isWithout = refusal.status === 401 && authorization === undefined
  return isWithout ? toSentRefusal(new BadRequest('no-token'), frame.requestId) : refusal
}

/** Returns a stream that does not read ahead. An error ends the stream and is passed to `onFailure`. */
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

/** Returns the upper bound of a file's length that the request states. A form does not state the length of its parts, but a file is
 *  no longer than what is left of it. */
function declaredLength({ app, req, allowance }: FileSender): string | undefined {
  const { 'content-length': length, 'content-type': type = '' } = req.headers
  if (length === undefined) return undefined
  const isWhole = !/^(multipart\/|application\/(json|x-www-form-urlencoded))/i.test(type)
  return isWhole ? length : String(Math.min(Number(length) - allowance.readBefore, app.site.read().maxUploadBytes))
}

/**
 * Creates a link that deletes the image. There is none for an image that existed before, whatever the token may do: whoever deletes
 * this upload by its link must not delete an older image with its own links. If the link cannot be created, the upload succeeds without one.
 */
async function linkTo({ app, viewer, frame }: TokenSender, { id, isNew }: UploadAnswer): Promise<string | null> {
  const token = viewer?.token
  if (!token || !isNew) return null
  try {
    const link = await makeDeletionLink(app.db, id, token.id)
    return link && deletionUrl(app.config.origin, link)
  } catch (err) {
    app.log.error({ requestId: frame.requestId, err }, 'an image has no deletion link')
    return null
  }
}
