import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeCharge, plainRule } from '../../../../testing/limits/charges.ts'
import { type RedisServer, startRedisServer } from '../../../../testing/servers/redis-server.ts'
import { ALGORITHMS, type Algorithm, type RuleOf } from '../../rules/compiled.ts'
import type { Charge, Operation } from '../../store.ts'
import { keysOf, RULE_ARGUMENTS, ruleArguments, tripArguments } from './arguments.ts'
import { loadLimitScript } from './lua-script.ts'
import { readReply } from './reply.ts'

let redis: RedisServer
let client: Redis
beforeAll(async () => {
  redis = await startRedisServer()
  client = new Redis(redis.url)
})
beforeEach(() => client.flushall())
afterAll(async () => {
  client.disconnect()
  await redis[Symbol.asyncDispose]()
})

const bucket = { ...plainRule(11, 7_000), leak: 3, scale: 5 }
const samples: { readonly [A in Algorithm]: readonly RuleOf[A][] } = {
  'sliding-window-log': [plainRule(11, 7_000)],
  'fixed-window': [[], [0], [1_000, 2_000, 3_000, 4_000]].map((boundaries) => ({
    ...plainRule(11, 7_000),
    calendar: null,
    boundaries,
  })),
  'sliding-window-counter': [true, false].map((isWhole) => ({ ...plainRule(11, 7_000), samples: 5, isWhole })),
  'leaky-bucket': [-1, 900].map((maxDelayMs) => ({ ...bucket, maxDelayMs })),
  'token-bucket': [bucket],
  concurrency: [{ ...plainRule(11, 7_000), lease: 'call 1' }],
}

/** The script as it is but for its end: what stands behind its operations instead of its reply. */
function withEnd(end: string): string {
  const { text } = loadLimitScript()
  const changed = text.replace(/return \{.*\}\s*$/, `return cjson.encode(${end})`)
  expect(changed).not.toBe(text)
  return changed
}

async function reply(script: string, operations: readonly Operation[]): Promise<readonly unknown[]> {
  const keys = keysOf(operations)
  return z
    .array(z.unknown())
    .parse(await client.callBuffer('eval', script, keys.length, ...keys, ...tripArguments(operations)))
}

async function evaluate(script: string, operations: readonly Operation[]): Promise<unknown> {
  const keys = keysOf(operations)
  return JSON.parse(String(await client.eval(script, keys.length, ...keys, ...tripArguments(operations))))
}

describe.each(ALGORITHMS)('the fragment of %s', (algorithm) => {
  const readSchema = z.object({ count: z.number(), badNumbers: z.number(), rule: z.record(z.string(), z.unknown()) })

  /** What its `read` makes of ARGV, how many it reads, and how many of these as numbers that are none. */
  async function read(args: readonly (string | number)[]) {
    const harness = `
      local count, badNumbers = 0, 0
      local function word() count = count + 1; return ARGV[count] end
      local function number()
        local value = tonumber(word())
        if not value then badNumbers = badNumbers + 1 end
        return value or 0
      end
      local rule = use('${algorithm}').read(number, word)
      return cjson.encode({ count = count, badNumbers = badNumbers, rule = rule })`
    const driver = readFileSync(join(import.meta.dirname, '../../../../lua/driver.lua'), 'utf8')
    const script = loadLimitScript().text.replace(driver, () => harness)
    return readSchema.parse(JSON.parse(z.string().parse(await client.eval(script, 0, ...args))))
  }

  test('reads of a rule exactly what it is sent, under the same names', async () => {
    for (const rule of samples[algorithm]) {
      const args = ruleArguments(algorithm, rule)
      // More lies behind it, as in a call of several rules.
      const { count, badNumbers, rule: heard } = await read([...args, 1, 2, 3])
      expect({ count, badNumbers }).toEqual({ count: args.length, badNumbers: 0 })
      for (const name of RULE_ARGUMENTS[algorithm]) {
        const value = heard[name.replace(/Ms$/, '')]
        const sent: unknown = Reflect.get(rule, name)
        expect(Array.isArray(sent) ? Object.values(value ?? {}) : value).toEqual(sent)
      }
    }
  })
})

