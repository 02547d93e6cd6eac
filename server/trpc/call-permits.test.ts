import { TRPCError } from '@trpc/server'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import type { AnyRuleSet } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'
import { payerNow } from '#server/storage/payer.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { CallPermits } from './call-permits.ts'
import { type Context, createContext } from './context.ts'
import { createCallerFactory, publicProcedure, router } from './init.ts'
import { orLastKnown } from './last-answers.ts'
import { limitsFor } from './limit.ts'

let test: TestApp
beforeAll(async () => {
  test = await startApp({ SLUICE_MAX_UPLOAD: '1MB' })
})
afterAll(() => test[Symbol.asyncDispose]())
afterEach(() => vi.restoreAllMocks())

/** A rule set by address with a window longer than the test. */
const counted = (name: string, limit: number, more: Partial<AnyRuleSet> = {}): AnyRuleSet => ({
  name,
  by: 'ip',
  rules: [{ limit, window: '1h' }],
  ...more,
})

const sets = {
  first: counted('first', 2),
  second: counted('second', 1),
  third: counted('third', 3),
  wrong: counted('wrong', 2, { count: 'failures' }),
  cheap: counted('cheap', 1, { mode: 'degrade' }),
  under: counted('under', 9, { rules: [{ concurrent: 1 }] }),
  held: counted('held', 1, { wait: '1h', rules: [{ limit: 1, window: '59m' }] }),
  bytes: counted('bytes', 9, { unit: 'bytes', rules: [{ limit: '1MB', window: '1h' }] }),
}
const step = (label: string, ...declared: AnyRuleSet[]) =>
  declareRoute({ label, declared, isAnonymous: false, cheaperAnswer: 'less' })
const id = z.strictObject({ id: z.string().max(3) })
const amount = z.strictObject({ amount: z.int() })
const list = z.strictObject({ ids: z.array(z.int()) })
const fail = (code: TRPCError['code']) => {
  throw new TRPCError({ code })
}

let answers = 0
const nextAnswer = () => {
  answers += 1
  return answers
}
const streamLeftBy = vi.fn((_procedure: string) => {})

