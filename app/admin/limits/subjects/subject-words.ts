import type { RuleSetItem, Stats } from '../types.ts'

type Subject = Stats['nearest'][number]['subject']

/** Whom a limit counted, for reading. */
export function subjectWords({ key, kind, name }: Subject): string {
  switch (kind) {
    case 'user':
      return name ?? 'A user who is gone'
    case 'token':
      return name === null ? 'A token that is gone' : `token ${name}`
    case 'address':
      return key === 'hidden' ? 'An address' : key
    case 'shared':
      return `${name ?? 'A user who is gone'}${addressIn(key)}`
    case 'digest':
      return `A name or argument (${key.slice(0, 7)}…)`
    case 'site':
      return 'Everybody together'
  }
}

/** A subject of an override by its user's name, with the address where it is one of a shared account, or by its token's. */
export function subjectNamed(key: string, name: string | null): string {
  if (name === null) return key
  return isToken(key) ? `token ${name}` : `${name}${addressIn(key)}`
}

/** Whether a text is a token as the limiter counts it. */
export const isToken = (key: string): boolean => /^token\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)

/** Whether a subject is one address alone, of anybody or of a shared account. */
export const isOneAddress = (key: string): boolean => addressOf(key) !== null || addressIn(key) !== ''

/** The address that a text names as the limiter counts it: IPv4 whole, IPv6 by its /64. Null for what is none. */
export function addressOf(text: string): string | null {
  const bare = text.replace(/\/64$/, '')
  if (/^\d+(\.\d+){3}$/.test(text))
    return text.split('.').every((part) => String(Math.min(+part, 255)) === part) ? text : null
  // An IPv4 address within an IPv6 one has no /64 of its own.
  if (!bare.includes(':') || bare.toLowerCase().startsWith('::ffff:')) return null
  const whole = writtenByUrl(bare)
  if (whole === null) return null
  const [before = '', after] = whole.split('::')
  const groups = before.split(':').filter(Boolean)
  const behind = after?.split(':').filter(Boolean) ?? []
  const gap = Array<string>(8 - groups.length - behind.length).fill('0')
  return `${writtenByUrl(`${[...groups, ...gap, ...behind].slice(0, 4).join(':')}::`)}/64`
}

/** The rule set as it is declared: what a shared account's addresses use together is counted as `<name>-total`. */
export const declaredName = (ruleSet: string): string => ruleSet.replace(/-total$/, '')

/** How long ago something was, by milliseconds: `12 s ago`, `3 min ago`. */
export function agoWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return seconds < 60 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`
}

/** Whether what a subject has used can be forgotten: of an argument that all are counted by only time forgets it. */
export const isForgettable = ({ kind }: Pick<Subject, 'kind'>, { targets }: Pick<RuleSetItem, 'targets'>): boolean =>
  kind !== 'digest' || targets.includes('subject')

/** How full, from 0 to 1. */
export const fullness = ({ used, limit }: { readonly used: number; readonly limit: number }): number =>
  limit > 0 ? Math.min(1, used / limit) : 0

function addressIn(key: string): string {
  const end = key.lastIndexOf(':')
  return end < 0 ? '' : ` at ${key.slice(0, end)}`
}

/** An IPv6 address in its one short spelling; null for what is none. */
function writtenByUrl(address: string): string | null {
  const url = `http://[${address}]`
  return /^[0-9a-f:.]+$/i.test(address) && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : null
}
