import type { Translate } from '#app/ui/translate.ts'
import type { Formats } from '#format/formats.ts'
import type { Unit } from '#server/limits/rule-set.ts'
import type { ShownArgument, Subject } from '../types.ts'

type T = Translate<'adminLimits'>

/** The name of a counted subject. */
export function subjectText(t: T, { key, kind, name }: Subject): string {
  switch (kind) {
    case 'user':
      return name ?? t('subject.user')
    case 'token':
      return name === null ? t('subject.tokenDeleted') : t('subject.token', { name })
    case 'share':
      return name === null ? t('subject.shareRevoked') : t('subject.share', { name })
    case 'address':
    case 'network':
      return key === 'hidden' ? t('subject.address') : key
    case 'shared':
      return atAddress(t, name ?? t('subject.user'), key)
    case 'digest':
      return t('subject.digest', { digest: key.slice(0, 7) })
    case 'site':
      return t('by.site')
  }
}

/** The name of a thing that is counted, also of one that is gone. */
export function argumentText(t: T, { input, value, kind, title, owner }: ShownArgument): string {
  if (kind === 'share')
    return title ? t('argument.shareOf', { title, owner: owner ?? '' }) : t('argument.share', { owner: owner ?? '' })
  if (kind !== null) return title || t(`argument.${kind}`, { owner: owner ?? '' })
  return value === null ? t('argument.unknown', { input }) : t('argument.value', { input, value })
}

/** Whom or what a rule counts, in one line of text. */
export function countedText(t: T, subject: Subject, argument: ShownArgument | null): string {
  if (!argument) return subjectText(t, subject)
  const thing = argumentText(t, argument)
  return subject.kind === 'digest' ? thing : t('argument.of', { subject: subjectText(t, subject), argument: thing })
}

/** Names an override's subject by its user, token or share, with the address for a shared account. */
export function namedSubject(t: T, key: string, name: string | null): string {
  if (name === null) return key === 'site' ? t('by.site') : key
  if (key.startsWith('token/')) return t('subject.token', { name })
  return key.startsWith('share/') ? t('subject.share', { name }) : atAddress(t, name, key)
}

/** Whether a text is the limiter's key of a token or a share. */
export const isHolder = (key: string): boolean =>
  /^(?:token|share)\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)

/** Whether a subject is a single address, of anyone or of a shared account. */
export const isOneAddress = (key: string): boolean => findCountedAddress(key) !== null || addressIn(key) !== null

/**
 * Returns the address in a text as the limiter counts it: IPv4 in full, IPv6 by its /64. Null if the text is not an
 * address.
 */
export function findCountedAddress(text: string): string | null {
  const bare = text.replace(/\/64$/, '')
  if (/^\d+(\.\d+){3}$/.test(text))
    return text.split('.').every((part) => String(Math.min(+part, 255)) === part) ? text : null
  // An IPv4-mapped IPv6 address has no /64 of its own.
  if (!bare.includes(':') || bare.toLowerCase().startsWith('::ffff:')) return null
  const whole = canonicalIPv6(bare)
  if (whole === null) return null
  const [before = '', after] = whole.split('::')
  const groups = before.split(':').filter(Boolean)
  const behind = after?.split(':').filter(Boolean) ?? []
  const gap = Array<string>(8 - groups.length - behind.length).fill('0')
  return `${canonicalIPv6(`${[...groups, ...gap, ...behind].slice(0, 4).join(':')}::`)}/64`
}

/** The used part of a limit, from 0 to 1. */
export const fullness = ({ used, limit }: { readonly used: number; readonly limit: number }): number =>
  limit > 0 ? Math.min(1, used / limit) : 0

/** Returns a function that writes an amount of permits. */
export const permitsIn = (format: Pick<Formats, 'bytes' | 'count'>, unit: Unit): ((amount: number) => string) =>
  unit === 'bytes' ? format.bytes : format.count

function atAddress(t: T, name: string, key: string): string {
  const address = addressIn(key)
  return address === null ? name : t('subject.shared', { name, address })
}

function addressIn(key: string): string | null {
  const end = key.lastIndexOf(':')
  return end < 0 ? null : key.slice(0, end)
}

/** Returns an IPv6 address in its canonical form; null if the text is not one. */
function canonicalIPv6(address: string): string | null {
  const url = `http://[${address}]`
  return /^[0-9a-f:.]+$/i.test(address) && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : null
}
