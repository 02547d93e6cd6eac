import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import type { Address } from '#server/counted-address.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { versionToFollow } from '#server/database/version.ts'
import type { Calls } from '#server/limit-admin/calls.ts'
import { Follower } from '#server/limit-admin/follower.ts'
import type { Limiter } from '#server/limits/limiter.ts'
import { readAccess } from './access-rows.ts'
import { AddressTree } from './address-tree.ts'
import { HotlinkGate } from './hotlink.ts'

/** Blocked addresses and allowed embedding sites, held in memory for every request. A blocked address is rejected
 *  before anything is charged or looked up. */
export interface Access {
  /** Whether a client is blocked, by its address or by the IPv4 address for which that stands. */
  denies(client: { readonly address: Address; readonly embedded: Address | null }): boolean
  /** Checks requests for image bytes; null while the hotlink rule is off. */
  readonly hotlink: HotlinkGate | null
  /** Call after each change. */
  announce(): Promise<void>
  close(): void
}

interface AccessDependencies {
  readonly db: PrismaClient
  readonly limiter: Pick<Limiter, 'fleet'>
  readonly config: Pick<Config, 'origin' | 'databaseUrl' | 'redisUrl'>
  /** Counts each request, as its address is checked. */
  readonly calls: Calls
  readonly log: Pick<Logger, 'warn'>
}

/** Reads the stored rules and follows their changes. Rejects when the database fails. */
export async function openAccess({ db, limiter, config, calls, log }: AccessDependencies): Promise<Access> {
  let tree: AddressTree | null = null
  let gate: HotlinkGate | null = null
  const read = async () => {
    const { rules, hotlink } = await readAccess(db)
    tree = rules.some(({ verdict }) => verdict === 'deny') ? new AddressTree(rules) : null
    gate = hotlink.isOn ? new HotlinkGate(hotlink, config.origin) : null
  }
  // Unreferenced, so that it keeps no process alive.
  const pause = (ms: number) => wait(ms, undefined, { ref: false })
  const what = 'the access rules'
  const version = versionToFollow(db, config, ['AccessRule', 'HotlinkRule'])
  const follower = new Follower({ topic: 'access', what, read, fleet: limiter.fleet, version, calls, log, pause })
  await follower.open()
  return {
    denies({ address, embedded }) {
      calls.note()
      if (tree === null) return false
      return tree.verdictFor(address) === 'deny' || (embedded !== null && tree.verdictFor(embedded) === 'deny')
    },
    get hotlink() {
      return gate
    },
    announce: () => follower.announce(),
    close: () => follower.close(),
  }
}
