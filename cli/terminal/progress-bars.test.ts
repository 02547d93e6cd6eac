import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { Bars } from './progress-bars.ts'

test('on a terminal each line is printed once, and addresses follow the bars', async () => {
  const terminal = () => Object.assign(new PassThrough(), { isTTY: true })
  const [stdout, stderr] = [terminal(), terminal()]
  const bars = new Bars({ env: {}, stdin: Readable.from([]), stdout, stderr, signal: new AbortController().signal })
  bars.expect(2_000)
  bars.expect(1_000)
  const [first, second] = [bars.begin('a\u001b]0;x\u0007.png', 2_000), bars.begin('b.png', 1_000)]
  first.moved(2_000)
  first.end(true)
  bars.say('uploaded a.png')
  bars.print('https://images.example.com/i/a.png')
  second.moved(500)
  second.end(false)
  bars.wait(60_000, 'upload limit reached (60 per minute)')
  bars.say('uploaded b.png')
  expect(stdout.read()).toBeNull()
  bars.end()
  bars.end()
  stdout.end()
  stderr.end()
  expect(await text(stdout)).toBe('https://images.example.com/i/a.png\n')
  const drawn = await text(stderr)
  expect(drawn).not.toContain('\u001b]0;')
  const said = stripVTControlCharacters(drawn)
  expect([said.split('uploaded a.png').length, said.split('uploaded b.png').length]).toEqual([2, 2])
  expect(said).toMatch(/1\/2 files, 2 KiB of 2\.9 KiB; waiting (60 s|1 min): upload limit reached \(60 per minute\)/)
})
