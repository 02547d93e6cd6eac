import { z } from 'zod'
import { lineOfText } from './text.ts'

export interface FooterLink {
  readonly label: string
  readonly url: string
}

const MOST_LINKS = 8
const label = lineOfText(40).refine((text) => text !== '')

/** Links of the footer, as `Imprint https://example.org/imprint | Contact mailto:me@example.org`. */
export const footerLinks = z.string().transform((text, ctx): readonly FooterLink[] => {
  const links = text
    .split(/\s\|\s/)
    .filter((part) => part.trim() !== '')
    .map(parseLink)
  const valid = links.filter((link) => link !== null)
  if (valid.length < links.length)
    ctx.addIssue('must read Label https://… | Label mailto:…, with labels of up to 40 characters')
  if (links.length > MOST_LINKS) ctx.addIssue(`must have at most ${MOST_LINKS} links`)
  return valid
})

function parseLink(part: string): FooterLink | null {
  const [, before = '', target = ''] = /^(.*)\s(\S+)$/su.exec(part.trim()) ?? []
  const said = label.safeParse(before)
  const url = parseUrl(target)
  return said.success && url !== null ? { label: said.data, url } : null
}

/** Any other scheme could run a script, or open another program. */
function parseUrl(text: string): string | null {
  if (text.length > 500 || !URL.canParse(text)) return null
  const url = new URL(text)
  const isMail = url.protocol === 'mailto:' && /^[^@\s]+@[^@\s]+$/.test(url.pathname)
  const isPage = /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return isMail || isPage ? url.href : null
}
