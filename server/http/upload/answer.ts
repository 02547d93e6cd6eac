import type { IncomingMessage, ServerResponse } from 'node:http'
import { writeJson, writeText } from '#server/http/answers.ts'
import { limitHeaders } from '#server/http/limit-headers.ts'
import { pageUrl } from './links.ts'
import type { Refusal } from './refusal.ts'
import type { Item, Report } from './report.ts'
import type { Shape, Stored } from './shape.ts'

export type Format = 'json' | 'txt' | 'redirect'

/** What a client wants to read: by the address, by a field of its form, or by what it accepts. */
export function formatOf(req: IncomingMessage, query: URLSearchParams, fields: ReadonlyMap<string, string>): Format {
  const stated = query.get('format') ?? fields.get('format')
  if (stated === 'txt' || stated === 'text') return 'txt'
  if (stated === 'redirect') return 'redirect'
  const accepted = req.headers.accept ?? ''
  return /\btext\/plain\b/i.test(accepted) && !/\bapplication\/json\b/i.test(accepted) ? 'txt' : 'json'
}

export interface Told {
  readonly origin: string
  readonly shape: Shape
  readonly format: Format
}

/**
 * Answers an upload. It has succeeded when anything was stored, for clients take every other status for nothing: what was
 * refused beside it stands in the list. Otherwise the status is that of the first refusal.
 */
export function answerUpload(res: ServerResponse, report: Report, { origin, shape, format }: Told): void {
  const first = report.items.find(isStored)
  const refused = report.items.find(({ outcome }) => outcome === 'refused')
  const refusal = refused?.outcome === 'refused' ? refused.refusal : report.refusal
  if (!first) {
    if (refusal === null) throw new Error('a request without files has a refusal')
    answerRefusal(res, refusal, { shape, format, report })
    return
  }
  const headers = { ...limitHeaders(report.decisions), ...retryAfter(refusal) }
  if (format === 'txt') writeText(res, 200, report.items.map(lineOf).join('\n'), headers)
  else if (format === 'redirect') res.writeHead(302, { ...headers, Location: pageUrl(origin, first.image) }).end()
  else writeJson(res, 200, shape.taken(origin, first, report), headers)
}

interface ToldRefusal extends Pick<Told, 'shape' | 'format'> {
  readonly report?: Report
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers a request that nothing came of. */
export function answerRefusal(res: ServerResponse, refusal: Refusal, told: ToldRefusal): void {
  const { shape, format, report, headers } = told
  const all = {
    ...headers,
    ...limitHeaders(report?.decisions ?? []),
    ...retryAfter(refusal),
    ...(refusal.status === 401 && { 'WWW-Authenticate': 'Bearer' }),
  }
  if (format === 'txt') writeText(res, refusal.status, textOf(refusal, report?.items ?? []), all)
  else writeJson(res, refusal.status, shape.refused(refusal, report ?? null), all)
}

const isStored = (item: Item): item is Stored => item.outcome === 'stored'

/** Why nothing came of it: of several files, why of each. */
const textOf = (refusal: Refusal, items: readonly Item[]): string =>
  items.length > 1 ? items.map(lineOf).join('\n') : refusal.message

/** A line for each file, in the order of coming: whoever counts lines finds each at its place. A name is said once. */
function lineOf(item: Item): string {
  if (item.outcome === 'stored') return item.image.url
  const { filename, refusal } = item
  const why = refusal.message.startsWith(`${filename} `) ? refusal.message.slice(filename.length + 1) : refusal.message
  return `refused: ${filename}: ${why}`
}

const retryAfter = (refusal: Refusal | null): { readonly 'Retry-After'?: string } =>
  refusal?.retrySeconds ? { 'Retry-After': String(refusal.retrySeconds) } : {}
