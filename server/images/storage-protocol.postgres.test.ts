import { afterAll, beforeAll } from 'vitest'
import { type PostgresServer, startPostgresServer } from '#testing/postgres-server.ts'
import { keepsStorageProtocol } from '#testing/storage-protocol.ts'

let postgres: PostgresServer

beforeAll(async () => {
  postgres = await startPostgresServer()
})
afterAll(() => postgres[Symbol.asyncDispose]())

keepsStorageProtocol('PostgreSQL', async () => ({ databaseUrl: await postgres.createDatabase() }))