const procedures = router({
  plain: publicProcedure
    .meta({ limits: [sets.first] })
    .input(id)
    .query(() => 'done'),
  byId: publicProcedure
    .meta(
      limitsFor(id, [
        { name: 'one', by: { input: 'id' }, rules: [{ limit: 1, window: '1h' }] },
        { name: 'first', by: 'ip', rules: [{ limit: 2, window: '1h' }] },
      ]),
    )
    .input(id)
    .query(() => 'done'),
  listed: publicProcedure
    .meta(limitsFor(list, [{ name: 'listed', by: { input: 'ids' }, rules: [{ limit: 9, window: '1h' }] }]))
    .input(list)
    .query(() => 'done'),
  costly: publicProcedure
    .meta(
      limitsFor(amount, [
        { name: 'costly', by: 'ip', cost: (input) => input.amount, rules: [{ limit: 5, window: '1h' }] },
      ]),
    )
    .input(amount)
    .query(() => 'done'),
  guess: publicProcedure
    .meta({ limits: [sets.wrong] })
    .input(z.enum(['right', 'FORBIDDEN', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE']))
    .query(({ input }) => (input === 'right' ? input : fail(input))),
  twice: publicProcedure.meta({ limits: [sets.first] }).query(async ({ ctx }) => {
    await ctx.charge(step('second step', sets.second))
    return 'done'
  }),
  cheap: publicProcedure.meta({ limits: [sets.cheap] }).query(({ ctx }) => ctx.degraded?.policy ?? null),
  known: publicProcedure
    .meta({ limits: [sets.third, sets.cheap], cheaperAnswer: 'the last one' })
    .input(z.string())
    .query(orLastKnown(async ({ input }) => ({ input, at: nextAnswer() }))),
  under: publicProcedure.meta({ limits: [sets.under] }).query(() => 'done'),
  held: publicProcedure.meta({ limits: [sets.held] }).query(() => 'done'),
  stream: publicProcedure.meta({ limits: [sets.first] }).subscription(async function* () {
    try {
      for (;;) yield payerNow().procedure
    } finally {
      streamLeftBy(payerNow().procedure)
    }
  }),
  upTo: publicProcedure
    .meta({ limits: [counted('up-to', 9)] })
    .input(z.int())
    .query(({ ctx, input }) => ctx.chargeUpTo(step('up to', sets.third, sets.cheap), input)),
  moved: publicProcedure.meta({ limits: [sets.bytes] }).query(({ ctx }) => ctx.settle(1_000)),
})
const createCaller = createCallerFactory(procedures)

/** Creates a caller with a new address. */
function from(
  person: Person | null = null,
  { signal, headers = {} }: { signal?: AbortSignal; headers?: Record<string, string> } = {},
) {
  const address = `198.18.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`
  const ctx = createContext(test.app, {
    viewer: person?.viewer ?? null,
    address,
    requestId: 'r1',
    foreignOrigin: false,
    header: (name) => headers[name],
  })
  return { ctx, call: createCaller(ctx, signal ? { signal } : {}) }
}

/** Returns the caller's remaining permits of a set. */
async function left({ caller }: Context, set: AnyRuleSet): Promise<number | undefined> {
  const request = { sets: compileRuleSets('test', [set]), caller, bytes: 1 }
  return (await test.app.limiter.peek([request])).rules[0]?.remaining
}

describe('the decision of a call', () => {
  it('is made before the input is read if no rule counts an argument', async () => {
    const { ctx, call } = from()
    const getRawInput = vi.fn(async () => ({ id: 'a' }))
    await new CallPermits(ctx, { path: 'plain', signal: undefined }).takeDeclared({ limits: [sets.first] }, getRawInput)
    expect(getRawInput).not.toHaveBeenCalled()
    await expect(call.plain({ id: 'too long' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(call.plain({ id: 'too long' })).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  it('covers all sets at once if a rule counts an argument', async () => {
    const { ctx, call } = from()
    const reserve = vi.spyOn(test.app.limiter, 'reserve')
    expect(await call.byId({ id: 'a' })).toBe('done')
    expect(reserve).toHaveBeenCalledOnce()
    await expect(call.byId({ id: 'a' })).rejects.toMatchObject({
      message: expect.stringMatching(/: one allows 1 per hour/),
    })
    expect(await left(ctx, sets.first)).toBe(1)
    expect(await call.byId({ id: 'b' })).toBe('done')
  })

  it('charges invalid input to the other sets, and answers BAD_REQUEST', async () => {
    const { ctx, call } = from()
    await expect(call.byId({ id: 'too long' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(await left(ctx, sets.first)).toBe(1)
    await expect(Reflect.apply(call.byId, null, [undefined])).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(call.byId({ id: 'too long' })).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  it('charges the cost of the input; more than a limit is a bad request that names both', async () => {
    const { call } = from()
    await expect(call.costly({ amount: 6 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'This call is too large: a cost of 6 can never pass the limit of 5 of costly-1h.',
    })
    await expect(call.costly({ amount: 0 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'This call contains nothing to do: a cost of 0 calls is not a whole number of at least 1.',
    })
    expect(await call.costly({ amount: 5 })).toBe('done')
    await expect(call.costly({ amount: 1 })).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  it('rejects more values than a call may count as a bad request', async () => {
    const { call } = from()
    await expect(call.listed({ ids: Array.from({ length: 101 }, (_, id) => id) })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'This call is too large: 101 values to count exceed the maximum of 100.',
    })
    expect(await call.listed({ ids: Array.from({ length: 100 }, (_, id) => id) })).toBe('done')
  })

  it('does not limit a superadmin, who is counted as exempt', async () => {
    const { ctx, call } = from(await test.person({ role: 'superadmin' }))
    const reserve = vi.spyOn(test.app.limiter, 'reserve')
    const free = vi.spyOn(test.app.limiter, 'free')
    for (let at = 0; at < 3; at += 1) expect(await call.twice()).toBe('done')
    expect(reserve).not.toHaveBeenCalled()
    expect(free.mock.calls.map(([label, own]) => [label, own.map(({ facts }) => facts.name)])).toEqual(
      Array(3)
        .fill([
          ['twice', ['first']],
          ['twice', ['second']],
        ])
        .flat(),
    )
    expect(await left(ctx, sets.first)).toBe(2)
  })

  it('counts as one call in the statistics, however many further charges it has', async () => {
    const { call } = from()
    const reserve = vi.spyOn(test.app.limiter, 'reserve')
    const free = vi.spyOn(test.app.limiter, 'free')
    await call.twice()
    await call.upTo(2)
    const counted = (calls: readonly (readonly unknown[])[]) => calls.map((given) => given.at(-1))
    expect(counted(reserve.mock.calls)).toMatchObject(
      ['always', 'if-refused', 'always', 'never'].map((countsCall) => ({ countsCall })),
    )
    await from(await test.person({ role: 'superadmin' })).call.twice()
    expect(counted(free.mock.calls)).toEqual(['always', 'never'])
  })

  it('that waits ends when the client disconnects, and takes nothing', async () => {
    const client = new AbortController()
    const { ctx, call } = from(null, { signal: client.signal })
    await call.held()
    const held = call.held()
    const ended = expect(held).rejects.toMatchObject({ code: 'CLIENT_CLOSED_REQUEST' })
    await new Promise(setImmediate)
    client.abort()
    await ended
    expect(await left(ctx, sets.held)).toBe(0)
  })

  it('waits as its client prefers, at most as long as its sets say', async () => {
    const { ctx, call } = from(null, { headers: { prefer: 'respond-async, wait=0' } })
    await call.held()
    await expect(call.held()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect(rateLimitHeaders(ctx.decisions)['Preference-Applied']).toBe('wait=0')
    const patient = from(null, { headers: { prefer: 'wait=86400' } })
    await patient.call.held()
    expect(rateLimitHeaders(patient.ctx.decisions)['Preference-Applied']).toBe('wait=3600')
    const plain = from(null, { headers: { prefer: 'wait=5' } })
    await plain.call.plain({ id: 'a' })
    expect(rateLimitHeaders(plain.ctx.decisions)).not.toHaveProperty('Preference-Applied')
  })

  it('allows a call that lacks permits of a degrading set, and reports it', async () => {
    const { ctx, call } = from()
    expect([await call.cheap(), await call.cheap()]).toEqual([null, 'cheap-1h'])
    expect(ctx.decisions.map(({ degradedBy }) => degradedBy?.policy)).toEqual([undefined, 'cheap-1h'])
  })

  it('repeats what its caller was last told, and refuses what nobody was told, which charges nothing', async () => {
    const { ctx, call } = from()
    const told = await call.known('a')
    expect(await call.known('a')).toEqual({ ...told, asOf: expect.any(String) })
    expect(ctx.decisions.at(-1)?.degradedBy?.policy).toBe('cheap-1h')
    expect(await left(ctx, sets.third)).toBe(1)
    const kept = async () =>
      (await test.app.limitAdmin.refusals.find('r1')).filter((each) => each.procedure === 'known')
    const before = (await kept()).length
    await expect(call.known('b')).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      cause: { refusal: { policy: 'cheap-1h', retryAfterMs: expect.any(Number) } },
    })
    expect(ctx.decisions.at(-1)).toMatchObject({ allowed: false, refusedBy: { policy: 'cheap-1h' } })
    // It is found by its request like any other.
    expect((await kept()).slice(before)).toMatchObject([
      { subject: ctx.caller.address, retryAfterMs: expect.any(Number) },
    ])
    expect(await left(ctx, sets.third)).toBe(1)
    expect(await from(await test.person()).call.known('a')).not.toHaveProperty('asOf')
  })
})

describe('the end of a call', () => {
  it('refunds sets that count failures, unless the caller has failed', async () => {
    const { ctx, call } = from()
    await call.guess('right')
    for (const ours of ['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'] as const) {
      await expect(call.guess(ours)).rejects.toMatchObject({ code: ours })
    }
    expect(await left(ctx, sets.wrong)).toBe(2)
    await expect(call.guess('FORBIDDEN')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(Reflect.apply(call.guess, null, ['no input'])).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(call.guess('right')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  it('releases concurrent permits for the next call', async () => {
    const { call } = from()
    for (let at = 0; at < 3; at += 1) expect(await call.under()).toBe('done')
    const outcomes = await Promise.allSettled([call.under(), call.under()])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  it('charges the bytes moved, not those declared', async () => {
    const { ctx, call } = from(null, { headers: { 'content-length': '600000' } })
    await call.moved()
    expect(await left(ctx, sets.bytes)).toBe(1_048_576 - 1_000)
    await call.moved()
    expect(await left(ctx, sets.bytes)).toBe(1_048_576 - 2_000)
  })

  it('does not fail if permits cannot be refunded', async () => {
    const { ctx, call } = from()
    const reserve = test.app.limiter.reserve.bind(test.app.limiter)
    vi.spyOn(test.app.limiter, 'reserve').mockImplementation(async (...given) => {
      const permit = await reserve(...given)
      vi.spyOn(permit, 'end').mockRejectedValue(new Error('broken'))
      return permit
    })
    const logged = vi.spyOn(test.app.log, 'error')
    expect(await call.guess('right')).toBe('right')
    expect(logged).toHaveBeenCalledExactlyOnceWith(
      { requestId: 'r1', path: 'guess', err: new Error('broken') },
      'could not refund or end a permit',
    )
    expect(await left(ctx, sets.wrong)).toBe(1)
  })
})

describe('a subscription', () => {
  it('pays for each item of its stream and for its end, whoever reads it', async () => {
    const items: unknown[] = []
    for await (const item of await from().call.stream()) if (items.push(item) === 2) break
    expect(items).toEqual(['stream', 'stream'])
    await expect.poll(() => streamLeftBy.mock.calls).toEqual([['stream']])
  })
})

describe('a charge during a call', () => {
  it('that is refused refunds the whole call, and only the refusal is in the headers', async () => {
    const { ctx, call } = from()
    expect(await call.twice()).toBe('done')
    await expect(call.twice()).rejects.toMatchObject({ message: expect.stringMatching(/: second allows 1 per hour/) })
    expect([await left(ctx, sets.first), await left(ctx, sets.second)]).toEqual([1, 0])
    const policies = ctx.decisions.map(({ rules }) => rules.map(({ policy }) => policy))
    expect(policies).toEqual([['first-1h'], ['second-1h'], ['second-1h']])
  })
})

describe('a charge of up to a number', () => {
  it('is bounded by the set that refuses, not by degrading ones', async () => {
    const { ctx, call } = from()
    expect(await call.cheap()).toBe(null)
    expect([await call.upTo(2), await call.upTo(5)]).toEqual([2, 1])
    expect(await left(ctx, sets.third)).toBe(0)
    expect(await call.upTo(5)).toBe(0)
  })

  it('is not a fault if the client has disconnected', async () => {
    const client = new AbortController()
    const { ctx } = from(null, { signal: client.signal })
    client.abort()
    const permits = new CallPermits(ctx, { path: 'upTo', signal: client.signal })
    await expect(permits.takeUpTo(step('up to', sets.third), 2)).rejects.toMatchObject({
      code: 'CLIENT_CLOSED_REQUEST',
    })
    expect(await left(ctx, sets.third)).toBe(3)
  })
})
