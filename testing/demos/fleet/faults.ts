import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from '../../random.ts'
import type { FaultMode } from '../../servers/fault-proxy.ts'
import { s3Error } from '../../servers/s3-scene.ts'
import type { Member } from './member.ts'
import type { FleetSite } from './site.ts'

/** A fault of the fleet or of a store. */
export interface Fault {
  readonly name: string
  /** Whether Redis loses counts as it begins. */
  readonly forgets?: boolean
  /** Whether nginx asks another process for what this one was asked, so that a request may be charged twice. */
  readonly repeats?: boolean
  /** Whether it can happen on this machine; always, if absent. */
  readonly isPossible?: (site: FleetSite) => boolean
  /** Returns what ends it. */
  begin(site: FleetSite, random: Random): Promise<() => unknown>
}

const ANSWER = { ...s3Error(503, 'SlowDown'), at: 'end' } as const
const SLOW_MS = 150

/** The last member lives through everything else, so that its memory can be watched. */
const mortal = ({ members: [first, second] }: FleetSite, random: Random): Member => random.pick([first, second])
const anyOf = ({ members }: FleetSite, random: Random): Member => random.pick([...members])

const proxied = (name: string, store: 'postgres' | 'redis', mode: FaultMode): Fault => ({
  name,
  begin: async (site) => {
    await site[store].proxy.set(mode)
    return () => site[store].proxy.set('pass')
  },
})

/** Every process is stopped and started again, one after the other, as for a new version. */
export const rolledRestart: Fault = {
  name: 'rolled restart of all processes',
  begin: async ({ members }) => {
    for (const member of members) {
      await member.stop()
      await member.start()
    }
    return () => undefined
  },
}

export const faults: readonly [Fault, ...Fault[]] = [
  {
    name: 'process killed (SIGKILL) and started again',
    repeats: true,
    begin: async (site, random) => {
      const member = mortal(site, random)
      await member.kill()
      return () => member.start()
    },
  },
  {
    name: 'process stopped (SIGTERM) and started again',
    begin: async (site, random) => {
      const member = mortal(site, random)
      await member.stop()
      return () => member.start()
    },
  },
  {
    name: 'process suspended (SIGSTOP)',
    repeats: true,
    begin: async (site, random) => {
      const member = anyOf(site, random)
      member.signal('SIGSTOP')
      return () => member.signal('SIGCONT')
    },
  },
  {
    name: 'clock of a process 3 min ahead, and back',
    begin: async (site, random) => {
      const member = mortal(site, random)
      const { pid } = member
      member.signal('SIGUSR2')
      return () => void (member.pid === pid && member.signal('SIGUSR2'))
    },
  },
  {
    name: 'disk of a process full',
    isPossible: ({ smallDisk }) => smallDisk !== null,
    begin: async ({ members: [{ dataDir }] }) => {
      const ballast = join(dataDir, 'ballast')
      const { bavail, bsize } = await statfs(dataDir)
      // The process writes at the same time, and the last bytes may be its own.
      await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(unlessFull)
      return () => rm(ballast)
    },
  },
  proxied('Redis refuses connections', 'redis', 'refuse'),
  proxied('Redis gives no answer', 'redis', 'blackhole'),
  proxied(`Redis slow by ${2 * SLOW_MS} ms`, 'redis', SLOW_MS),
  {
    name: 'Redis killed, its replica promoted',
    forgets: true,
    begin: async ({ redis }) => {
      await redis.failOver()
      return () => undefined
    },
  },
  {
    name: 'Redis killed and started empty',
    forgets: true,
    begin: async ({ redis }) => {
      await redis.empty()
      return () => undefined
    },
  },
  proxied('PostgreSQL refuses connections', 'postgres', 'refuse'),
  proxied('PostgreSQL gives no answer', 'postgres', 'blackhole'),
  proxied(`PostgreSQL slow by ${2 * SLOW_MS} ms`, 'postgres', SLOW_MS),
  {
    name: 'PostgreSQL killed, its standby promoted',
    begin: async ({ postgres }) => {
      await postgres.failOver()
      return () => undefined
    },
  },
  {
    name: 'bucket answers half of the requests with 503',
    begin: async ({ bucket }, random) => {
      bucket.fault = () => (random.below(2) === 0 ? { answer: ANSWER } : null)
      return () => passAll(bucket)
    },
  },
  {
    name: 'bucket cuts half of its answers',
    begin: async ({ bucket }, random) => {
      bucket.fault = () => (random.below(2) === 0 ? { end: { how: 'cut', after: random.below(20_000) } } : null)
      return () => passAll(bucket)
    },
  },
  {
    name: 'bucket slow: 50 ms for each 16 KiB',
    begin: async ({ bucket }) => {
      bucket.fault = () => ({ paceMs: 50 })
      return () => passAll(bucket)
    },
  },
]

function passAll(bucket: FleetSite['bucket']): void {
  bucket.fault = () => null
}

function unlessFull(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOSPC') throw error
}
