/** One contender of a table, in a process of its own (apart.ts): makes as many calls as it is told, and says then what
 *  processor time they took, of all its threads, in microseconds. */
import { tuneHeap } from '#server/heap.ts'
import { type Entry, named } from './entry.ts'
import { IN_PROCESS } from './in-process-contenders.ts'
import { REFUSED } from './refused-contenders.ts'
import { underWay } from './rounds.ts'

// As the server does, and for the peers too.
tuneHeap()

const TABLES: Readonly<Record<string, readonly Entry[]>> = {
  'in-process': IN_PROCESS,
  refused: REFUSED,
}

const [table = '', name, redisUrl = ''] = process.argv.slice(2)
const { work } = await named(TABLES[table] ?? [], name).open(redisUrl)
process.on('message', async (calls) => {
  const before = process.cpuUsage()
  await underWay(work, Number(calls))
  const { user, system } = process.cpuUsage(before)
  process.send?.(user + system)
})
process.once('disconnect', () => process.exit())
process.send?.(0)
