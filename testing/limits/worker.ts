/** A process of its own that takes from a limiter on Redis: connects, says so, and at a word makes all its calls at once. */
import { createLimiter } from '#server/limits/limiter.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'

const [redisUrl = '', calls = '0', subject = ''] = process.argv.slice(2)
const sets = compileRuleSets('parallel', [
  {
    by: 'subject',
    rules: [
      { limit: 10, window: '1h' },
      { limit: 500, window: '2h' },
      { limit: 1_000, window: '1d' },
    ],
  },
])
// Four processes on two cores: what is tested is the count, not how soon it comes.
const limiter = createLimiter({ redisUrl, deadlineMs: 20_000 })

process.once('message', async () => {
  const taken = await Promise.all(Array.from({ length: Number(calls) }, () => limiter.take(sets, { subject })))
  const allowed = taken.filter((decision) => decision.allowed).length
  const byStore = taken.filter((decision) => decision.decidedBy === 'store').length
  process.send?.({ allowed, byStore }, () => process.disconnect())
  await limiter.close()
})
await limiter.check()
process.send?.('ready')
