/** The cost of a decision, compared with a bare EVALSHA and with other limiters: the tables of docs/benchmarks.md.
 *  `npm run bench:limits`, with redis-server installed; `-- --only pattern`, `--rounds n`, `--quick`, `--json file`, and
 *  `--write` to put them into the document. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tuneHeap } from '#server/heap.ts'
import { documentOf } from './limits/document.ts'
import { httpHandler } from './limits/http-handler.ts'
import { inProcess } from './limits/in-process.ts'
import { memory } from './limits/memory.ts'
import { oneAtATime } from './limits/one-at-a-time.ts'
import { overRedis } from './limits/over-redis.ts'
import { redisPrograms } from './limits/redis-programs.ts'
import { refused } from './limits/refused.ts'
import { trpcBatch } from './limits/trpc-batch.ts'
import { machineLines } from './report/machine.ts'
import { parseOptions } from './report/options.ts'
import { asMarkdown, summaryOf, type Table } from './report/table.ts'

const FILE = join(import.meta.dirname, '../docs/benchmarks.md')

// Exit normally on a signal, because the servers end only then.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

// As in the server; applies to the peers too.
tuneHeap()

const options = parseOptions(process.argv.slice(2))
const tables: Table[] = []
for (const measure of [overRedis, oneAtATime, refused, httpHandler, trpcBatch, inProcess, memory]) {
  const table = await measure(options)
  if (table.rows.length === 0) continue
  tables.push(table)
  console.log(`${asMarkdown(table)}\n`)
}
console.log(summaryOf(tables))
if (options.jsonFile)
  writeFileSync(options.jsonFile, JSON.stringify({ machine: machineLines(redisPrograms()), tables }, null, 2))
if (options.write) writeFileSync(FILE, documentOf(tables))
