import { TRPCError } from '@trpc/server'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { tokenRoutes } from '#server/accounts/tokens/token-limits.ts'
import { type ChangedImages, hearImageChanges } from '#server/images/image-rows.ts'
import { type ImageSpec, insertImages, type Owners } from '#testing/library/bulk-scene.ts'
import { sample, seed } from '#testing/sampled.ts'
import { type Person, startApp, type TestApp, type TestCaller } from '#testing/sluice/sluice-app.ts'
import type { BulkAnswer } from './outcome.ts'

let served: TestApp
beforeAll(async () => {
  served = await startApp()
})
afterAll(() => served[Symbol.asyncDispose]())

type Act = {
  readonly many: (caller: TestCaller, ids: string[]) => Promise<BulkAnswer>
  readonly one: (caller: TestCaller, id: string) => Promise<unknown>
}

const acts = {
  delete: { many: (caller, ids) => caller.image.deleteMany({ ids }), one: (caller, id) => caller.image.delete({ id }) },
  restore: {
    many: (caller, ids) => caller.image.restoreMany({ ids }),
    one: (caller, id) => caller.image.restore({ id }),
  },
  purge: { many: (caller, ids) => caller.image.purgeMany({ ids }), one: (caller, id) => caller.image.purge({ id }) },
  'make private': {
    many: (caller, ids) => caller.image.setVisibilityMany({ ids, visibility: 'private' }),
    one: (caller, id) => caller.image.update({ id, visibility: 'private' }),
  },
  'make public': {
    many: (caller, ids) => caller.image.setVisibilityMany({ ids, visibility: 'public' }),
    one: (caller, id) => caller.image.update({ id, visibility: 'public' }),
  },
} as const satisfies Record<string, Act>

const words: Readonly<Record<string, string>> = {
  NOT_FOUND: 'not-found',
  FORBIDDEN: 'forbidden',
  TOO_MANY_REQUESTS: 'limited',
  PRECONDITION_FAILED: 'not-in-trash',
}

async function oneByOne(caller: TestCaller, ids: readonly string[], { one }: Act): Promise<string[]> {
  const outcomes: string[] = []
  for (const id of ids) {
    const outcome = await one(caller, id).then(
      () => 'done',
      (error: unknown) => (error instanceof TRPCError ? words[error.code] : null),
    )
    outcomes.push(outcome ?? 'a bug')
  }
  return outcomes
}

interface Side {
  readonly caller: Person
  readonly owners: Owners
  readonly ids: readonly string[]
}

async function makeSide(role: 'user' | 'admin' | 'superadmin', specs: readonly ImageSpec[]): Promise<Side> {
  const [caller, other, third] = [await served.person({ role }), await served.person(), await served.person()]
  const owners = { self: caller.viewer.userId, other: other.viewer.userId, third: third.viewer.userId }
  const ids = await insertImages(served.app.db, owners, specs)
  return { caller, owners, ids: [...ids, crypto.randomUUID()] }
}

/** Returns the state of a side in the database, without what differs between two sides. */
async function readState({ owners, ids }: Side, slugs: ReadonlyMap<string, string>) {
  const { db } = served.app
  const rows = new Map((await db.image.findMany({ where: { id: { in: [...ids] } } })).map((row) => [row.id, row]))
  const images = ids.map((id) => {
    const row = rows.get(id)
    const isInTrash = row?.trashedAt && (row.trashedAt.getTime() > 1_000 ? 'now' : 'before')
    return row && { visibility: row.visibility, isInTrash, isMoved: row.slug !== slugs.get(id) }
  })
  const used = await Promise.all(
    Object.values(owners).map(async (id) => (await db.user.findUniqueOrThrow({ where: { id } })).usedBytes),
  )
  const objects = await db.storedObject.findMany({ where: { size: { gt: 0 } }, select: { sha256: true, state: true } })
  return { images, used, doomed: objects.filter(({ state }) => state === 'deleting').length }
}

const readSlugs = async ({ ids }: Side) =>
  new Map((await served.app.db.image.findMany({ where: { id: { in: [...ids] } } })).map(({ id, slug }) => [id, slug]))

