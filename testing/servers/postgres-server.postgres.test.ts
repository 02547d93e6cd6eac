import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempDisposableSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { startPostgresServer } from './postgres-server.ts'

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('each database is empty and separate', async () => {
  await using server = await startPostgresServer()
  const [first, second] = await Promise.all([server.createDatabase(), server.createDatabase()])
  await query(first, 'CREATE TABLE pictures (id int)')
  const tables = "SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'"
  expect(await query(first, tables)).toEqual([{ tables: 1 }])
  expect(await query(second, tables)).toEqual([{ tables: 0 }])
})

test('does not respond after disposal', async () => {
  const server = await startPostgresServer()
  await server[Symbol.asyncDispose]()
  await expect(query(server.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
})

test('a killed test process leaves no server and no folder', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-test-'))
  chmodSync(folder.path, 0o777)
  const script = `
    const { startPostgresServer } = await import('${join(import.meta.dirname, 'postgres-server.ts')}')
    const server = await startPostgresServer()
    console.log(server.url)
    setInterval(() => {}, 1000)`
  const env = { ...process.env, TMPDIR: folder.path }
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env })
  const [printed] = await once(child.stdout, 'data')
  expect(readdirSync(folder.path).length).toBe(1)
  child.kill('SIGKILL')
  await expect.poll(() => readdirSync(folder.path)).toEqual([])
  await expect(query(String(printed).trim(), 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
})
