import type { IncomingMessage, ServerResponse } from 'node:http'
import { toCaller } from '#server/accounts/viewer.ts'
import type { Decision } from '#server/limits/decision.ts'
import { refusalOf } from '#server/limits/describe.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import { chargeOf } from '#server/limits/rules/declared-route.ts'
import {
  findPreview,
  findPreviewedShare,
  type Previewed,
  parsePreviewed,
  previewOpenShare,
} from '#server/previews/find-preview.ts'
import { oembedRoute } from '#server/previews/limits.ts'
import { type Bounds, toOembed } from '#server/previews/oembed.ts'
import { OEMBED_PATH, type Preview } from '#server/previews/preview.ts'
import type { Services } from '#server/services.ts'
import { chargeShareRequest } from '#server/sharing/charge-share.ts'
import { writeProblem } from './answers.ts'
import { refuseInvalid } from './invalid-request.ts'
import { showLimits } from './limit-headers.ts'
import type { RequestFrame } from './request-frame.ts'
import { refusalSentence } from './sentence.ts'

export const isOembed = (url: string): boolean => url.split('?', 1)[0] === OEMBED_PATH

/**
 * Answers an oEmbed request (https://oembed.com) about a page of this site, as a guest may see it, whoever asks. Nothing is fetched, and
 * an address of another site, of nothing and of what is private get the same 404.
 */
export async function handleOembed(
  app: Services,
  req: IncomingMessage,
  res: ServerResponse,
  frame: RequestFrame,
): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    if (await refuseInvalid(app, res, frame)) return
    return writeProblem(res, 405, (say) => say('http.onlyGetHead'), { Allow: 'GET, HEAD' })
  }
  const permit = await app.limiter.obtain(...chargeOf(oembedRoute, toCaller(null, frame.address)))
  void permit.end('succeeded')
  showLimits(res, [permit.decision])
  const query = new URLSearchParams(req.url?.split(/\?(.*)/s, 2)[1])
  const format = query.get('format') ?? 'json'
  const bounds = readBounds(query)
  if (refuseLimited(res, permit.decision)) return
  if (format !== 'json') return writeProblem(res, 501, (say) => say('http.onlyJson'))
  if (!bounds) return writeProblem(res, 400, (say) => say('http.badBounds'))
  const page = parsePreviewed(app.config.origin, query.get('url') ?? '')
  const found = page && (await find(app, page, frame))
  if (found && 'refused' in found) return void refuseLimited(res, found.refused)
  if (!found) return writeProblem(res, 404, (say) => say('http.noPreview'))
  const { name } = app.site.read()
  const answer = toOembed(found.preview, bounds, { name, origin: app.config.origin })
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }
  res.writeHead(200, headers).end(JSON.stringify(answer))
}

/** Answers 429 if the decision refuses, and returns whether it does. */
function refuseLimited(res: ServerResponse, decision: Decision): boolean {
  const refusal = refusalOf(decision)
  if (refusal) writeProblem(res, 429, refusalSentence(refusal), rateLimitHeaders([decision]))
  return refusal !== null
}

/** Returns the preview; the refusal if the share has used up a limit of its own; null if there is none. */
async function find(
  app: Services,
  page: Previewed,
  visitor: Pick<RequestFrame, 'address'>,
): Promise<{ readonly preview: Preview } | { readonly refused: Decision } | null> {
  if (page.kind !== 'share') return toFound(await findPreview(app, page))
  const share = await findPreviewedShare(app, page)
  if (!share) return null
  const decision = await chargeShareRequest(app, share, visitor)
  return decision.allowed ? toFound(await previewOpenShare(app, share, page)) : { refused: decision }
}

const toFound = (preview: Preview | null) => preview && { preview }

/** Returns `maxwidth` and `maxheight`; null if one is not a number of pixels. */
function readBounds(query: URLSearchParams): Bounds | null {
  const [maxWidth, maxHeight] = ['maxwidth', 'maxheight'].map((name) => {
    const text = query.get(name)
    if (text === null) return Number.POSITIVE_INFINITY
    return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : Number.NaN
  })
  if (maxWidth === undefined || maxHeight === undefined) return null
  return Number.isNaN(maxWidth) || Number.isNaN(maxHeight) ? null : { maxWidth, maxHeight }
}