describe('the driver', () => {
  const types = Object.keys({ take: 0, peek: 0, force: 0, reset: 0, refund: 0 } satisfies Record<Operation['type'], 0>)
  const modes = Object.keys({ enforce: 0, shadow: 0, degrade: 0 } satisfies Record<Charge['facts']['mode'], 0>)

  const charges = [...chargesOfAll('plain', 0), ...chargesOfAll('blocking', 9_000)]
  const plain = (['take', 'force', 'peek', 'reset'] as const).map((type): Operation => ({ type, charges }))
  const operations: readonly Operation[] = [
    ...plain,
    { type: 'refund', charges, at: charges.map((_, index) => index) },
    { type: 'take', charges: charges.toReversed() },
    { type: 'peek', charges: [] },
  ]

  test('reads all arguments and keys that are sent, and no more, of every operation alone and together', async () => {
    const script = withEnd('{ argument, #ARGV, key, #KEYS }')
    for (const some of [...operations.map((operation) => [operation]), operations]) {
      const sent = tripArguments(some).length
      const keys = keysOf(some).length
      expect(await evaluate(script, some)).toEqual([sent, sent, keys, keys])
    }
  })

  test("has the operations and the modes that a store's callers have", async () => {
    const keys = (table: string) =>
      `(function(t) local k = {} for n in pairs(t) do k[#k + 1] = n end return k end)(${table})`
    const heard = z.tuple([z.array(z.string()), z.array(z.string())])
    const ends = `{ ${keys("use('operations').perform")}, ${keys("use('operations').ask({})")} }`
    const [ownTypes, ownModes] = heard.parse(await evaluate(withEnd(ends), []))
    expect(ownTypes.toSorted()).toEqual(types.toSorted())
    expect(ownModes.toSorted()).toEqual(modes.toSorted())
  })

  const at = expect.toSatisfy((now: unknown) => Number.isSafeInteger(now) && Number(now) > 1_763_700_000_000)

  test('replies the time, and of each operation four integers a rule, or nothing where nothing is answered', async () => {
    const { text } = loadLimitScript()
    for (const operation of operations) {
      const [numbers, ...errors] = await reply(text, [operation])
      const rules = operation.charges.reduce((sum, charge) => sum + charge.rules.length, 0)
      const isAnswered = operation.type !== 'reset' && operation.type !== 'refund'
      expect(errors).toEqual([])
      expect(numbers).toHaveLength(8 * (1 + (isAnswered ? 4 * rules : 0)))
      const isTaken = operation.type === 'take' || operation.type === 'force'
      const lines = operation.charges.map((charge) => {
        const answers = isAnswered ? charge.rules.map(() => expect.any(Object)) : []
        return { charge, answers, isTaken, at: { store: at, here: 7 } }
      })
      expect(readReply([numbers], [operation], 7)).toEqual([{ charges: operation.charges, lines, answeredBy: 'store' }])
    }
  })

  test('replies the error of an operation that fails as text, and harms no other', async () => {
    const [charge] = charges
    const of = (type: 'take' | 'reset' | 'peek') => ({ type, charges: charge ? [charge] : [] })
    const trip = [of('reset'), of('take'), of('peek'), { type: 'peek', charges: [] } as const, of('take')]
    const broken = "$&\n  error({ err = 'ERR broken' })"
    const script = loadLimitScript().text.replace('local charge = charges[1]', broken)
    const fresh = { remaining: 11, resetMs: 0, waitMs: 0, delayMs: 0 }
    const line = (answers: readonly unknown[]) => ({ charge, answers, isTaken: false, at: { store: at, here: 7 } })
    expect(readReply(await reply(script, trip), trip, 7)).toEqual([
      { charges: [charge], lines: [line([])], answeredBy: 'store' },
      new Error('ERR broken'),
      { charges: [charge], lines: [line([fresh])], answeredBy: 'store' },
      { charges: [], lines: [], answeredBy: 'store' },
      new Error('ERR broken'),
    ])
  })

  test('a reply of any other length is refused', async () => {
    const [numbers] = await reply(
      loadLimitScript().text,
      [operations[0]].flatMap((operation) => operation ?? []),
    )
    for (const other of [null, 1, [], [1], [numbers], ['text']]) {
      expect(() => readReply(other, [], 7)).toThrow('the reply of Redis has another form')
    }
  })

  test('is told once what operations of a kind have in common, and who differs in anything is of another kind', () => {
    const [one, other] = [makeCharge('token-bucket', 'a', [bucket]), makeCharge('token-bucket', 'b', [bucket])]
    const take = { type: 'take', charges: [one] } as const
    const trip: Operation[] = [
      take,
      { type: 'take', charges: [{ ...other, rules: one.rules }] },
      { type: 'peek', charges: [one] },
      { type: 'take', charges: [{ ...one, cost: 2 }] },
      { type: 'take', charges: [{ ...one, facts: { ...one.facts, mode: 'shadow' } }] },
      { type: 'take', charges: [other] },
      { type: 'refund', charges: [one], at: [1] },
      { type: 'refund', charges: [one], at: [2] },
      take,
    ]
    expect(tripArguments(trip)[0]).toBe('!!"#$%&\'!')
  })
})

function chargesOfAll(key: string, blockMs: number): readonly Charge[] {
  const blocking = <R extends object>(rules: readonly R[]) => rules.map((rule) => ({ ...rule, blockMs }))
  return [
    makeCharge('sliding-window-log', `log:${key}`, blocking(samples['sliding-window-log'])),
    makeCharge('fixed-window', `windows:${key}`, blocking(samples['fixed-window'])),
    makeCharge('sliding-window-counter', `counter:${key}`, blocking(samples['sliding-window-counter'])),
    makeCharge('leaky-bucket', `leaky:${key}`, blocking(samples['leaky-bucket'])),
    makeCharge('token-bucket', `tokens:${key}`, blocking(samples['token-bucket'])),
    makeCharge('concurrency', `places:${key}`, blocking(samples.concurrency)),
  ]
}
