import { findNewerRedis, machineRedis, newerRedis } from '../../testing/servers/redis-programs.ts'
import { versionOf } from '../report/machine.ts'

/** The programs used in the measurement besides Node, one line each for the report. */
export function redisPrograms(): readonly string[] {
  const newer = newerRedis.slice(0, 1).map((redis) => findNewerRedis(redis).name)
  return [
    `ioredis ${versionOf('ioredis')}`,
    `${machineRedis().name} without persistence, over loopback; for memory ${newer.join(', ')} too`,
  ]
}
