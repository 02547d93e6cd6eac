import type { Config } from './config.ts'
import { ownHosts } from './own-hosts.ts'

/** Returns warnings about settings that work, but hardly as intended. */
export function pitfalls({
  host,
  origin,
  databaseUrl,
  redisUrl,
  processes,
}: Pick<Config, 'host' | 'origin' | 'databaseUrl' | 'redisUrl' | 'processes'>): readonly string[] {
  const local = ownHosts('http://localhost')
  const isLocalSite = local.includes(new URL(origin).hostname)
  const isLocalServer = local.includes(host) || host === '::1'
  return [
    ...(processes.why ? [processes.why] : []),
    ...(databaseUrl && !redisUrl
      ? [
          'the database is shared but the limiter is in this process: with several processes each limit applies per process; set REDIS_URL',
        ]
      : []),
    ...(isLocalSite && !isLocalServer
      ? [
          `other machines can connect to HOST ${host}, but only pages of ${origin} can sign in or change anything: set SLUICE_ORIGIN to the address in their browsers`,
        ]
      : []),
  ]
}
