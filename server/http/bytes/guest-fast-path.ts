import type { IncomingMessage, ServerResponse } from 'node:http'
import { sessionCookieName } from '#server/accounts/sessions/session-token.ts'
import { findByAddress, findForGuests } from '#server/images/image-by-address.ts'
import { hearImageChanges } from '#server/images/image-rows.ts'
import type { Permit } from '#server/limits/permit.ts'
import { subjectOf } from '#server/limits/subject.ts'
import type { Services } from '#server/services.ts'
import type { SeenClient } from '../client-address.ts'
import { socketGoneSignal } from '../client-gone.ts'
import { AnswerPermits } from './answer-permits.ts'
import { planRefusal } from './answer-plan.ts'
import { type GuestImage, GuestImages } from './guest-images.ts'
import { answerCharged, lookUpFor, setImageHeaders } from './image-bytes.ts'
import { sendText } from './send-answer.ts'
import { SLICE_BYTES } from './transfer.ts'

interface GuestRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly client: SeenClient
  readonly requestId: string
}

/** An answer that can be written as soon as it has been charged. */
interface ReadyAnswer {
  readonly known: GuestImage
  /** The whole object; null if the client has it. */
  readonly body: Buffer | null
}

/** Request headers that make an answer depend on more than the address. Requests with one are planned individually. */
const DEPENDS_ON = [
  'authorization',
  'prefer',
  'range',
  'if-match',
  'if-modified-since',
  'if-unmodified-since',
  'content-length',
] as const

/**
 * The fast path to an image's bytes: a guest's GET of a public image that was looked up a moment ago and is cached in
 * memory or unchanged. The answer is planned ahead, one decision charges the call and its bytes, and head and body are
 * written at once.
 */
export class GuestFastPath {
  readonly images: GuestImages
  readonly #app: Services
  readonly #sessionCookie: string

  constructor(app: Services) {
    const { db, site } = app
    const { origin } = app.config
    this.#app = app
    this.#sessionCookie = `${sessionCookieName(origin)}=`
    this.images = new GuestImages({
      finder: {
        find: (asked, viewer) => findByAddress(db, asked, viewer),
        findForGuests: (asked) => findForGuests(db, asked),
      },
      policy: {
        secure: origin.startsWith('https:'),
        get cacheSeconds() {
          return site.read().cacheSeconds
        },
      },
    })
    hearImageChanges(db, (changed) => this.images.forget(changed))
  }

  /** Returns what can be answered at once; null for a request that image-bytes.ts must answer. */
  find(req: IncomingMessage): ReadyAnswer | null {
    if (req.method !== 'GET') return null
    const known = this.images.get(req.url ?? '')
    if (known === null) return null
    const { headers } = req
    if (headers.host === undefined) return null
    for (const name of DEPENDS_ON) if (headers[name] !== undefined) return null
    if (headers['transfer-encoding'] !== undefined || headers.cookie?.includes(this.#sessionCookie)) return null
    const { key, size, etag, standsIn } = known.representation
    if (standsIn) return null
    const condition = headers['if-none-match']
    if (condition !== undefined) return condition === etag ? { known, body: null } : null
    const body = size > SLICE_BYTES ? null : this.#app.images.store.held?.(key)
    return body?.length === size ? { known, body } : null
  }

  /**
   * Charges and sends an answer. If the limiter decides synchronously, the answer has been sent when this returns null.
   */
  answer({ known, body }: ReadyAnswer, request: GuestRequest): Promise<void> | null {
    const { req, client, requestId } = request
    const { route, checks, whole } = known.prepared.kind
    const own = { procedure: route.label, caller: client.guest, input: known.asked }
    const charged = body === null ? { ...own, sets: checks } : { ...own, sets: whole, bytes: body.length }
    try {
      const options = { label: route.label, signal: socketGoneSignal(req.socket), requestId }
      const permit = this.#app.limiter.obtain([charged], options)
      if (permit instanceof Promise) return this.#sendLater(known, permit, body, request)
      return this.#send(known, permit, body, request)
    } catch (error) {
      this.#setHeaders(request)
      return Promise.reject(error)
    }
  }

  async #sendLater(
    known: GuestImage,
    taking: Promise<Permit>,
    body: Buffer | null,
    request: GuestRequest,
  ): Promise<void> {
    try {
      await this.#send(known, await taking, body, request)
    } catch (error) {
      this.#setHeaders(request)
      throw error
    }
  }

  /** Sets the headers of an answer that was not prepared. */
  #setHeaders({ res, requestId }: GuestRequest): void {
    if (res.headersSent) return
    res.setHeader('X-Request-Id', requestId)
    setImageHeaders(this.#app, res)
  }

  #send(known: GuestImage, permit: Permit, body: Buffer | null, request: GuestRequest): Promise<void> | null {
    const { allowed, degradedBy } = permit.decision
    const { res, requestId, client } = request
    const { kind, whole } = known.prepared
    if (!allowed || degradedBy) return this.#answerOtherwise(known, permit, body, request)
    if (body === null) return this.#sendNotModified(known, permit, request)
    const parts = { app: this.#app, label: kind.route.label, caller: client.guest, requestId }
    const permits = new AnswerPermits(parts, permit, body.length)
    permits.endWith(res)
    permits.transfer.begin(known.image)
    permits.transfer.hand(body.length)
    res.writeHead(200, [...whole, requestId]).end(body)
    return null
  }

  /** An answer without a body has no bytes to settle, so the call ends here. */
  #sendNotModified({ prepared }: GuestImage, permit: Permit, { res, requestId, client }: GuestRequest) {
    res.writeHead(304, [...prepared.notModified, requestId]).end()
    this.#app.usage.answered({ procedure: prepared.kind.route.label, subject: subjectOf('subject', client.guest) })
    return permit.end('succeeded')
  }

  /** Answers a refusal, or continues like every other request, with what has been charged already. */
  async #answerOtherwise(
    { asked, prepared: { kind } }: GuestImage,
    permit: Permit,
    body: Buffer | null,
    request: GuestRequest,
  ): Promise<void> {
    const { req, res, requestId, client } = request
    const [app, caller] = [this.#app, client.guest]
    this.#setHeaders(request)
    if (!permit.decision.allowed) return sendText(res, planRefusal(permit.decision))
    const permits = new AnswerPermits({ app, label: kind.route.label, caller, requestId }, permit, body?.length)
    permits.endWith(res)
    const charges = { kind, asked, caller, isExempt: false, tokenHolder: null }
    const signal = socketGoneSignal(req.socket)
    const lookUp = lookUpFor(app, this.images, null)
    await answerCharged({ app, lookUp, req, res, permits, charges, signal, requestId })
  }
}
