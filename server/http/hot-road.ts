import type { IncomingMessage, ServerResponse } from 'node:http'
import { sessionCookieName } from '#server/accounts/session-token.ts'
import type { App } from '#server/app.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { Permit } from '#server/limits/permit.ts'
import { ByteCall, SLICE_BYTES } from './byte-call.ts'
import type { SeenClient } from './client-address.ts'
import { goneSignalOf } from './client-gone.ts'
import { type HotImage, HotImages } from './hot-images.ts'
import { representationHeaders } from './image-answer.ts'
import { answerCall, findForGuests, headersOf, setImageHeaders, writeRefusal } from './image-bytes.ts'
import { type CallKind, callKindOf } from './image-reader.ts'
import { imageSecurityHeaders } from './security-headers.ts'

/** What every answer of one representation to a guest is made of: names and values of headers in turn. */
interface Prepared {
  readonly kind: CallKind
  readonly whole: readonly string[]
  readonly notModified: readonly string[]
}

/** Names in whose presence an answer depends on more than the address: the long road knows them. */
const DEPENDS_ON = ['authorization', 'range', 'if-match', 'if-modified-since', 'if-unmodified-since', 'content-length'] as const

/** The short road to an image's bytes: a guest's GET of what anybody may read, known a moment ago and at hand in memory, or
 *  not changed since. It is the limiter's decision, then head and body in one write. */
export class HotRoad {
  readonly images: HotImages<Prepared>
  readonly #app: App
  readonly #sessionCookie: string

  constructor(app: App) {
    this.#app = app
    this.#sessionCookie = `${sessionCookieName(app.config.origin)}=`
    const secure = app.config.origin.startsWith('https:')
    this.images = new HotImages<Prepared>({
      look: (asked) => findForGuests(app, asked),
      prepare: (asked, { image, representation }) => {
        const both = {
          ...imageSecurityHeaders({ secure }),
          ...headersOf(app, image, asked, []),
          ETag: representation.etag,
        }
        const length = { 'Content-Type': representation.mime, 'Content-Length': String(representation.size) }
        const own = { ...representationHeaders(representation, { save: false }), ...length }
        return { kind: callKindOf(asked), whole: rawOf({ ...both, ...own }), notModified: rawOf(both) }
      },
    })
    app.images.changes.hear((ids) => this.images.forget(ids))
  }

  /** Null, and nothing is done, for whatever is to go the long road. */
  answer(req: IncomingMessage, res: ServerResponse, client: SeenClient, requestId: string): Promise<void> | null {
    if (req.method !== 'GET') return null
    const hot = this.images.get(req.url ?? '')
    if (hot === null) return null
    const { headers } = req
    for (const name of DEPENDS_ON) if (headers[name] !== undefined) return null
    if (headers['transfer-encoding'] !== undefined || headers.cookie?.includes(this.#sessionCookie)) return null
    const { representation, prepared } = hot
    const condition = headers['if-none-match']
    if (condition === undefined) {
      if (representation.size > SLICE_BYTES) return null
      const body = this.#app.images.store.held?.(representation.key)
      if (!body || body.length !== representation.size) return null
      return this.#charge(hot, prepared.kind.all, body, req, res, client, requestId)
    }
    if (condition !== representation.etag) return null
    return this.#charge(hot, prepared.kind.calls, null, req, res, client, requestId)
  }

  async #charge(
    hot: HotImage<Prepared>,
    sets: LimitRequest['sets'],
    body: Buffer | null,
    req: IncomingMessage,
    res: ServerResponse,
    { guest }: SeenClient,
    requestId: string,
  ): Promise<void> {
    const { asked, prepared, image } = hot
    const { kind, whole, notModified } = prepared
    const bytes = body?.length ?? 0
    const signal = goneSignalOf(req.socket)
    const request = { sets, caller: guest, input: asked, ...(body && { bytes }) }
    const permit = await this.#app.limiter.reserve([request], { label: kind.label, signal })
    if (!permit.decision.allowed || permit.decision.degradedBy)
      return this.#answerOtherwise(hot, permit, bytes, req, res, guest, requestId)
    const call = new ByteCall({ app: this.#app, kind, asked, caller: guest, isFree: false, requestId }, permit, bytes)
    call.endWith(res)
    call.sends(image.sha256)
    if (body === null) return void res.writeHead(304, [...notModified, 'X-Request-Id', requestId]).end()
    call.hand(bytes)
    res.writeHead(200, [...whole, 'X-Request-Id', requestId]).end(body)
  }

  async #answerOtherwise(
    { asked, prepared: { kind } }: HotImage<Prepared>,
    permit: Permit,
    bytes: number,
    req: IncomingMessage,
    res: ServerResponse,
    caller: SeenClient['guest'],
    requestId: string,
  ): Promise<void> {
    const app = this.#app
    res.setHeader('X-Request-Id', requestId)
    setImageHeaders(app, res)
    if (!permit.decision.allowed) return writeRefusal(res, permit.decision)
    const call = new ByteCall({ app, kind, asked, caller, isFree: false, requestId }, permit, bytes)
    const signal = goneSignalOf(req.socket)
    await answerCall({ app, hot: this.images, req, res, call, asked, viewer: null, signal, requestId })
  }
}

const rawOf = (headers: Readonly<Record<string, string>>): readonly string[] => Object.entries(headers).flat()
