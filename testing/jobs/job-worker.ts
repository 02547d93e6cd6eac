// A process of the test job-kills: starts the job that it finds, reports it, and never ends.
import { openDatabase } from '#server/database/database.ts'
import { openQueue, slowJob } from './job-queue-suite.ts'

const database = await openDatabase({ dataDir: '', databaseUrl: process.argv[2] ?? '' })
const { queue } = await openQueue(database)
await queue.work(slowJob, ({ id }) => {
  console.log(`begun ${id}`)
  return new Promise(() => undefined)
})
console.log('ready')
