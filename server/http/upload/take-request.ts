import type { IncomingMessage } from 'node:http'
import { callerOf } from '#server/accounts/viewer.ts'
import type { App } from '#server/app.ts'
import { refuse } from '#server/errors/refuse.ts'
import { uploadFormsRoute } from '#server/http/limits.ts'
import type { RequestFrame } from '#server/http/request-frame.ts'
import { parseFileName } from '#server/images/names.ts'
import { refuseTooLarge } from '#server/images/uploading/upload-refusals.ts'
import type { Decision } from '#server/limits/decision.ts'
import { Failures } from '#server/limits/failures.ts'
import { tooManyRequests } from '#server/trpc/limit.ts'
import { limitedToken, refusedToken } from '#server/trpc/token-refusals.ts'
import { BadRequest } from './bad-request.ts'
import { Allowance } from './body.ts'
import { countedPart, passOver } from './counted-part.ts'
import { type Asked, factsOf, saidOf } from './facts.ts'
import { FormFields } from './form-fields.ts'
import type { FilePart } from './part.ts'
import { mayHoldFields, partsOf } from './parts-of.ts'
import { PendingFiles } from './pending-files.ts'
import { isFault, refusalOf } from './refusal.ts'
import type { Item, Report } from './report.ts'
import { contextOf, type Sender, senderOf } from './sender.ts'
import { type FileSender, isStillValid, requestBytes, type Taken, takeFile } from './take-file.ts'

/** Files that a request may hold; each is charged. */
const MAX_FILES = 20

/** A request with files, as it came in. */
export interface FileRequest {
  readonly app: App
  readonly req: IncomingMessage
  readonly frame: RequestFrame
  readonly asked: Asked
  /** Aborted when the client has gone. */
  readonly gone: AbortSignal
}

/**
 * Takes the files of a request one after the other, each by image.upload, and goes on to the next behind one that is
 * refused. It ends where the refusal is the sender's and would be that of all others too, so that nothing more is received.
 */
export const takeRequest = (request: FileRequest): Promise<Report> => new RequestTaking(request).run()

class RequestTaking {
  readonly #request: FileRequest
  /** In the order of coming; those of files that wait for the form's end come then. */
  readonly #items: Promise<Item>[] = []
  readonly #fields = new FormFields()
  readonly #pending = new PendingFiles()
  readonly #decisions: Decision[] = []
  readonly #allowance = new Allowance()
  readonly #unfound: Failures
  #sender: FileSender | null = null
  /** A file was stored, or waits for that. */
  #isAnyTaken = false
  /** Bytes behind the beginning of files that were refused, which are read for what comes behind them. */
  #patience: number
  /** What had been read when a file was refused, until the next one begins. */
  #refusedAt: number | null = null

  constructor(request: FileRequest) {
    this.#request = request
    const { app, frame } = request
    this.#patience = app.config.maxUploadBytes
    this.#unfound = new Failures(app.limiter, uploadFormsRoute, callerOf(null, frame.address))
  }

