import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstProblem } from '#server/errors/invalid.ts'
import { toSentence } from '#server/errors/refuse.ts'
import { declaredParts } from '#server/http/declared-parts.ts'
import type { AnyRuleSet } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { ALGORITHMS } from '#server/limits/rules/compiled.ts'
import { describeWarning } from '#server/limits/rules/warnings.ts'
import { type Catalogue, createCatalogue } from '../catalogue.ts'
import { ruleLines } from '../rule-lines.ts'
import { type CompiledOverride, compileOverride, overrideWarnings } from './override-rules.ts'
import type { OverrideTarget } from './override-target.ts'
import { termsSchema } from './override-terms.ts'

const catalogue = createCatalogue(declaredParts())
const LARGEST = 25 * 1024 ** 2
const ALL: OverrideTarget = { kind: 'all' }
const WAIT = 'A wait must be from 1ms to 1h, and only a rule set in the mode “enforce” can have one.'
const USER = '01234567-89ab-4def-8123-456789abcdef'

function compiled(ruleSet: string, terms: unknown, target = ALL, of: Catalogue = catalogue) {
  return compileOverride(of, { ruleSet, target, terms: termsSchema.parse(terms) }, LARGEST)
}

const readProblem = ({ problem }: CompiledOverride): string | null => problem && toSentence(problem)

function refusedTerms(terms: unknown) {
  const { error } = termsSchema.safeParse(terms)
  return error ?? expect.unreachable()
}

/** A catalogue of procedures `a` and `b` with rule sets of their own. */
function catalogueWith(a: readonly AnyRuleSet[], b: readonly AnyRuleSet[] = []): Catalogue {
  const part = (path: string, declared: readonly AnyRuleSet[]) => {
    return {
      path,
      kind: 'query' as const,
      declared,
      compiled: compileRuleSets(path, declared),
      isAnonymous: false,
    }
  }
  return createCatalogue([part('b', b), part('a', a)])
}

