import { once } from 'node:events'
import { Agent, createServer, request, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { answerInTurn } from './page-turns.ts'

/** A server that holds what it answers until it is told. `ask` sends as an address, on a connection of its own. */
async function startHolding() {
  const held: { address: string; res: ServerResponse; end: () => void }[] = []
  const server = createServer((req, res) => {
    const address = String(req.headers['x-address'])
    const hold = () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const end = () => {
        res.end(address)
        resolve()
      }
      held.push({ address, res, end })
      return promise
    }
    void answerInTurn(res, { kind: req.url === '/sign-in' ? 'sign-in' : 'page', address }, hold)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const agent = new Agent({ keepAlive: false })
  onTestFinished(() => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('no port')
  const ask = (address: string, path = '/') => {
    const sent = request({ port: bound.port, host: '127.0.0.1', path, agent, headers: { 'x-address': address } })
    sent.on('error', () => undefined).on('response', (answer) => answer.resume())
    sent.end()
    return sent
  }
  const waitFor = (count: number) => expect.poll(() => held.length, { interval: 5 }).toBe(count)
  return { held, ask, waitFor }
}

test('serves four of a network at a time, and others beside them', async () => {
  const { held, ask, waitFor } = await startHolding()
  for (let at = 0; at < 7; at += 1) ask(`2001:db8:1:${at}::/64`)
  await waitFor(4)
  ask('198.51.100.7')
  ask('2001:db8:1:9::/64', '/sign-in')
  await waitFor(6)
  const [first] = held
  first?.end()
  await waitFor(7)
  expect(held.map(({ address }) => address).toSorted()).toEqual([
    '198.51.100.7',
    ...['0', '1', '2', '3', '4'].map((at) => `2001:db8:1:${at}::/64`),
    '2001:db8:1:9::/64',
  ])
})

test('a connection that closes gives its turn on, also while Next has not returned', async () => {
  const { ask, waitFor } = await startHolding()
  const sent = Array.from({ length: 5 }, () => ask('192.0.2.1'))
  await waitFor(4)
  for (const each of sent.slice(0, 4)) each.destroy()
  await waitFor(5)
})

test('an answer that waits for something else keeps no turn for longer than a second', async () => {
  const { held, ask, waitFor } = await startHolding()
  for (let at = 0; at < 5; at += 1) ask('192.0.2.9')
  await waitFor(4)
  await expect.poll(() => held.length).toBe(5)
  const { res, end } = held[0] ?? expect.fail()
  end()
  await once(res, 'close')
  expect(res.writableFinished).toBe(true)
})
