/** A separate process that takes concurrency permits and holds them until it is killed. Reports how many it holds. */
import { createLimiter } from '#server/limits/limiter.ts'
import { flight } from './lease-scene.ts'

const [redisUrl = '', calls = '0'] = process.argv.slice(2)
const limiter = createLimiter({ redisUrl, deadlineMs: 20_000 })
await limiter.check()
const permits = await Promise.all(Array.from({ length: Number(calls) }, () => limiter.reserve([flight])))
process.send?.(permits.filter(({ decision }) => decision.allowed).length)
