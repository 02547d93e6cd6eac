import { ownHosts } from '#server/own-hosts.ts'

const DISCOVERY = /\/\.well-known\/openid-configuration\/?$/

/** Returns whether a URL names this machine. */
export const isLoopback = ({ origin }: URL): boolean => ownHosts(origin).length > 1

/** Returns an issuer as it was typed: the address of its discovery document names it too. Null for what is no address of a provider. */
export function readIssuer(typed: string): URL | null {
  const text = typed.trim()
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  url.pathname = url.pathname.replace(DISCOVERY, '')
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return isPlain && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null
}
