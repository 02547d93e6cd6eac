import { expect, test, vi } from 'vitest'
import { untilMade } from './until-made.ts'

const urlOf = (name: string) => `https://sluice.example/i/${name}.png`

test('looks again until a variant is made, one request at a time, and not for what has left the page', async () => {
  vi.useFakeTimers()
  const made = new Set<string>()
  const asked: string[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, options) => {
    asked.push(`${options?.method} ${url}`)
    if (`${url}`.includes('lost')) throw new TypeError('no connection')
    return new Response(null, { headers: made.has(`${url}`) ? {} : { 'Sluice-Stand-In': '1' } })
  })
  const told: string[] = []
  const left = new AbortController()
  const wait = (name: string, signal = new AbortController().signal) =>
    untilMade(urlOf(name), signal, () => told.push(name))
  wait('a')
  wait('b')
  wait('gone', left.signal)
  left.abort()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toEqual(['HEAD /i/a.png?w=800'])
  made.add('/i/a.png?w=800')
  made.add('/i/b.png?w=800')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told).toEqual(['b', 'a'])
  expect(asked).toHaveLength(3)

  const lost = new AbortController()
  wait('lost', lost.signal)
  await vi.advanceTimersByTimeAsync(1_000 + 1_000 + 2_000 + 4_000)
  expect(asked.slice(3)).toEqual(Array.from({ length: 4 }, () => 'HEAD /i/lost.png?w=800'))
  lost.abort()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(7)
  expect(told).toEqual(['b', 'a'])
})
