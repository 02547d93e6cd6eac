import type { IncomingMessage } from 'node:http'

/** A media range of an Accept header, with its weight (RFC 9110, 12.5.1). */
const RANGE = /^\s*([\w.+*-]+\/[\w.+*-]+)\s*(?:;.*?\bq=([\d.]+))?/i
const MOST_RANGES = 20

const HTML = new Set(['text/html', 'application/xhtml+xml'])

/** Under these addresses programs call. Zips and next-auth's answers are opened by browsers. */
const API = /^\/(?:api\/(?!zip\b|auth\/)|healthz|readyz)/

/**
 * Returns whether a problem is for a person to read: a browser that opens an address accepts HTML by name, and nothing that
 * programs read as much and before it. `*` for every type alone, which curl and scripts send, keeps the answer for programs.
 */
export function acceptsPage({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  if (API.test(url)) return false
  const ranges = (headers.accept ?? '').split(',', MOST_RANGES).flatMap(readRange)
  const best = ranges.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight)
  const page = best.findIndex(({ type }) => HTML.has(type))
  const data = best.findIndex(({ type }) => type === 'application/json' || type === 'text/plain')
  return page >= 0 && (data < 0 || page < data)
}

function readRange(text: string): readonly { readonly type: string; readonly weight: number }[] {
  const [, type, weight = '1'] = RANGE.exec(text) ?? []
  return type === undefined ? [] : [{ type: type.toLowerCase(), weight: Number(weight) }]
}
