// npm run demo:faults [-- --held 3000]: breaks Redis in every way under the load of two limiters, and prints their decisions.
import { parseArgs } from 'node:util'
import { runFault } from '../limits/fault-load.ts'
import { type RedisFault, redisFaults, startFaultyRedis } from '../limits/redis-faults.ts'

const { values } = parseArgs({ options: { held: { type: 'string', default: '3000' } } })

/** Not an outage: scripts that Redis has forgotten are sent again. */
const scriptFlush: RedisFault = {
  name: 'SCRIPT FLUSH',
  cause: /never/,
  begin: ({ admin }) => admin.script('FLUSH'),
  end: ({ admin }) => admin.script('FLUSH'),
}

const HEADS = [
  'fault',
  'by store',
  'local',
  'cache',
  'policy',
  'errors',
  'slowest, ms',
  'after 150 ms',
  'recovered after, ms',
  'admitted of 100 (bound)',
  'charged twice',
]

await using scene = await startFaultyRedis()
console.log(
  `Two limiters, each fault for ${values.held} ms, on ${(await scene.admin.info('server')).match(/redis_version:\S+/)}`,
)
console.log(`| ${HEADS.join(' | ')} |\n|${'---|'.repeat(HEADS.length)}`)
for (const fault of [...redisFaults, scriptFlush]) {
  const { decided, errors, slowestMs, late, backAfterMs, admitted, bound, chargedTwice } = await runFault(
    scene,
    fault,
    Number(values.held),
  )
  const { store, local, cache, policy } = decided
  const [slowest, backAfter] = [Math.ceil(slowestMs), Math.ceil(backAfterMs)]
  const cells = [store, local, cache, policy, errors, slowest, late, backAfter, `${admitted} (${bound})`, chargedTwice]
  console.log(`| ${[fault.name, ...cells.map((cell) => cell.toLocaleString('en'))].join(' | ')} |`)
}
