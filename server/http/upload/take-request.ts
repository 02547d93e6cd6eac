import type { IncomingMessage } from 'node:http'
import type { App } from '#server/app.ts'
import type { RequestFrame } from '#server/http/request-frame.ts'
import { parseFileName } from '#server/images/names.ts'
import type { Decision } from '#server/limits/decision.ts'
import { BadRequest } from './bad-request.ts'
import { Allowance } from './body.ts'
import { authorizationOf } from './credentials.ts'
import { type Asked, factsOf } from './facts.ts'
import type { FilePart } from './part.ts'
import { partsOf } from './parts-of.ts'
import { isFault, type Refusal, refusalOf } from './refusal.ts'
import { requestBytes, type Sender, type Taken, takeFile } from './take-file.ts'

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
  #sender: Sender | null = null
  /** Bytes of files that were refused which are read for what comes behind them. */
  #patience: number

  constructor(request: FileRequest) {
    this.#request = request
    this.#patience = request.app.config.maxUploadBytes
  }

  async run(): Promise<Report> {
    const { app, req, frame, gone } = this.#request
    try {
      if (Number(req.headers['content-length']) > requestBytes(app)) throw new BadRequest('request-too-large')
      for await (const part of partsOf(req, this.#allowance)) {
        if (part.kind === 'field') this.#fields.set(part.name.toLowerCase(), part.value)
        else if (!(await this.#take(part))) return this.#report({ isUnread: true })
      }
      return this.#report({ error: this.#items.length > 0 ? null : new BadRequest('no-file') })
    } catch (error) {
      if (isFault(error) && !gone.aborted) app.log.error({ requestId: frame.requestId, err: error }, 'an upload failed')
      return this.#report({ error, isUnread: true })
    }
  }

  /** Takes a file, or passes over it; false when no more are to be looked at. */
  async #take(part: FilePart): Promise<boolean> {
    const { req, asked } = this.#request
    this.#sender ??= await this.#senderOf()
    const facts = factsOf(part, req, asked, this.#fields)
    const taken = this.#items.length < MAX_FILES ? await takeFile(this.#sender, part, facts) : this.#tooMany()
    this.#items.push({ ...taken, filename: parseFileName(facts.filename) ?? '' })
    if (taken.outcome === 'stored') return true
    if (this.#isOfAll(taken)) return false
    this.#patience -= await passOver(part, this.#patience)
    return this.#patience >= 0
  }

  async #senderOf(): Promise<Sender> {
    const { app, req, frame, asked, gone } = this.#request
    const authorization = authorizationOf(req, asked.query, this.#fields)
    const { 'user-agent': userAgent } = req.headers
    const viewer = authorization ? await app.viewerOf({ authorization, 'user-agent': userAgent }) : null
    const shared = { allowance: this.#allowance, decisions: this.#decisions }
    return { app, req, frame, viewer, authorization, gone, ...shared }
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

/** The rest of a file that was refused, for what comes behind it; answers the bytes, which are at most a chunk more than `most`. */
async function passOver({ bytes }: FilePart, most: number): Promise<number> {
  let read = 0
  try {
    while (read <= most) {
      const { done, value } = await bytes.next()
      if (done) break
      read += value.byteLength
    }
  } catch {
    // It is refused already; whatever comes behind says so itself.
  }
  return read
}
