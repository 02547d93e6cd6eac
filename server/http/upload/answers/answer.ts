import type { IncomingMessage, ServerResponse } from 'node:http'
import { writeJson, writeText } from '#server/http/answers.ts'
import { limitHeaders } from '#server/http/limit-headers.ts'
import type { SentRefusal } from '../refusal.ts'
import type { Item, Report } from '../report.ts'
import { pageUrl, sentUrl } from './links.ts'
import type { Shape, Stored } from './shape.ts'

export type AnswerFormat = 'json' | 'txt' | 'redirect'

/** Returns the response format: from the address, a form field, Zipline's header or the Accept header, in this order. */
export function chooseFormat(
  req: IncomingMessage,
  query: URLSearchParams,
  fields: ReadonlyMap<string, string>,
): AnswerFormat {
  const stated = query.get('format') ?? fields.get('format')
  if (stated === 'txt' || stated === 'text') return 'txt'
  if (stated === 'redirect') return 'redirect'
  if (stated === undefined && req.headers['x-zipline-no-json'] === 'true') return 'txt'
  const accepted = req.headers.accept ?? ''
  return /\btext\/plain\b/i.test(accepted) && !/\bapplication\/json\b/i.test(accepted) ? 'txt' : 'json'
}

interface Wording {
  readonly origin: string
  readonly shape: Shape
  readonly format: AnswerFormat
}

/**
 * Answers an upload. The status is 200 if anything was stored, because clients take any other status for a complete failure;
 * the list then names the refused files. Otherwise the status is that of the first refusal.
 */
export function answerUpload(res: ServerResponse, report: Report, { origin, shape, format }: Wording): void {
  const first = report.items.find(isStored)
  const refused = report.items.find(({ outcome }) => outcome === 'refused')
  const refusal = refused?.outcome === 'refused' ? refused.refusal : report.refusal
  if (!first) {
    if (refusal === null) throw new Error('a request without files has a refusal')
    answerRefusal(res, refusal, { shape, format, report })
    return
  }
  const headers = { ...limitHeaders(report.decisions), ...retryAfter(refusal) }
  if (format === 'txt') writeText(res, 200, report.items.map(toLine).join('\n'), headers)
  else if (format === 'redirect')
    res.writeHead(302, { ...headers, Location: first.share?.url ?? pageUrl(origin, first.image) }).end()
  else writeJson(res, 200, shape.taken(origin, first, report), headers)
}

interface RefusalWording extends Pick<Wording, 'shape' | 'format'> {
  readonly report?: Report
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers a request that stored nothing. */
export function answerRefusal(res: ServerResponse, refusal: SentRefusal, wording: RefusalWording): void {
  const { shape, format, report, headers } = wording
  const all = {
    ...headers,
    ...limitHeaders(report?.decisions ?? []),
    ...retryAfter(refusal),
    ...(refusal.status === 401 && { 'WWW-Authenticate': 'Bearer' }),
  }
  if (format === 'txt') writeText(res, refusal.status, toText(refusal, report?.items ?? []), all)
  else writeJson(res, refusal.status, shape.refused(refusal, report ?? null), all)
}

const isStored = (item: Item): item is Stored => item.outcome === 'stored'

/** Returns the reason why nothing was stored; for several files, one reason per file. */
const toText = (refusal: SentRefusal, items: readonly Item[]): string =>
  items.length > 1 ? items.map(toLine).join('\n') : refusal.message

/** Returns the line of one file. Every file has one line, in the order of the request, so that programs can match them by
 *  position. A sentence that begins with the file name does not repeat it. */
function toLine(item: Item): string {
  if (item.outcome === 'stored') return sentUrl(item)
  const { filename, refusal } = item
  const why = refusal.message.startsWith(`${filename} `) ? refusal.message.slice(filename.length + 1) : refusal.message
  return `refused: ${filename}: ${why}`
}

const retryAfter = (refusal: SentRefusal | null): { readonly 'Retry-After'?: string } =>
  refusal?.retrySeconds ? { 'Retry-After': String(refusal.retrySeconds) } : {}
