/** The cost of serving an image's bytes compared with nginx and with a minimal node:http server: docs/benchmarks-bytes.md.
 *  `npm run bench:bytes`, with nginx, wrk and taskset installed; `-- --rounds n`, `--seconds n`, `--gigabytes n`, `--write`
 *  to write the page, `--quick` for a rough result. */
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startContenders } from './bytes/contenders.ts'
import { documentOf, withOwnPart } from './bytes/document.ts'
import { measureMemory } from './bytes/memory.ts'
import { measureSlowReaders } from './bytes/slow-readers.ts'
import { measureThroughput } from './bytes/throughput.ts'

const FILE = join(import.meta.dirname, '../docs/benchmarks-bytes.md')

// Exit normally on a signal, because the servers end only then.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    gigabytes: { type: 'string', default: '10' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const options = values.quick
  ? { rounds: 2, seconds: 2, gigabytes: 0.5 }
  : { rounds: Number(values.rounds), seconds: Number(values.seconds), gigabytes: Number(values.gigabytes) }

const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
try {
  await using contenders = await startContenders(folder)
  const memory = await measureMemory(contenders, folder, options)
  const throughput = await measureThroughput(contenders, folder, options)
  const slow = await measureSlowReaders(contenders, folder, options)
  const page = documentOf({ throughput, slow, memory }, options)
  console.log(page)
  if (values.write) writeFileSync(FILE, withOwnPart(readFileSync(FILE, { encoding: 'utf8', flag: 'a+' }), page))
} finally {
  await rm(folder, { recursive: true, force: true })
}