describe('bulk calls', () => {
  const spec = fc.record<ImageSpec>({
    owner: fc.constantFrom('self', 'self', 'other'),
    visibility: fc.constantFrom('private', 'link', 'public'),
    trashed: fc.boolean(),
    twin: fc.boolean(),
  })
  const act = fc.constantFrom(
    'delete' as const,
    'restore' as const,
    'purge' as const,
    'make private' as const,
    'make public' as const,
  )

  test('have the same effect as single calls, for every role', async () => {
    const role = fc.constantFrom('user' as const, 'admin' as const, 'superadmin' as const)
    const specs = fc.array(spec, { maxLength: 16 })
    await fc.assert(
      fc.asyncProperty(role, specs, act, async (role, specs, name) => {
        await served.app.db.storedObject.deleteMany({ where: { state: 'deleting' } })
        const [many, single] = [await makeSide(role, specs), await makeSide(role, specs)]
        const slugs = new Map([...(await readSlugs(many)), ...(await readSlugs(single))])
        const { items } = await acts[name].many(served.as(many.caller), [...many.ids])
        const after = await readState(many, slugs)
        await served.app.db.storedObject.deleteMany({ where: { state: 'deleting' } })
        const outcomes = await oneByOne(served.as(single.caller), single.ids, acts[name])
        expect(items.map(({ id }) => id)).toEqual(many.ids)
        expect(items.map(({ outcome }) => outcome)).toEqual(outcomes)
        expect(after).toEqual(await readState(single, slugs))
      }),
      { numRuns: sample(30, 10), seed },
    )
  })

  test('are charged by the number of images, all or none, and reject invalid input', async () => {
    const plain: ImageSpec = { owner: 'self', visibility: 'link', trashed: false, twin: false }
    const { caller, ids } = await makeSide(
      'user',
      Array.from({ length: 100 }, () => plain),
    )
    const calls = served.as(caller)
    const hundred = ids.slice(0, 100)
    await calls.image.deleteMany({ ids: [...hundred] })
    await calls.image.restoreMany({ ids: [...hundred] })
    await expect(calls.image.deleteMany({ ids: [...hundred] })).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect(await served.app.db.image.count({ where: { id: { in: [...hundred] }, trashedAt: null } })).toBe(100)
    const bad: string[][] = [
      [],
      [...hundred, crypto.randomUUID()],
      ['x'],
      [hundred[0] ?? '', hundred[0]?.toUpperCase() ?? ''],
    ]
    for (const ids of bad) {
      await expect(calls.image.deleteMany({ ids })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
    await expect(Reflect.apply(calls.image.deleteMany, null, [{ ids: hundred, ownerId: 'x' }])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
  })

  test('moderate as many images as the limit allows, and report the others', async () => {
    const theirs: ImageSpec = { owner: 'other', visibility: 'public', trashed: false, twin: false }
    const own: ImageSpec = { ...theirs, owner: 'self' }
    const { caller, ids } = await makeSide('admin', [...Array.from({ length: 14 }, () => theirs), own])
    const { items } = await served.as(caller).image.deleteMany({ ids: [...ids] })
    expect(items.map(({ outcome }) => outcome)).toEqual([
      ...Array(10).fill('done'),
      ...Array(4).fill('limited'),
      'done',
      'not-found',
    ])
    const again = await served.as(caller).image.deleteMany({ ids: ids.slice(10, 15) })
    expect(again.items.map(({ outcome }) => outcome)).toEqual([...Array(4).fill('limited'), 'done'])
  })

  test('are charged to a token by the number of images', async () => {
    const plain: ImageSpec = { owner: 'self', visibility: 'link', trashed: false, twin: false }
    const { caller, ids } = await makeSide(
      'user',
      Array.from({ length: 20 }, () => plain),
    )
    const token = { id: crypto.randomUUID(), scopes: ['manage' as const], isSuperadmins: false }
    const program = { ...caller, viewer: { ...caller.viewer, sessionId: null, token } }
    // The clock stands still, or the bucket gains permits on a slow machine.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    await served.as(program).image.deleteMany({ ids: ids.slice(0, 20) })
    const { sets } = tokenRoutes.manage
    const { rules } = await served.app.limiter.peek([{ sets, caller: { subjectKey: `token/${token.id}` } }])
    expect(rules.map(({ policy, limit, remaining }) => [policy, limit - remaining])).toEqual([
      ['token-manage-1d', 20],
      ['token-manage-1m', 20],
    ])
  })

  test('notify listeners of the changed images', async () => {
    const plain: ImageSpec = { owner: 'self', visibility: 'public', trashed: false, twin: false }
    const { caller, ids } = await makeSide('user', [plain, plain])
    const notified: ChangedImages[] = []
    hearImageChanges(served.app.db, (each) => notified.push(each))
    await served.as(caller).image.setVisibilityMany({ ids: [...ids], visibility: 'private' })
    expect(notified.flat().toSorted()).toEqual(ids.slice(0, 2).toSorted())
  })
})
