/** Decisions per second, beside what a Redis script costs that does nothing: the round trip is the price, and the ratio to
 *  it the limiter's own share. `npm run bench:limits`, with redis-server installed. Contenders take turns, so that a noisy
 *  machine slows all of them; each figure is the median of the rounds. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createLimiter, type Limiter } from '#server/limits/limiter.ts'
import type { RuleSet } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import { connectRedis } from '#server/limits/stores/redis-client.ts'
import { startRedisServer } from '../testing/redis-server.ts'

const ROUNDS = 7
const CALLS = 15_000
const IN_FLIGHT = 64
const SUBJECTS = 5_000

interface Contender {
  readonly name: string
  call(subject: number): Promise<unknown>
}

function rules(...rules: RuleSet['rules']): readonly CompiledRuleSet[] {
  return compileRuleSets('bench', [{ by: 'user', rules }])
}

const ONE_RULE = rules({ limit: 100, window: '1m' })
const TWO_RULES = rules({ limit: 5, window: '1s' }, { limit: 100, window: '1m' })

function decisions(name: string, limiter: Limiter, sets: readonly CompiledRuleSet[]): Contender {
  return {
    name,
    call: async (subject) => {
      const decision = await limiter.take(sets, { address: '192.0.2.1', userId: `user-${subject}`, shared: false })
      if (decision.decidedBy !== 'store') throw new Error('the store failed: the figures would be of another limiter')
    },
  }
}

/** Calls per second, with so many calls under way at any time. */
async function measure({ call }: Contender): Promise<number> {
  let next = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (next < CALLS) {
        next += 1
        await call((next * 7_919) % SUBJECTS)
      }
    }),
  )
  return (CALLS / (performance.now() - start)) * 1_000
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

await using redis = await startRedisServer()
const client = connectRedis(redis.url)
await once(client, 'ready')
const onRedis = createLimiter({ redisUrl: redis.url, deadlineMs: 5_000 })
const inProcess = createLimiter({})
await onRedis.check()

const bareScript = 'return { 1, 2 }'
const bareSha = createHash('sha1').update(bareScript).digest('hex')
await client.eval(bareScript, 1, 'bare')

const bare: Contender = {
  name: 'bare EVALSHA',
  call: (subject) => client.evalsha(bareSha, 1, `bare:{user-${subject}}`, 1, 2),
}
const contenders = [
  bare,
  decisions('Redis, 1 rule', onRedis, ONE_RULE),
  decisions('Redis, 2 rules', onRedis, TWO_RULES),
  decisions('in process, 1 rule', inProcess, ONE_RULE),
  decisions('in process, 2 rules', inProcess, TWO_RULES),
]
for (const contender of contenders) await measure(contender)

const rates = new Map(contenders.map((contender) => [contender, [] as number[]]))
for (let round = 0; round < ROUNDS; round += 1) {
  for (const contender of contenders) rates.get(contender)?.push(await measure(contender))
}

console.log(`${ROUNDS} rounds of ${CALLS} calls, ${IN_FLIGHT} in flight, ${SUBJECTS} subjects`)
for (const [{ name }, own] of rates) {
  const ratios = own.map((rate, round) => rate / (rates.get(bare)?.[round] ?? Number.NaN))
  const perSecond = Math.round(median(own)).toLocaleString('en')
  console.log(`${name.padEnd(20)} ${perSecond.padStart(10)} calls/s  ${median(ratios).toFixed(2)} of bare`)
}

client.disconnect()
await onRedis.close()
await inProcess.close()