  async run(): Promise<Report> {
    const { error, isUnread } = await this.#read()
    await this.#storePending(error, isUnread)
    const items = await Promise.all(this.#items)
    const refusal = error === null ? null : refusalOf(error, this.#request.frame.requestId)
    return { items, refusal, isUnread, fields: this.#fields.last, decisions: this.#decisions }
  }

  /** Stores what came of a form that has ended, or was not read to its end for its length; nothing of one that broke off, and
   *  nothing for a token that was revoked in the meantime. */
  async #storePending(error: unknown, isUnread: boolean): Promise<void> {
    if (this.#pending.count === 0 || this.#sender === null) return
    const problem = error === null || isBeyondBounds(error) ? await this.#shutOut(this.#sender) : error
    if (problem === null) this.#pending.store(!isUnread)
    else this.#pending.refuse(problem)
  }

  /** Why the sender may not store anything any more; null where they may. */
  async #shutOut(sender: Sender): Promise<unknown> {
    try {
      return (await isStillValid(sender)) ? null : refusedToken({ viewer: null, hasVoidToken: true }, 'upload')
    } catch (error) {
      return error
    }
  }

  async #read(): Promise<{ readonly error: unknown; readonly isUnread: boolean }> {
    const { app, req, frame, gone } = this.#request
    try {
      await this.#admit()
      // A file alone is refused for its own size.
      const length = mayHoldFields(req) ? Number(req.headers['content-length']) : 0
      if (length > requestBytes(app)) throw tooLargeRequest(app, length)
      for await (const part of partsOf(req, this.#allowance)) {
        if (part.kind === 'field') this.#fields.add(part.name, part.value)
        else if (!(await this.#take(part))) return { error: null, isUnread: true }
      }
      if (this.#items.length > 0) return { error: null, isUnread: false }
      throw new BadRequest('no-file')
    } catch (error) {
      if (isFault(error) && !gone.aborted)
        app.logFailure({ requestId: frame.requestId, err: error }, 'an upload failed')
      const { status } = refusalOf(error, frame.requestId)
      // A file would have been charged.
      if (this.#items.length === 0 && status < 500 && status !== 429) await this.#unfound.count()
      return { error, isUnread: !isNoFile(error) }
    }
  }

  /** Refuses a request unread whose address sends too many with no file in them, or whose token is void, or cannot come. */
  async #admit(): Promise<void> {
    const { req, asked } = this.#request
    const decision = await this.#unfound.refusal()
    if (decision) {
      this.#decisions.push(decision)
      throw tooManyRequests(decision)
    }
    const sender = await senderOf(this.#request, asked.query)
    if (sender.authorization === undefined) {
      if (!mayHoldFields(req)) throw new BadRequest('no-token')
      this.#allowance.lower()
    } else if (sender.viewer === null) {
      const context = contextOf(sender)
      this.#decisions.push(...context.decisions)
      throw limitedToken(context) ?? refusedToken(context, 'upload')
    } else this.#sender = this.#withFiles(sender)
  }

  /** Takes a file, or passes over it; false when no more are to be looked at. */
  async #take(part: FilePart): Promise<boolean> {
    const { app, req, asked } = this.#request
    if (this.#refusedAt !== null) this.#patience -= this.#allowance.read - this.#refusedAt
    this.#refusedAt = null
    this.#sender ??= this.#withFiles(await senderOf(this.#request, asked.query, this.#fields.last))
    const sender = this.#sender
    const fields = this.#fields.forFileHere()
    const factsNow = () => factsOf(part, req, asked, fields())
    const facts = factsNow()
    const filename = parseFileName(facts.filename) ?? ''
    const counted = countedPart(part)
    const received = Promise.withResolvers<null>()
    const said = (isWhole: boolean) => saidOf(factsNow(), isWhole ? app.config.defaultVisibility : 'private')
    const form = mayHoldFields(req) ? this.#pending.formOf(said, () => received.resolve(null)) : null
    const taking = this.#items.length < MAX_FILES ? takeFile(sender, counted.part, facts, form) : this.#tooMany()
    const at = this.#items.push(taking.then((taken) => ({ ...taken, filename }))) - 1
    const taken = await Promise.race([taking, received.promise])
    if (taken === null || taken.outcome === 'stored') {
      this.#isAnyTaken = true
      return true
    }
    if (this.#isOfAll(taken)) return false
    this.#refusedAt = this.#allowance.read
    this.#allowance.hold(this.#patience)
    const isWhole = await passOver(counted.part)
    if (isWhole && taken.refusal.error === 'too-large') {
      const error = refuseTooLarge(filename, counted.bytes(), app.config.maxUploadBytes)
      const refusal = refusalOf(error, this.#request.frame.requestId)
      this.#items[at] = Promise.resolve({ ...taken, refusal, filename })
    }
    return true
  }

  #withFiles(sender: Sender): FileSender {
    const { gone } = this.#request
    return { ...sender, gone, allowance: this.#allowance, pending: this.#pending, decisions: this.#decisions }
  }

  /** Whether the files that follow need not be read: their sender may not send any, or has sent none that was taken. */
  #isOfAll({ refusal, isUnread }: Extract<Taken, { outcome: 'refused' }>): boolean {
    if (refusal.status === 401 || refusal.status === 403) return true
    return isUnread && !this.#isAnyTaken
  }

  async #tooMany(): Promise<Taken> {
    const refusal = refusalOf(new BadRequest('too-many-files'), this.#request.frame.requestId)
    return { outcome: 'refused', refusal, isUnread: true }
  }
}

/** Whether it is Sluice that reads no further: what came before answers for itself. */
const isBeyondBounds = (error: unknown): boolean =>
  error instanceof BadRequest && (error.problem === 'request-too-large' || error.problem === 'too-many-fields')

const isNoFile = (error: unknown): boolean => error instanceof BadRequest && error.problem === 'no-file'

function tooLargeRequest(app: App, bytes: number): BadRequest {
  const most = requestBytes(app)
  const params = {
    size: { bytes, beside: most },
    limit: { bytes: most, beside: bytes },
    fileLimit: { bytes: app.config.maxUploadBytes },
  }
  return new BadRequest('request-too-large', refuse('request-too-large-sized', params))
}
