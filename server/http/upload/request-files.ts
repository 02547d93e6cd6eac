import { parseFileName } from '#server/images/names.ts'
import { refuseTooLarge } from '#server/images/uploading/upload-refusals.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { SaidOfFile, UploadForm } from '#server/trpc/context.ts'
import { refusedToken } from '#server/trpc/token-refusals.ts'
import { readFacts, toSaidOfFile } from './facts.ts'
import type { FileRequest } from './file-request.ts'
import { BadRequest } from './parsing/bad-request.ts'
import { Allowance } from './parsing/body.ts'
import { countedPart, skipRest } from './parsing/counted-part.ts'
import { FormFields } from './parsing/form-fields.ts'
import type { FilePart } from './parsing/part.ts'
import { mayHoldFields } from './parsing/read-parts.ts'
import { PendingFiles } from './pending-files.ts'
import { toSentRefusal } from './refusal.ts'
import type { Item } from './report.ts'
import { identifyByToken, type TokenSender } from './sender.ts'
import { readShareHeaders } from './share-headers.ts'
import { type FileSender, isStillValid, type Taken, takeFile } from './take-file.ts'

/** The most files of a request; each is charged. */
const MAX_FILES = 20

/** The same for a guest's, which a cookie lists. */
const MAX_GUEST_FILES = 10

/** The files of a request, each uploaded by image.upload in the order of the request. A refused file does not keep the next one
 *  from being uploaded, unless the refusal would apply to all that follow. */
export class RequestFiles {
  readonly fields = new FormFields()
  readonly decisions: Decision[] = []
  readonly allowance = new Allowance()
  readonly #request: FileRequest
  readonly #pending = new PendingFiles()
  /** In the order of the request. Those of files that wait for the form's end resolve then. */
  readonly #items: Promise<Item>[] = []
  #sender: FileSender | null = null
  /** Whether a file has been stored or is waiting to be. */
  #isAnyTaken = false
  /** Bytes of refused files that may still be skipped to reach the files after them. */
  #skippable: number
  /** Bytes read when a file was refused, until the next one begins; null if none was. */
  #refusedAt: number | null = null

  constructor(request: FileRequest) {
    this.#request = request
    this.#skippable = request.app.site.read().maxUploadBytes
  }

  get count(): number {
    return this.#items.length
  }

  get items(): Promise<Item[]> {
    return Promise.all(this.#items)
  }

  /** Names the sender, if the request's head does. Otherwise the fields before the first file do. Throws if the sender may not
   *  protect links as the headers ask. */
  identify(sender: TokenSender): FileSender {
    const { gone } = this.#request
    const { allowance, decisions } = this
    const isGuest = this.#request.isGuest === true
    const shareWish = readShareHeaders(sender.req.headers)
    if (shareWish && isGuest) throw new BadRequest('no-token')
    const refused = shareWish && refusedToken({ viewer: sender.viewer, hasVoidToken: false }, 'manage')
    if (refused) throw refused
    this.#sender = { ...sender, isGuest, shareWish, gone, allowance, pending: this.#pending, decisions }
    return this.#sender
  }

  /** Uploads or skips a file. Returns false if no further file should be read. */
  async take(part: FilePart): Promise<boolean> {
    const { app, req, asked } = this.#request
    if (this.#refusedAt !== null) this.#skippable -= this.allowance.read - this.#refusedAt
    this.#refusedAt = null
    const sender = this.#sender ?? this.identify(await identifyByToken(this.#request, asked.query, this.fields.last))
    const fields = this.fields.forFileHere()
    const factsNow = () => readFacts(part, req, asked, fields())
    const facts = factsNow()
    const filename = parseFileName(facts.filename) ?? ''
    const counted = countedPart(part)
    const received = Promise.withResolvers<null>()
    const isShared = sender.shareWish !== null
    const said = (isWhole: boolean) =>
      toSaidOfFile(factsNow(), isWhole && !isShared ? app.site.read().defaultVisibility : 'private')
    const form = mayHoldFields(req)
      ? this.#pending.makeForm(said, () => received.resolve(null))
      : isShared && formOfOne(said(true))
    const most = this.#request.isGuest ? MAX_GUEST_FILES : MAX_FILES
    const taking = this.count < most ? takeFile(sender, counted.part, facts, form || null) : this.#tooMany()
    const at = this.#items.push(taking.then((taken) => ({ ...taken, filename }))) - 1
    const taken = await Promise.race([taking, received.promise])
    if (taken === null || taken.outcome === 'stored') {
      this.#isAnyTaken = true
      return true
    }
    if (this.#appliesToAll(taken)) return false
    this.#refusedAt = this.allowance.read
    this.allowance.hold(this.#skippable)
    const isWhole = await skipRest(counted.part)
    if (isWhole && taken.refusal.error === 'too-large') {
      const error = refuseTooLarge(filename, counted.bytes(), app.site.read().maxUploadBytes)
      const refusal = toSentRefusal(error, this.#request.frame.requestId)
      this.#items[at] = Promise.resolve({ ...taken, refusal, filename, thrown: error })
    }
    return true
  }

  /** Stores the files that wait for the form's end, unless `error` interrupted the form or the sender's token was revoked in the
   *  meantime. A form that was not read to its end because it is too long counts as ended. */
  async storePending(error: unknown, isUnread: boolean): Promise<void> {
    if (this.#pending.count === 0 || this.#sender === null) return
    const isReadable = error === null || isTooLong(error)
    const problem = isReadable ? await whyRevoked(this.#sender) : error
    if (problem === null) this.#pending.store(!isUnread)
    else this.#pending.refuse(problem)
  }

  /** Whether the refusal makes reading further files pointless: their sender may not upload, or has sent nothing that was
   *  accepted. */
  #appliesToAll({ refusal, isUnread }: Extract<Taken, { outcome: 'refused' }>): boolean {
    if (refusal.status === 401 || refusal.status === 403) return true
    return isUnread && !this.#isAnyTaken
  }

  async #tooMany(): Promise<Taken> {
    const thrown = new BadRequest('too-many-files')
    const refusal = toSentRefusal(thrown, this.#request.frame.requestId)
    return { outcome: 'refused', refusal, isUnread: true, thrown }
  }
}

/** A file that is the whole body of its request, as a form that ends with it. */
const formOfOne = (said: SaidOfFile): UploadForm => ({ holdsPlace: false, whenEnded: (store) => store(said) })

/** Whether Sluice stopped reading because the request is too long. Files received before that are stored. */
const isTooLong = (error: unknown): boolean =>
  error instanceof BadRequest && (error.problem === 'request-too-large' || error.problem === 'too-many-fields')

/** Returns the error for a sender whose token is no longer valid; null if it is. */
async function whyRevoked(sender: FileSender): Promise<unknown> {
  if (sender.isGuest) return null
  try {
    return (await isStillValid(sender)) ? null : refusedToken({ viewer: null, hasVoidToken: true }, 'upload')
  } catch (error) {
    return error
  }
}
