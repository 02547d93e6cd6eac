import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'

test('ports differ, and are none that a system gives to whoever names none', async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, freePort))
  expect(new Set(ports).size).toBe(100)
  expect(ports.filter((port) => port < 11_000 || port >= 31_000)).toEqual([])
})

test('one that somebody listens on is passed over', async () => {
  const port = await freePort()
  const server = createServer().listen(port + 1, '127.0.0.1')
  await once(server, 'listening')
  expect(await freePort()).not.toBe(port + 1)
  server.close()
})
