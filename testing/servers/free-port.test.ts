import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'

test('ports differ, and lie outside the ephemeral range', async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, freePort))
  expect(new Set(ports).size).toBe(100)
  expect(ports.filter((port) => port < 11_000 || port >= 31_000)).toEqual([])
})

test('skips a port that is in use', async () => {
  const port = await freePort()
  const server = createServer().listen(port + 1, '127.0.0.1')
  await once(server, 'listening')
  expect(await freePort()).not.toBe(port + 1)
  server.close()
})
