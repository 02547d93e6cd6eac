import { findNewerRedis, machineRedis, newerRedis, type RedisProgram } from './redis-programs.ts'
import { startRedisServer } from './redis-server.ts'

/** A Redis to test the limiter on. It may be shared, so keys have the test's prefix. */
export interface RedisUnderTest {
  /** The name in test titles: `Redis 8.0.2`. */
  readonly name: string
  /** Rejects if the server is missing. */
  readonly open: () => Promise<{ readonly url: string } & AsyncDisposable>
}

/** Every Redis on which the limiter must decide alike: the machine's, whatever its version, then one of each kind with expiry of
 *  individual hash fields, then the one in TEST_REDIS_URL. */
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
