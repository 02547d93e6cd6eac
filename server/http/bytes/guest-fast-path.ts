import type { IncomingMessage, ServerResponse } from 'node:http'
import { sessionCookieName } from '#server/accounts/sessions/session-token.ts'
import type { App } from '#server/app.ts'
import type { Permit } from '#server/limits/permit.ts'
import { subjectOf } from '#server/limits/subject.ts'
import type { SeenClient } from '../client-address.ts'
import { goneSignalOf } from '../client-gone.ts'
import { imageSecurityHeaders } from '../security-headers.ts'
import { ByteCall } from './byte-call.ts'
import { type GuestImage, GuestImages } from './guest-images.ts'
import { representationHeaders } from './image-answer.ts'
import { answerCall, findForGuests, headersOf, setImageHeaders, writeRefusal } from './image-bytes.ts'
import { type CallKind, callKindOf } from './image-reader.ts'
import { SLICE_BYTES } from './send-object.ts'

/** A request that may be a guest's. */
export interface GuestRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly client: SeenClient
  readonly requestId: string
  /** Called with errors. */
  readonly fail: (error: unknown) => void
}

/** The prepared headers of a guest's answer, as names and values in turn; only the value of the last, the request's id,
 *  is missing. */
interface Prepared {
  readonly kind: CallKind
  readonly whole: readonly string[]
  readonly notModified: readonly string[]
}

/** Request headers that make an answer depend on more than the address: such requests take the long road. */
const DEPENDS_ON = [
  'authorization',
  'range',
  'if-match',
  'if-modified-since',
  'if-unmodified-since',
  'content-length',
] as const

/** The fast path to an image's bytes: a guest's GET of a public image that was looked up a moment ago and is cached in
 *  memory, or has not changed. It takes the limiter's decision, and then writes head and body at once. */
export class GuestFastPath {
  readonly images: GuestImages<Prepared>
  readonly #app: App
  readonly #sessionCookie: string

  constructor(app: App) {
    this.#app = app
    this.#sessionCookie = `${sessionCookieName(app.config.origin)}=`
    const secure = app.config.origin.startsWith('https:')
    this.images = new GuestImages<Prepared>({
      look: (asked) => findForGuests(app, asked),
      prepare: (asked, { image, representation }) => {
        const both = { ...headersOf(app, image, asked, []), ETag: representation.etag }
        const length = { 'Content-Type': representation.mime, 'Content-Length': String(representation.size) }
        const own = { ...representationHeaders(representation, { save: false }), ...length }
        const whole = { ...imageSecurityHeaders({ secure }), ...both, ...own }
        return { kind: callKindOf(asked), whole: rawOf(whole), notModified: rawOf(both) }
      },
    })
    app.images.changes.hear((ids) => this.images.forget(ids))
  }

  /** Serves the request; returns false, and does nothing, for a request that must take the long road
   *  (image-bytes.ts). */
  answer(request: GuestRequest): boolean {
    const { req } = request
    if (req.method !== 'GET') return false
    const hot = this.images.get(req.url ?? '')
    if (hot === null) return false
    const { headers } = req
    for (const name of DEPENDS_ON) if (headers[name] !== undefined) return false
    if (headers['transfer-encoding'] !== undefined || headers.cookie?.includes(this.#sessionCookie)) return false
    const { key, size, etag } = hot.representation
    const condition = headers['if-none-match']
    if (condition !== undefined) return condition === etag && this.#charge(hot, null, request)
    const body = size > SLICE_BYTES ? null : this.#app.images.store.held?.(key)
    return body?.length === size && this.#charge(hot, body, request)
  }

  /** When the limiter decides synchronously, the answer is written before this returns. */
  #charge(hot: GuestImage<Prepared>, body: Buffer | null, request: GuestRequest): true {
    const { req, client } = request
    const { label, all, calls } = hot.prepared.kind
    const own = { caller: client.guest, input: hot.asked }
    const charged = body === null ? { ...own, sets: calls } : { ...own, sets: all, bytes: body.length }
    try {
      const permit = this.#app.limiter.obtain([charged], { label, signal: goneSignalOf(req.socket) })
      if (permit instanceof Promise)
        permit.then((known) => this.#send(hot, known, body, request)).catch((error) => this.#fail(error, request))
      else this.#send(hot, permit, body, request)
    } catch (error) {
      this.#fail(error, request)
    }
    return true
  }

  #fail(error: unknown, { res, requestId, fail }: GuestRequest): void {
    if (!res.headersSent) this.#setHeaders(res, requestId)
    fail(error)
  }

  /** Those of an answer that is not made of what is prepared. */
  #setHeaders(res: ServerResponse, requestId: string): void {
    res.setHeader('X-Request-Id', requestId)
    setImageHeaders(this.#app, res)
  }

  #send(hot: GuestImage<Prepared>, permit: Permit, body: Buffer | null, request: GuestRequest): void {
    const { asked, image, prepared } = hot
    const { kind, whole } = prepared
    const { res, requestId, client, fail } = request
    const { allowed, degradedBy } = permit.decision
    const isPlain = allowed && !degradedBy
    if (isPlain && body === null) return void this.#sendNotModified(prepared, permit, request)
    const bytes = body?.length ?? 0
    const call = new ByteCall(
      { app: this.#app, kind, asked, caller: client.guest, isFree: false, requestId },
      permit,
      bytes,
    )
    if (!isPlain) return void this.#answerOtherwise(hot, permit, call, request).catch(fail)
    call.endWith(res)
    call.sends(image.sha256)
    call.hand(bytes)
    res.writeHead(200, [...whole, requestId]).end(body)
  }

  /** An answer without a body has no bytes to settle: the call ends here. */
  #sendNotModified(
    { kind, notModified }: Prepared,
    permit: Permit,
    { res, requestId, client, fail }: GuestRequest,
  ): void {
    res.writeHead(304, [...notModified, requestId]).end()
    this.#app.usage.answered({ procedure: kind.label, subject: subjectOf('subject', client.guest) })
    permit.end('succeeded')?.catch(fail)
  }

  async #answerOtherwise(
    { asked }: GuestImage<Prepared>,
    { decision }: Permit,
    call: ByteCall,
    { req, res, requestId }: GuestRequest,
  ): Promise<void> {
    const app = this.#app
    this.#setHeaders(res, requestId)
    if (!decision.allowed) return writeRefusal(res, decision)
    call.endWith(res)
    const signal = goneSignalOf(req.socket)
    await answerCall({ app, hot: this.images, req, res, call, asked, viewer: null, signal, requestId })
  }
}

/** Headers as they are written, but for the value of the last. */
const rawOf = (headers: Readonly<Record<string, string>>): readonly string[] => [
  ...Object.entries(headers).flat(),
  'X-Request-Id',
]
