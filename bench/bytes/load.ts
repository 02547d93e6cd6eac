import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

/** The requests of a load, in rotation. */
export interface Asked {
  readonly path: string
  /** Sent as If-None-Match; null to read the bytes. */
  readonly etag: string | null
}

export interface Load {
  readonly port: number
  readonly asked: readonly Asked[]
  readonly seconds: number
  /** Client addresses in rotation, sent as X-Forwarded-For. */
  readonly addresses: number
  /** The status that every response must have. */
  readonly status: 200 | 304
  /** The folder for the script. */
  readonly folder: string
}

const outcome = z.object({
  requests: z.number(),
  bytes: z.number(),
  microseconds: z.number(),
  p50: z.number(),
  p99: z.number(),
  errors: z.number(),
  others: z.number(),
})

export interface LoadFigures {
  readonly requests: number
  readonly perSecond: number
  readonly bytes: number
  /** In microseconds. */
  readonly p50: number
  readonly p99: number
}

const CONNECTIONS = 64

/** Sends requests with wrk on one core over keep-alive connections, as fast as they are answered. Throws if any response differs
 *  from the expected one. */
export async function load(options: Load): Promise<LoadFigures> {
  const { port, seconds, folder } = options
  const script = join(folder, 'load.lua')
  await writeFile(script, scriptOf(options))
  const args = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`, '--timeout', '10s', '-s', script]
  const wrk = spawn('taskset', ['-c', '1', 'wrk', ...args, `http://127.0.0.1:${port}/`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed = await text(wrk.stdout)
  const line = printed.split('\n').find((each) => each.startsWith('{'))
  if (line === undefined) throw new Error(`wrk printed: ${printed}`)
  const { requests, bytes, microseconds, p50, p99, errors, others } = outcome.parse(JSON.parse(line))
  if (errors > 0 || others > 0) throw new Error(`${others} answers were others than ${options.status}, ${errors} none`)
  if (requests === 0) throw new Error(`nothing was answered within ${seconds} s: the machine is too busy`)
  return { requests, perSecond: (requests / microseconds) * 1_000_000, bytes, p50, p99 }
}

/** Requests are built once, so that each is a single table look-up. Two tables of coprime lengths produce every combination. */
function scriptOf({ asked, addresses, status }: Load): string {
  const requests = asked.map(({ path, etag }) => {
    const condition = etag === null ? '' : `If-None-Match: ${etag}\\r\\n`
    return `'GET ${path} HTTP/1.1\\r\\nHost: localhost\\r\\n${condition}X-Forwarded-For: '`
  })
  return `
local asked = { ${requests.join(',\n')} }
local addresses = {}
for i = 0, ${addresses - 1} do
  addresses[#addresses + 1] = string.format('10.%d.%d.%d\\r\\n\\r\\n', math.floor(i / 65536), math.floor(i / 256) % 256, i % 256)
end
local thread
function setup(made) thread = made end
function init() at = math.random(0, 999999) others = 0 end
function request()
  at = at + 1
  return asked[at % #asked + 1] .. addresses[at % #addresses + 1]
end
function response(status)
  if status ~= ${status} then others = others + 1 end
end
function done(summary, latency)
  local e = summary.errors
  print(string.format('{"requests":%d,"bytes":%d,"microseconds":%d,"p50":%d,"p99":%d,"errors":%d,"others":%d}',
    summary.requests, summary.bytes, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.timeout, thread:get('others')))
end
`
}
