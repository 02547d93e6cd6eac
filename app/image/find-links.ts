/** A part of a text; `href` is set for an address. */
export interface TextPart {
  readonly text: string
  readonly href: string | null
}

/** Addresses end at spaces, quotes, angle brackets and full-width punctuation. */
const ADDRESS = /https?:\/\/[^\s<>"'`“”‘’«»\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]+/giu

/** Punctuation that belongs to the sentence and not to the address before it. */
const TRAILING = /[.,;:!?…*_~|]+$/u

const brackets: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Splits a text at the addresses of web pages in it. One with a user name, which makes it look like another site's, stays text. */
export function findLinks(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = trimAddress(found)
    const href = toHref(address)
    if (href === null) continue
    if (index > end) parts.push({ text: text.slice(end, index), href: null })
    parts.push({ text: address, href })
    end = index + address.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null })
  return parts
}

function trimAddress(found: string): string {
  let address = found
  for (;;) {
    const trimmed = address.replace(TRAILING, '')
    const open = brackets[trimmed.at(-1) ?? '']
    const isUnmatched = open !== undefined && count(trimmed, open) < count(trimmed, trimmed.at(-1) ?? '')
    const next = isUnmatched ? trimmed.slice(0, -1) : trimmed
    if (next === address) return address
    address = next
  }
}

const count = (text: string, letter: string): number => text.split(letter).length - 1

function toHref(address: string): string | null {
  const url = URL.parse(address)
  return url && url.username === '' && url.password === '' ? url.href : null
}
