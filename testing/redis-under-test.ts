import { findNewerRedis, machineRedis, newerRedis, type RedisProgram } from './redis-programs.ts'
import { startRedisServer } from './redis-server.ts'

/** A Redis to hold the limiter against. Others may use it too: keys have a prefix of the test's. */
export interface RedisUnderTest {
  /** As tests are titled: `Redis 8.0.2`. */
  readonly name: string
  /** Rejects where the server is not to be had. */
  readonly open: () => Promise<{ readonly url: string } & AsyncDisposable>
}

/** Every Redis that the limiter must decide alike on: the machine's, whatever its version, then one of each kind whose hash
 *  fields expire one by one, then what TEST_REDIS_URL names. */
export function redisUnderTest(): readonly RedisUnderTest[] {
  const programs: RedisProgram[] = [machineRedis(), ...newerRedis.map(findNewerRedis)]
  const started = [...new Map(programs.map((program) => [program.name, program])).values()].map((program) => ({
    name: program.name,
    open: () => startRedisServer([], program),
  }))
  const { TEST_REDIS_URL: url } = process.env
  const named = {
    name: 'TEST_REDIS_URL',
    open: async () => ({ url: url ?? '', [Symbol.asyncDispose]: async () => {} }),
  }
  return url ? [...started, named] : started
}
