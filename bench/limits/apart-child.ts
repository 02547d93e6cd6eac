/** Runs one contender of a table in a separate process (apart.ts): makes the requested number of calls and reports the CPU time
 *  of all its threads in microseconds. */
import { tuneHeap } from '#server/heap.ts'
import { type Entry, named } from './entry.ts'
import { IN_PROCESS } from './in-process-contenders.ts'
import { REFUSED } from './refused-contenders.ts'
import { underWay } from './rounds.ts'

// As in the server; applies to the peers too.
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
