import type { Stats } from './types.ts'

type Subject = Stats['nearest'][number]['subject']

/** Whom a limit counted, for reading. */
export function subjectWords({ key, kind, name }: Subject): string {
  switch (kind) {
    case 'user':
      return name ?? 'A user who is gone'
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

/** Whether a text is an address as the limiter counts it: IPv4 whole, IPv6 by its /64. */
export const isAddress = (text: string): boolean =>
  /^\d{1,3}(\.\d{1,3}){3}$/.test(text) || /^[0-9a-f]{1,4}:[0-9a-f:]*\/64$/i.test(text)

/** How full, from 0 to 1. */
export const fullness = ({ used, limit }: { readonly used: number; readonly limit: number }): number =>
  limit > 0 ? Math.min(1, used / limit) : 0

function addressIn(key: string): string {
  const end = key.lastIndexOf(':')
  return end < 0 ? '' : ` at ${key.slice(0, end)}`
}
