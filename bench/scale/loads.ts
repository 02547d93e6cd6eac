import { once } from 'node:events'
import { Agent, type RequestOptions, request } from 'node:http'
import { photograph } from './photograph.ts'
import { asAnother, type Site } from './site.ts'

/** Makes request number `at`. Throws if its answer is not the one that is expected. */
export type Send = (at: number) => Promise<void>

export interface Load {
  readonly name: string
  /** Requests of a turn, and how many are under way at once. */
  readonly count: number
  readonly atOnce: number
  /** Whether decoders are at work when all is answered. */
  readonly leavesWork?: true
  prepare(site: Site): Promise<Send>
}

const address = (at: number) => `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`

/** Sends a request, and returns the answer's body. Throws unless its status is 200. */
async function ask(site: Site, options: RequestOptions, body?: Buffer): Promise<string> {
  const sent = request(site.sluice.origin, { agent: agentOf(site), ...options })
  sent.end(body)
  const [answer] = await once(sent, 'response')
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  const text = Buffer.concat(parts).toString('latin1')
  if (answer.statusCode !== 200) throw new Error(`${options.path}: ${answer.statusCode} ${text.slice(0, 200)}`)
  return text
}

const agents = new Map<Site, Agent>()
function agentOf(site: Site): Agent {
  const agent = agents.get(site) ?? new Agent({ keepAlive: true, maxSockets: 64 })
  agents.set(site, agent)
  return agent
}

async function upload(site: Site, at: number, bytes: Buffer): Promise<string> {
  const headers = {
    ...{ cookie: site.cookies[at % site.cookies.length], 'content-type': 'application/octet-stream' },
    ...{
      'content-length': bytes.length,
      'x-file-name': 'a.jpg',
      'x-visibility': 'public',
      'x-forwarded-for': address(at),
    },
  }
  return ask(site, { method: 'POST', path: '/api/trpc/image.upload', headers }, bytes)
}

const IMAGES = 16

export const loads: readonly Load[] = [
  {
    name: 'bytes',
    count: 4_000,
    atOnce: 32,
    async prepare(site) {
      const paths = await Array.fromAsync({ length: IMAGES }, async (_, at) => {
        const answer = JSON.parse(await upload(site, at, asAnother(await photograph(), `bytes ${at}`)))
        return new URL(answer.result.data.url).pathname
      })
      await site.settled()
      return async (at) => {
        await ask(site, { path: paths[at % IMAGES] ?? '', headers: { 'x-forwarded-for': address(at) } })
      }
    },
  },
  {
    name: 'calls',
    count: 2_000,
    atOnce: 32,
    prepare: async (site) => async (at) => {
      const headers = { cookie: site.cookies[at % site.cookies.length], 'x-forwarded-for': address(at) }
      await ask(site, { path: '/api/trpc/account.me', headers })
    },
  },
  {
    name: 'uploads',
    count: 60,
    atOnce: 6,
    leavesWork: true,
    prepare: async (site) => async (at) => {
      await upload(site, at, asAnother(await photograph(), `upload ${at}`))
    },
  },
]
