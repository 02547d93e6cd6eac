import type { Config } from './config.ts'
import { ownHosts } from './own-hosts.ts'

/** Returns warnings about settings that work, but hardly as intended. */
export function pitfalls({
  host,
  origin,
  originIsDefault,
  databaseUrl,
  redisUrl,
  processes,
}: Pick<Config, 'host' | 'origin' | 'originIsDefault' | 'databaseUrl' | 'redisUrl' | 'processes'>): readonly string[] {
  const isLocalServer = host === '::1' || ownHosts('http://localhost').includes(host)
  return [
    ...(processes.why ? [processes.why] : []),
    ...(databaseUrl && !redisUrl
      ? [
          'the database is shared but the limiter is in this process: with several processes each limit applies per process; set REDIS_URL',
        ]
      : []),
    ...(originIsDefault && !isLocalServer
      ? [
          `other machines can connect to HOST ${host}, but only pages of ${origin} can sign in or change anything: set SLUICE_ORIGIN to the address in their browsers`,
        ]
      : []),
  ]
}
