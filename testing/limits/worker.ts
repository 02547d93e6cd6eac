/** A process of its own that takes from a limiter on Redis: connects, says so, and at a word makes all its calls at once. */
import { createLimiter } from '#server/limits/limiter.ts'
import { type SceneName, scenes } from './scenes.ts'

const [redisUrl = '', calls = '0', scene = 'alone'] = process.argv.slice(2)
const outages: string[] = []
// Four processes on two cores: what is tested is the count, not how soon it comes.
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
  // All of them: each had been asked before the first was answered, so that there was no refusal to remember.
  const byStore = decisions.filter(({ decidedBy }) => decidedBy === 'store').length
  process.send?.({ allowed, byStore, outages }, () => process.disconnect())
  await limiter.close()
})
await limiter.check()
process.send?.('ready')
