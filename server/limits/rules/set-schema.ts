import { z } from 'zod'
import { countsTogether } from './compiled.ts'
import { durationSchema } from './rule-schemas.ts'

/** How many networks it takes, at least, to use up what everybody shares. */
export const LEAST_NETWORKS = 20

/** Reserved are the suffixes of what is compiled along with a set: -total for shared accounts, -network for networks; and
 *  @procedure, for the count of one procedure by itself (nameFor). */
const NAME = /^(?!.*-(?:total|network)$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?:@[ -~]{1,100})?$/

const PATH = /^[A-Za-z0-9_$-]+(\.[A-Za-z0-9_$-]+)*$/

/** A set that counts an argument declares it as an object. */
const bySchema = z.union(
  [
    z.enum(['subject', 'ip', 'network', 'user', 'site']),
    z
      .strictObject({ input: z.string().max(64).regex(PATH), per: z.literal('subject').optional() })
      .transform(({ input, per = null }) => ({ input, per })),
  ],
  'must be subject, ip, user, site or { input: a path such as id or filter.owner }, with per: subject or without',
)

const cost = 'must be a whole number of at least 1, or a function of the input'
const costSchema = z.union(
  [z.int({ error: cost }).min(1, cost), z.custom<(input: unknown) => number>((value) => typeof value === 'function')],
  cost,
)

const penalty = 'must be a whole number of at least 1'

/** Far above the duration of any request; calls that wait are kept in memory. */
const MAX_WAIT_MS = 3_600_000

/** What a rule set declares for all its rules. Each rule has a schema of its own, by its algorithm. */
export const setSchema = z
  .strictObject({
    name: z.string().regex(NAME, 'must be letters, digits and . _ -, at most 64, and not end in -total or -network'),
    by: bySchema,
    unit: z.enum(['calls', 'bytes']).default('calls'),
    rules: z.array(z.unknown()).min(1, 'must not be empty'),
    cost: costSchema.optional(),
    count: z.enum(['all', 'failures']).default('all'),
    mode: z.enum(['enforce', 'shadow', 'degrade']).default('enforce'),
    penalty: z.int({ error: penalty }).min(1, penalty).optional(),
    wait: durationSchema.refine((ms) => ms <= MAX_WAIT_MS, 'must be at most 1h').optional(),
    scope: z.enum(['cluster', 'instance']).default('cluster'),
    networks: z.int().min(LEAST_NETWORKS, `must be at least ${LEAST_NETWORKS}`).optional(),
    onStoreFailure: z.enum(['local', 'deny', 'allow']).default('local'),
  })
  .refine(({ by, networks }) => networks === undefined || countsTogether({ by }), {
    path: ['networks'],
    error: 'is for sets that count all callers together: by site, or by an argument without per',
  })
  .refine((set) => set.penalty === undefined || !countsTogether(set), {
    path: ['penalty'],
    error: 'must not be said by a set that counts all callers together: they would pay for one',
  })
  .refine(({ mode, onStoreFailure }) => mode === 'enforce' || onStoreFailure !== 'deny', {
    path: ['onStoreFailure'],
    error: 'must not be deny in a set that refuses nothing while its store works: that needs mode: enforce',
  })
  .refine(({ mode, wait }) => mode === 'enforce' || wait === undefined, {
    path: ['wait'],
    error: 'must not be said by a set that refuses nothing: that needs mode: enforce',
  })
