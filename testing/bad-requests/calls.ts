import type { AnyTRPCRouter } from '@trpc/server'
import { z } from 'zod'
import { appRouter } from '#server/trpc/router.ts'
import { type BadRequest, type Drawing, junk, write } from './bad-request.ts'
import { drawAny, drawLike, writeJson } from './json.ts'
import { roles } from './scene.ts'

interface Procedure {
  readonly path: string
  readonly type: string
  readonly schema: unknown
}

/** These end the session or the token of whoever calls them. */
const ending = ['account.signOutEverywhere', 'account.revokeSession', 'account.changePassword', 'token.revokeThis']

const router: AnyTRPCRouter = appRouter
const procedures: readonly Procedure[] = Object.entries<{
  readonly _def: { readonly type: string; readonly inputs: readonly unknown[] }
}>(router._def.procedures).map(([path, { _def }]) => {
  const input = _def.inputs.find((each) => each instanceof z.ZodType)
  return { path, type: _def.type, schema: input && z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) }
})

/** A call, or a batch of them, of any procedure with any input, by anybody. */
export function drawCall(drawing: Drawing): BadRequest {
  const { random, scene } = drawing
  const isBatch = random.below(3) === 0
  const called = Array.from({ length: isBatch ? random.pick([1, 2, 3, 20, 21, 200]) : 1 }, () => {
    const procedure = procedures[random.below(procedures.length)]
    if (!procedure) throw new Error('there are no procedures')
    return procedure
  })
  const isEnding = called.some(({ path }) => ending.includes(path))
  const role = isEnding ? 'guest' : random.pick(roles)
  // What a superadmin calls would succeed, and change the server for all others.
  const draw = ({ schema }: Procedure) =>
    role === 'superadmin' ? drawAny(random, scene.names) : drawLike(schema, random, scene.names)
  const [first] = called
  const inputs = isBatch ? Object.fromEntries(called.map((each, at) => [at, draw(each)])) : first ? draw(first) : null
  const json = writeJson(inputs, random)
  const isMutation = first?.type === 'mutation'
  const method = random.below(12)
    ? isMutation
      ? 'POST'
      : 'GET'
    : random.pick(['POST', 'GET', 'PUT', 'OPTIONS', 'HEAD'])
  const names = called.map(({ path }) => path).join(',')
  const path = random.below(15) ? names : random.pick([junk(random), `${names}.${junk(random)}`, names.toUpperCase()])
  const batch = isBatch ? random.pick(['batch=1', 'batch=1', 'batch=1', 'batch=true', 'batch[]=1']) : ''
  const query = isMutation ? batch : `${batch}&input=${encodeURIComponent(json.toWellFormed())}`
  const headers = [
    ...scene.credentials[role],
    ...(random.below(10) ? [] : [['Authorization', `Bearer ${random.pick([scene.token, junk(random)])}`] as const]),
    ...(random.below(6) ? [] : [['trpc-accept', 'application/jsonl'] as const]),
    ...(random.below(6) ? [] : [['Accept', random.pick(['text/event-stream', junk(random)])] as const]),
    ...(random.below(15) ? [] : [['Origin', random.pick(['null', 'https://evil.example', junk(random)])] as const]),
    ...(random.below(15) ? [] : [['Content-Encoding', random.pick(['gzip', 'br', junk(random)])] as const]),
    ...(random.below(15) ? [] : [['Last-Event-Id', junk(random)] as const]),
    ['Content-Type', random.below(8) ? 'application/json' : drawType(drawing)] as const,
  ]
  const body = isMutation || random.below(20) === 0 ? json : ''
  const sized = [...headers, ['Content-Length', String(Buffer.byteLength(body))] as const]
  const bytes = write(
    { line: `${method} /api/trpc/${encodeURI(path.toWellFormed())}?${query} HTTP/1.1`, headers: sized, body },
    drawing,
  )
  const mayStream = called.some(({ type }) => type === 'subscription')
  return { class: isBatch ? 'batches' : 'calls', bytes, methods: [method, ''], role, mayStream }
}

export function drawType({ random }: Drawing): string {
  return random.pick([
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'text/plain;charset=utf-16',
    'application/json; charset=\0',
    junk(random),
  ])
}
