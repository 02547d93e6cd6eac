/** A separate process that uses a limiter on Redis: connects, reports that it is ready, and makes all its calls at once on a signal. */
import { createLimiter } from '#server/limits/limiter.ts'
import { type SceneName, scenes } from './scenes.ts'

const [redisUrl = '', calls = '0', scene = 'alone'] = process.argv.slice(2)
const outages: string[] = []
// Four processes on two cores: the count is tested, not the latency.
const limiter = createLimiter({
  redisUrl,
  deadlineMs: 20_000,
  log: (event) => {
    if (event.type === 'degraded') outages.push(event.cause)
  },
})

function isScene(name: string): name is SceneName {
  return name in scenes
}

process.once('message', async () => {
  if (!isScene(scene)) throw new Error(`no scene ${scene}`)
  const request = (index: number) => scenes[scene](`${process.pid}-${index}`)
  const permits = await Promise.all(Array.from({ length: Number(calls) }, (_, i) => limiter.reserve([request(i)])))
  const decisions = permits.map((permit) => permit.decision)
  const allowed = decisions.filter((decision) => decision.allowed).length
  // All calls were sent before the first was answered, so no remembered refusal was used.
  const byStore = decisions.filter(({ decidedBy }) => decidedBy === 'store').length
  process.send?.({ allowed, byStore, outages }, () => process.disconnect())
  await limiter.close()
})
await limiter.check()
process.send?.('ready')
