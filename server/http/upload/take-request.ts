import type { IncomingMessage } from 'node:http'
import { callerOf } from '#server/accounts/viewer.ts'
import type { App } from '#server/app.ts'
import { uploadFormLimit } from '#server/http/limits.ts'
import type { RequestFrame } from '#server/http/request-frame.ts'
import { parseFileName } from '#server/images/names.ts'
import type { Decision } from '#server/limits/decision.ts'
import { Failures } from '#server/limits/failures.ts'
import { tooManyRequests } from '#server/trpc/limit.ts'
import { refusedToken, unheardToken } from '#server/trpc/token-refusals.ts'
import { BadRequest } from './bad-request.ts'
import { Allowance } from './body.ts'
import { type Asked, factsOf } from './facts.ts'
import type { FilePart } from './part.ts'
import { mayHoldFields, partsOf } from './parts-of.ts'
import { isFault, type Refusal, refusalOf } from './refusal.ts'
import { contextOf, type Sender, senderOf } from './sender.ts'
import { type FileSender, requestBytes, type Taken, takeFile } from './take-file.ts'

/** Files that a request may hold; each is charged. */
const MAX_FILES = 20

export type Item = Taken & {
  /** Cleaned; '' where the client gave none. */
  readonly filename: string
}

/** What became of the files of a request. */
export interface Report {
  readonly items: readonly Item[]
  /** Why there are no more: the request could not be read further. */
  readonly refusal: Refusal | null
  /** Something of the request was not read: what files it may have held are refused. */
  readonly isUnread: boolean
  /** The fields of its form, the last of each name. */
  readonly fields: ReadonlyMap<string, string>
  readonly decisions: readonly Decision[]
}

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
  readonly #items: Item[] = []
  readonly #fields = new Map<string, string>()
  readonly #decisions: Decision[] = []
  readonly #allowance = new Allowance()
  readonly #unfound: Failures
  #sender: FileSender | null = null
  /** Bytes behind the beginning of files that were refused, which are read for what comes behind them. */
  #patience: number
  /** What had been read when a file was refused, until the next one begins. */
  #refusedAt: number | null = null

  constructor(request: FileRequest) {
    this.#request = request
    const { app, frame } = request
    this.#patience = app.config.maxUploadBytes
    const charged = { sets: uploadFormLimit, caller: callerOf(null, frame.address) }
    this.#unfound = new Failures(app.limiter, charged, 'upload forms')
  }

  async run(): Promise<Report> {
    const { app, req, frame, gone } = this.#request
    try {
      await this.#admit()
      if (Number(req.headers['content-length']) > requestBytes(app)) throw new BadRequest('request-too-large')
      for await (const part of partsOf(req, this.#allowance)) {
        if (part.kind === 'field') this.#fields.set(part.name.toLowerCase(), part.value)
        else if (!(await this.#take(part))) return this.#report({ isUnread: true })
      }
      if (this.#items.length > 0) return this.#report({})
      throw new BadRequest('no-file')
    } catch (error) {
      if (isFault(error) && !gone.aborted) app.log.error({ requestId: frame.requestId, err: error }, 'an upload failed')
      const report = this.#report({ error, isUnread: !isNoFile(error) })
      const { status = 500 } = report.refusal ?? {}
      // A file would have been charged.
      if (this.#items.length === 0 && status < 500 && status !== 429) await this.#unfound.count()
      return report
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
      throw unheardToken(context) ?? refusedToken(context, 'upload')
    } else this.#sender = this.#withFiles(sender)
  }

  /** Takes a file, or passes over it; false when no more are to be looked at. */
  async #take(part: FilePart): Promise<boolean> {
    const { req, asked } = this.#request
    if (this.#refusedAt !== null) this.#patience -= this.#allowance.read - this.#refusedAt
    this.#refusedAt = null
    this.#sender ??= this.#withFiles(await senderOf(this.#request, asked.query, this.#fields))
    const facts = factsOf(part, req, asked, this.#fields)
    const taken = this.#items.length < MAX_FILES ? await takeFile(this.#sender, part, facts) : this.#tooMany()
    this.#items.push({ ...taken, filename: parseFileName(facts.filename) ?? '' })
    if (taken.outcome === 'stored') return true
    if (this.#isOfAll(taken)) return false
    this.#refusedAt = this.#allowance.read
    this.#allowance.hold(this.#patience)
    await passOver(part)
    return true
  }

  #withFiles(sender: Sender): FileSender {
    return { ...sender, gone: this.#request.gone, allowance: this.#allowance, decisions: this.#decisions }
  }

  /** Whether the files that follow need not be read: their sender may not send any, or has sent none that was taken. */
  #isOfAll({ refusal, isUnread }: Extract<Taken, { outcome: 'refused' }>): boolean {
    if (refusal.status === 401 || refusal.status === 403) return true
    return isUnread && this.#items.every(({ outcome }) => outcome === 'refused')
  }

  #tooMany(): Taken {
    const refusal = refusalOf(new BadRequest('too-many-files'), this.#request.frame.requestId)
    return { outcome: 'refused', refusal, isUnread: true }
  }

  #report({ error = null, isUnread = false }: { readonly error?: unknown; readonly isUnread?: boolean }): Report {
    const refusal = error === null ? null : refusalOf(error, this.#request.frame.requestId)
    return { items: this.#items, refusal, isUnread, fields: this.#fields, decisions: this.#decisions }
  }
}

const isNoFile = (error: unknown): boolean => error instanceof BadRequest && error.problem === 'no-file'

/** The rest of a file that was refused, for what comes behind it, as far as it may be read. */
async function passOver({ bytes }: FilePart): Promise<void> {
  try {
    while (!(await bytes.next()).done);
  } catch {
    // It is refused already; whatever comes behind says so itself.
  }
}
