import type { IncomingHttpHeaders } from 'node:http'
import { ownHosts } from '#server/own-hosts.ts'

/** On whose pages images may stand. */
export interface HotlinkRule {
  readonly isOn: boolean
  /** Hosts; `*.example.org` is every host below that, and not itself. */
  readonly sites: readonly string[]
  /** Whether whoever does not say where it stands is let pass: addresses typed in, mail, and whoever hides it. */
  readonly allowsEmpty: boolean
  /** What all others get. */
  readonly answer: 'refusal' | 'placeholder'
}

export const NO_HOTLINK_RULE: HotlinkRule = { isOn: false, sites: [], allowsEmpty: true, answer: 'refusal' }

/** A rule as it is asked at each request. */
export class HotlinkGate {
  readonly answer: HotlinkRule['answer']
  readonly #allowsEmpty: boolean
  readonly #hosts: ReadonlySet<string>
  readonly #above: ReadonlySet<string>

  /** Pages of `origin`, the site's own, always pass. */
  constructor({ sites, allowsEmpty, answer }: HotlinkRule, origin: string) {
    this.answer = answer
    this.#allowsEmpty = allowsEmpty
    this.#hosts = new Set([...ownHosts(origin), ...sites.filter((site) => !site.startsWith('*.'))])
    this.#above = new Set(sites.flatMap((site) => (site.startsWith('*.') ? site.slice(2) : [])))
  }

  /** By where a browser says that it needs the image: Referer, or Origin where that is not told. */
  admits(headers: IncomingHttpHeaders): boolean {
    const host = hostOf(headers.referer) ?? hostOf(headers.origin)
    if (host === null) return this.#allowsEmpty
    if (this.#hosts.has(host)) return true
    if (this.#above.size === 0) return false
    for (let at = host.indexOf('.'); at >= 0; at = host.indexOf('.', at + 1))
      if (this.#above.has(host.slice(at + 1))) return true
    return false
  }
}

const HOST = /^https?:\/\/(?:[^/?#@]*@)?(\[[0-9a-f:.]+\]|[^/?#@:[\]]+)/i

/** The host that a page is from; null where nothing tells it. */
function hostOf(address: string | undefined): string | null {
  const host = address === undefined ? undefined : HOST.exec(address)?.[1]
  return host === undefined ? null : host.toLowerCase().replace(/\.$/, '')
}
