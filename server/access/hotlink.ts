import type { IncomingHttpHeaders } from 'node:http'
import { ownHosts } from '#server/own-hosts.ts'

/** The sites that may embed images. */
export interface HotlinkRule {
  readonly isOn: boolean
  /** Hosts; `*.example.org` is every subdomain of example.org, but not example.org itself. */
  readonly sites: readonly string[]
  /** Whether requests without a referring page are allowed: typed addresses, mail, and browsers that hide it. */
  readonly allowsEmpty: boolean
  /** The response to all others. */
  readonly answer: 'refusal' | 'placeholder'
}

export const NO_HOTLINK_RULE: HotlinkRule = { isOn: false, sites: [], allowsEmpty: true, answer: 'refusal' }

/** A hotlink rule prepared for checking every request. */
export class HotlinkGate {
  readonly answer: HotlinkRule['answer']
  readonly #allowsEmpty: boolean
  readonly #hosts: ReadonlySet<string>
  readonly #parents: ReadonlySet<string>

  /** Pages of `origin`, the site itself, are always allowed. */
  constructor({ sites, allowsEmpty, answer }: HotlinkRule, origin: string) {
    this.answer = answer
    this.#allowsEmpty = allowsEmpty
    this.#hosts = new Set([...ownHosts(origin), ...sites.filter((site) => !site.startsWith('*.'))])
    this.#parents = new Set(sites.flatMap((site) => (site.startsWith('*.') ? site.slice(2) : [])))
  }

  /** Checks the page that the browser reports: Referer, or Origin without one. */
  admits(headers: IncomingHttpHeaders): boolean {
    const host = parseHost(headers.referer) ?? parseHost(headers.origin)
    if (host === null) return this.#allowsEmpty
    if (this.#hosts.has(host)) return true
    if (this.#parents.size === 0) return false
    for (let at = host.indexOf('.'); at >= 0; at = host.indexOf('.', at + 1))
      if (this.#parents.has(host.slice(at + 1))) return true
    return false
  }
}

const HOST = /^https?:\/\/(?:[^/?#@]*@)?(\[[0-9a-f:.]+\]|[^/?#@:[\]]+)/i

/** Returns the host of a page; null if unknown. */
function parseHost(address: string | undefined): string | null {
  const host = address === undefined ? undefined : HOST.exec(address)?.[1]
  return host === undefined ? null : host.toLowerCase().replace(/\.$/, '')
}
