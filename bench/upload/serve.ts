/** Runs a server without its pages for the benchmark of uploads: prints its origin and a session's cookie, and then, for each line
 *  that it reads, `made` once all variants are made, and the milliseconds of processor time that it and its decoders have used. */
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { tuneHeap } from '#server/heap.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

tuneHeap()

/** Milliseconds of a tick of /proc. */
const TICK_MS = 10

/** Returns the processor time of this process's children, those that have ended included. */
function childrenMs(): number {
  const stat = (pid: string) => {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
      return text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
    } catch {
      return []
    }
  }
  const own = stat('self')
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && stat(name)[1] === process.pid)
  const live = children.map(stat).reduce((sum, fields) => sum + (fields[11] ?? 0) + (fields[12] ?? 0), 0)
  return (live + (own[13] ?? 0) + (own[14] ?? 0)) * TICK_MS
}

await using served = await startApp()
const person = await served.person({ role: 'superadmin' })
console.log(JSON.stringify({ origin: served.origin, cookie: person.cookie }))
for await (const line of createInterface(process.stdin)) {
  if (line === 'made')
    while ((await served.app.db.storedObject.count({ where: { variantsDue: true } })) > 0) await wait(20)
  const { user, system } = process.cpuUsage()
  console.log(JSON.stringify({ cpuMs: (user + system) / 1_000 + childrenMs() }))
}
