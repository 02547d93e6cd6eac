/** One contender of in-process.ts, in a process of its own, for that is how anybody has it: makes as many calls as it is
 *  told, and says then what processor time it has had, of all its threads, in microseconds. */
import { tuneHeap } from '#server/heap.ts'
import { prove } from './contender.ts'
import { ENTRIES, LIMIT } from './in-process-contenders.ts'
import { underWay } from './rounds.ts'

// As the server does, and for the peers too.
tuneHeap()

const entry = ENTRIES.find(({ name }) => name === process.argv[2])
if (!entry) throw new Error('in-process.ts starts this, with the name of a contender')
const contender = entry.open()
await prove(contender, LIMIT)
process.on('message', async (calls) => {
  await underWay(contender.work, Number(calls))
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.once('disconnect', () => process.exit())
process.send?.(0)
