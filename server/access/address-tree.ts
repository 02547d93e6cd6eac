import type { Cidr } from '#server/cidr.ts'
import type { Address } from '#server/counted-address.ts'

export type Verdict = 'allow' | 'deny'

interface Node {
  zero: Node | null
  one: Node | null
  verdict: Verdict | null
}

const emptyNode = (): Node => ({ zero: null, one: null, verdict: null })

/** Address ranges as a binary tree of their bits. A lookup walks down and returns the last verdict on its path, which
 *  is that of the most specific range. Lookups allocate nothing. */
export class AddressTree {
  readonly #ipv4 = emptyNode()
  readonly #ipv6 = emptyNode()

  constructor(rules: Iterable<{ readonly cidr: Cidr; readonly verdict: Verdict }>) {
    for (const { cidr, verdict } of rules) this.#add(cidr, verdict)
  }

  /** Returns the verdict of the most specific range that contains the address; null without one. */
  verdictFor(address: Address): Verdict | null {
    if ('octets' in address) return walk(this.#ipv4, address.octets, 8)
    return walk(this.#ipv6, address.parts, 16)
  }

  #add({ network, bits }: Cidr, verdict: Verdict): void {
    const [root, parts, width] =
      'octets' in network ? ([this.#ipv4, network.octets, 8] as const) : ([this.#ipv6, network.parts, 16] as const)
    let node: Node = root
    for (let at = 0; at < bits; at += 1) {
      const branch = bitAt(parts, width, at) === 0 ? 'zero' : 'one'
      const next: Node = node[branch] ?? emptyNode()
      node[branch] = next
      node = next
    }
    node.verdict = verdict
  }
}

function walk(root: Node, parts: readonly number[], width: number): Verdict | null {
  let node: Node | null = root
  let verdict: Verdict | null = null
  for (let at = 0; node !== null; at += 1) {
    verdict = node.verdict ?? verdict
    if (at === parts.length * width) break
    node = bitAt(parts, width, at) === 0 ? node.zero : node.one
  }
  return verdict
}

/** Returns bit `at`, most significant first, of a number stored in parts of `width` bits. */
function bitAt(parts: readonly number[], width: number, at: number): number {
  const part = parts[Math.floor(at / width)] ?? 0
  return (part >> (width - 1 - (at % width))) & 1
}
