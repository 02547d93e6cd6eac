import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { type Io, print, printJson, say } from './command.ts'

test('writes no control characters to a terminal, and JSON keeps the value', () => {
  const [stdin, stdout, stderr] = [Readable.from([]), new PassThrough(), new PassThrough()]
  const io: Io = { env: {}, stdin, stdout, stderr, signal: new AbortController().signal }
  const hostile = 'a\u001b[2J\u007f\u009b2Jü'
  print(io, hostile)
  say(io, hostile)
  printJson(io, { hostile })
  const [line, ...json] = String(stdout.read()).split('\n')
  expect([line, String(stderr.read())]).toEqual(['a\ufffd[2J\ufffd\ufffd2Jü', 'a\ufffd[2J\ufffd\ufffd2Jü\n'])
  expect(json.join('\n')).not.toMatch(/[^\P{Cc}\n]/u)
  expect(JSON.parse(json.join('\n'))).toEqual({ hostile })
})