describe('an override', () => {
  it('sets its own terms and keeps the declared others', () => {
    const { override, problem } = { override: null, ...compiled('sign-in', { rules: [{ limit: 3, window: '1m' }] }) }
    expect(problem).toBeNull()
    expect(override?.sets.map(({ facts }) => facts)).toEqual([
      expect.objectContaining({
        name: 'sign-in',
        by: 'subject',
        count: 'failures',
        onStoreFailure: 'local',
        waitMs: 0,
      }),
    ])
    expect(ruleLines(override?.sets ?? [])).toEqual([
      {
        policy: 'sign-in-1m',
        parts: { limit: 3, unit: 'calls', window: 60_000 },
        algorithm: 'sliding-window-log',
        limit: 3,
        windowMs: 60_000,
      },
    ])
  })

  it('keeps the declared rules when it changes something else', () => {
    const declared = catalogue.ruleSets.get('uploading')
    const { override } = { override: null, ...compiled('uploading', { wait: null }) }
    expect(override?.sets.map(({ facts }) => facts.waitMs)).toEqual([0])
    expect(ruleLines(override?.sets ?? [])).toEqual(ruleLines(declared?.compiled ?? []))
    expect(declared?.compiled[0].facts.waitMs).toBe(30_000)
  })

  it.each([
    ['nothing', { mode: 'shadow' }, ALL, 'There is no rule set nothing.'],
    [
      'download',
      { rules: [{ limit: 0, window: '1m' }] },
      ALL,
      'Rule 1: the limit must be a whole number from 1 to 1,000,000,000,000.',
    ],
    [
      'download',
      {
        rules: [
          { limit: 5, window: '1m' },
          { limit: 5, window: '1x' },
        ],
      },
      ALL,
      'Rule 2: the window must be from 1ms to 366d.',
    ],
    [
      'download',
      { rules: [{ limit: 5, window: '1m', samples: 3 }] },
      ALL,
      'image.download: rule set download, rule 1: Unrecognized key: "samples"',
    ],
    [
      'download',
      { rules: [{ limit: 5, window: '1m', algorithm: 'guess' }] },
      ALL,
      'image.download: rule set download, rule 1, algorithm: must be sliding-window-log, fixed-window, sliding-window-counter, leaky-bucket, token-bucket',
    ],
    [
      'download',
      { rules: [{ limit: 10, window: '1m', blockFor: '30s' }] },
      ALL,
      'Rule 1: the block after a refusal must be longer than the window.',
    ],
    [
      'download',
      {
        rules: [
          { limit: 5, window: '1m' },
          { limit: 9, window: '60s', algorithm: 'token-bucket' },
        ],
      },
      ALL,
      'Two rules would be named download-1m, because their windows are equally long. Remove one or change its window.',
    ],
    ['download', { mode: 'shadow', wait: '3s' }, ALL, WAIT],
    ['download', { wait: '3h' }, ALL, WAIT],
    [
      'sign-up',
      { mode: 'shadow' },
      ALL,
      'Only a rule set in the mode “enforce” can refuse everything on store failure.',
    ],
    [
      'upload-bytes',
      { rules: [{ limit: '20MB', window: '1d' }] },
      ALL,
      'upload-bytes: the largest upload, 25 MiB, would always exceed 20 MiB per day.',
    ],
    [
      'upload-bytes',
      { rules: [{ concurrent: 2 }] },
      ALL,
      'upload-bytes counts bytes, so it cannot limit concurrent calls.',
    ],
    [
      'download-of-one',
      { mode: 'shadow' },
      { kind: 'role', role: 'guest' },
      'download-of-one counts all callers together and can only be overridden for everyone.',
    ],
    [
      'token-read',
      { mode: 'shadow' },
      { kind: 'role', role: 'user' },
      'token-read counts tokens, which have no role. Override it for everyone or for one token.',
    ],
    [
      'token-read',
      { mode: 'shadow' },
      { kind: 'subject', subject: USER },
      `token-read counts tokens, and ${USER} is not a token.`,
    ],
    [
      'view',
      { mode: 'shadow' },
      { kind: 'subject', subject: `token/${USER}` },
      'view does not count tokens. Tokens have rule sets of their own.',
    ],
    [
      'download-of-one',
      { mode: 'shadow' },
      { kind: 'subject', subject: USER },
      'download-of-one counts all callers together and can only be overridden for everyone.',
    ],
    [
      'page',
      { mode: 'shadow' },
      { kind: 'role', role: 'guest' },
      'page applies before the caller is known. Override it for everyone or for one address.',
    ],
    [
      'sign-in-account',
      { wait: '5s' },
      ALL,
      'sign-in-account applies before the caller is known, so calls cannot wait for it.',
    ],
    [
      'sign-in',
      { rules: [{ limit: 3, window: '1m' }] },
      { kind: 'subject', subject: USER },
      `sign-in counts digests of user names, and ${USER} is not a digest.`,
    ],
    [
      'page',
      { mode: 'shadow' },
      { kind: 'subject', subject: USER },
      `page counts addresses, and ${USER} is not an address.`,
    ],
    [
      'download',
      { mode: 'shadow' },
      { kind: 'subject', subject: 'site' },
      'download counts callers separately. The subject “site” has no effect.',
    ],
  ] satisfies [string, unknown, OverrideTarget, string][])(
    'of %s with %j for %j is rejected',
    (ruleSet, terms, target, problem) => {
      expect(readProblem(compiled(ruleSet, terms, target))).toBe(problem)
    },
  )

  it.each([
    [{ limit: 1, window: '1m', blockFor: 'x' }, 'Rule 1: the block after a refusal must be from 1ms to 366d.'],
    [
      { limit: 1, window: '1m', algorithm: 'token-bucket', burst: 0 },
      'Rule 1: the burst must be a whole number from 1 to 1,000,000,000,000.',
    ],
    [{ concurrent: 0 }, 'Rule 1: the number of concurrent calls must be a whole number from 1 to 1,000,000,000,000.'],
    [{ concurrent: 1, lease: '5ms' }, 'Rule 1: the lease must be from 1s to 366d.'],
    [
      { limit: 1, window: '1m', algorithm: 'sliding-window-counter', samples: 101 },
      'Rule 1: the number of samples must be from 2 to 100.',
    ],
    [
      { limit: 1, window: '1s', algorithm: 'sliding-window-counter', samples: 7 },
      'Rule 1: the window must divide evenly into 7 samples.',
    ],
    [
      { limit: 1, window: '1d', algorithm: 'fixed-window', align: 'day', timeZone: 'Mars' },
      'Rule 1: the time zone is not known. For example Europe/Berlin.',
    ],
    [
      { limit: 1, window: '1d', algorithm: 'fixed-window', timeZone: 'UTC' },
      'Rule 1: only a calendar window can have a time zone.',
    ],
    [
      { limit: 1, window: '1d', algorithm: 'fixed-window', align: 'week' },
      'Rule 1: the window must be 7d for a calendar week.',
    ],
    [
      { limit: 999_999_999_989, window: '365d', algorithm: 'token-bucket' },
      'Rule 1: this limit cannot be counted exactly in this window. Use rounder numbers.',
    ],
  ])('with the rule %j says what is wrong with it', (rule, problem) => {
    expect(readProblem(compiled('download', { rules: [rule] }))).toBe(problem)
  })

  it('of bytes says what is wrong with a size', () => {
    expect(readProblem(compiled('upload-bytes', { rules: [{ limit: '2TB', window: '1d' }] }))).toBe(
      'Rule 1: the limit must be a size of at most 931 GiB.',
    )
  })

  it('is rejected if one of several procedures could never pass it, given its cost', () => {
    const shared = { name: 'shared', by: 'subject', rules: [{ limit: 20, window: '1m' }] } as const
    const both = catalogueWith([shared], [{ ...shared, cost: 10 }])
    expect(readProblem(compiled('shared', { rules: [{ limit: 9, window: '1m' }] }, ALL, both))).toBe(
      'Rule 1: one call costs 10, more than the limit of 9.',
    )
    expect(compiled('shared', { rules: [{ limit: 10, window: '1m' }] }, ALL, both).problem).toBeNull()
  })

  it('may be below the largest upload if it refuses nobody', () => {
    const rules = [{ limit: '20MB', window: '1d' }]
    expect(compiled('upload-bytes', { rules, mode: 'shadow' }).problem).toBeNull()
    expect(readProblem(compiled('upload-bytes', { rules, mode: 'enforce' }))).toMatch(
      /would always exceed 20 MiB per day/,
    )
  })

  it('can degrade only where everything that charges the set has a cheaper answer', () => {
    const problems = [...catalogue.ruleSets.keys()].map((name) => {
      return [name, readProblem(compiled(name, { mode: 'degrade', wait: null, onStoreFailure: 'local' }))] as const
    })
    const allowed = problems.filter(([, problem]) => problem === null).map(([name]) => name)
    expect(allowed.toSorted()).toEqual([
      'count',
      'search-whole',
      'sign-in-device',
      'storage-view',
      'timeline',
      'view-large',
    ])
    for (const [name, problem] of problems) {
      if (allowed.includes(name)) continue
      expect(problem).toBe(`${name} cannot degrade: there is no cheaper answer to what it limits.`)
    }
  })

  it('names an unnamed set by the path of its procedure', () => {
    const own = catalogueWith([{ by: 'site', rules: [{ limit: 20, window: '1m' }] }])
    expect(readProblem(compiled('a', { rules: [{ limit: 0, window: '1m' }] }, ALL, own))).toBe(
      'Rule 1: the limit must be a whole number from 1 to 1,000,000,000,000.',
    )
  })

  it('causes one warning for a probable mistake, and none that existed before', () => {
    const rules = [
      { limit: 10, window: '1s' },
      { limit: 1_000, window: '1m' },
    ]
    expect(
      overrideWarnings(catalogue, { ruleSet: 'download', target: ALL, terms: termsSchema.parse({ rules }) }).map(
        describeWarning,
      ),
    ).toEqual(['download-1m (1,000 per minute) never refuses, for download-1s (10 per second) always does so first'])
    const lever = catalogueWith([{ by: 'site', rules: [{ limit: 20, window: '1m' }] }])
    expect(overrideWarnings(lever, { ruleSet: 'a', target: ALL, terms: { onStoreFailure: 'allow' } })).toEqual([])
  })

  it('applies or is rejected with a message, whatever it contains: no stored one ever fails a start', () => {
    const amount = fc.oneof(
      fc.integer({ min: -1, max: 100 }),
      fc.double(),
      fc.constantFrom('1s', '1m', '24h', '31d', '20MB', '2GB', '1e3', '', 'x', '0ms', '99999999d'),
    )
    const rule = fc.record(
      {
        algorithm: fc.constantFrom(...ALGORITHMS, 'x'),
        ...{ limit: amount, window: amount, blockFor: amount, capacity: amount, burst: amount, lease: amount },
        ...{ samples: fc.double(), concurrent: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double()) },
        align: fc.constantFrom('window', 'day', 'week', 'month', 'year'),
        timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Mars'),
        oldest: fc.constantFrom('weighted', 'whole', 'none'),
      },
      { requiredKeys: [] },
    )
    const terms = fc.record(
      {
        rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
        mode: fc.constantFrom('enforce', 'shadow', 'degrade'),
        wait: fc.option(amount),
        onStoreFailure: fc.constantFrom('local', 'deny', 'allow'),
      },
      { requiredKeys: [] },
    )
    const names = fc.constantFrom(...catalogue.ruleSets.keys())
    fc.assert(
      fc.property(names, terms, (name, said) => {
        const parsed = termsSchema.safeParse(said)
        if (!parsed.success) return
        const { problem } = compileOverride(catalogue, { ruleSet: name, target: ALL, terms: parsed.data }, LARGEST)
        expect(problem === null || toSentence(problem).length > 10).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('terms', () => {
  it.each([
    [{}, 'Change at least one of rules, mode, wait, onStoreFailure, cost and count.'],
    [{ mode: undefined }, 'Change at least one of rules, mode, wait, onStoreFailure, cost and count.'],
    [{ rules: [] }, 'Add at least one rule.'],
    [
      { rules: Array.from({ length: 13 }, () => ({ limit: 1, window: '1m' })) },
      'A rule set can have at most 12 rules.',
    ],
    [{ wait: {} }, 'Enter a duration such as 30s, or null for no waiting.'],
    [{ cost: 1.5 }, 'The cost of a call is a whole number from 1 to 1,000,000,000.'],
    [{ by: 'ip' }, 'Unrecognized key: "by"'],
  ])('reject %j: %s', (terms, problem) => {
    expect(firstProblem(refusedTerms(terms))).toBe(problem)
  })

  it.each([
    [7],
    ['10 per minute'],
    [null],
    [[1]],
    [{}],
    [{ limit: 1 }],
    [{ window: '1m' }],
    [{ limit: {} }],
    [{ limit: 1, window: '1m', toString: 'x' }],
  ])('reject the rule %j', (rule) => {
    const error = refusedTerms({ rules: [rule] })
    expect(error.issues[0]?.path).toEqual(['rules', 0])
    expect(firstProblem(error)).toBe('A rule looks like { "limit": 100, "window": "1m" } and has no unknown fields.')
  })

  it('stay as written', () => {
    const terms = { rules: [{ limit: '20GB', window: '1d', algorithm: 'fixed-window', align: 'day' }], wait: null }
    expect(termsSchema.parse(terms)).toEqual(terms)
  })
})
