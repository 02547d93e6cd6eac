import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { createContext } from '#server/trpc/context.ts'
import { createCallerFactory } from '#server/trpc/init.ts'
import { appRouter } from '#server/trpc/router.ts'
import { catchFailure, type LimitAdminScene, startLimitAdminScene } from '#testing/limits/limit-admin-scene.ts'
import { limitAdminView } from '../limits.ts'
import { Sampler } from './sampler.ts'
import { sampleStats } from './stats-view.ts'

let scene: LimitAdminScene
beforeAll(async () => {
  scene = await startLimitAdminScene()
})
beforeEach(() => scene.clear())
afterAll(() => scene[Symbol.asyncDispose]())

const ADDRESS = '203.0.113.7'

describe('limits.stats and limits.live', () => {
  it('name subjects, and hide addresses from users of a shared account', async () => {
    const person = await scene.test.person({ role: 'admin' })
    await scene.of(scene.root).override({
      ruleSet: 'operations-view',
      target: { kind: 'subject', subject: person.viewer.userId },
      terms: { rules: [{ limit: 1, window: '1h' }] },
    })
    await scene.test.as(person).limits.stats()
    await catchFailure(scene.test.as(person).limits.stats())
    const sets = compileRuleSets('limits.list', limitAdminView)
    const guest = { address: '192.0.2.9', userId: null, shared: false }
    await scene.test.app.limiter.take(sets, guest, 20)
    await scene.test.app.limiter.take(sets, guest, 1)
    const stats = await scene.of(scene.admin).stats()
    expect({ ...stats, rows: [], labels: [], nearest: [], mostRefused: [], at: 0 }).toEqual({
      ...{ at: 0, processes: 1, rows: [], labels: [], nearest: [], mostRefused: [], trials: [] },
      ...{ store: 'in process', status: 'ready' },
    })
    const subjects = (view: typeof stats) => view.mostRefused.map(({ subject }) => subject)
    const { userId, username } = person.viewer
    expect(subjects(stats)).toContainEqual({ key: userId, kind: 'user', name: username })
    expect(subjects(stats)).toContainEqual({ key: '192.0.2.9', kind: 'address', name: null })
    expect(subjects(await scene.of(scene.sharedAdmin).stats())).toContainEqual({
      key: 'hidden',
      kind: 'address',
      name: null,
    })
    expect(JSON.stringify(await scene.of(scene.sharedAdmin).stats())).not.toContain('192.0.2.9')
  })

  it('are sent over HTTP as server-sent events', async () => {
    const leaving = new AbortController()
    const answer = await fetch(`${scene.test.origin}/api/trpc/limits.live`, {
      headers: { cookie: scene.admin.cookie, accept: 'text/event-stream' },
      signal: leaving.signal,
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    let text = ''
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (/^data: \{"at":\d+,"processes":1,.*\}$/m.test(text)) break
    }
    expect(text).toMatch(/^event: connected$/m)
    leaving.abort()
  })

  it('are sent at once and then regularly, until the session ends', async () => {
    const { app } = scene.test
    const { viewer, sessionId } = await scene.test.person({ role: 'admin' })
    const figures = new Sampler(
      () => sampleStats({ ...app, catalogue: app.limitAdmin.catalogue, origin: app.config.origin }),
      async () => undefined,
    )
    const context = createContext(
      { ...app, limitAdmin: { ...app.limitAdmin, figures } },
      { viewer, address: ADDRESS, requestId: 'watch', foreignOrigin: false, header: () => undefined },
    )
    const seen: number[] = []
    for await (const { at } of await createCallerFactory(appRouter)(context).limits.live()) {
      if (seen.push(at) === 7) await app.db.session.delete({ where: { id: sessionId } })
    }
    expect(seen.length).toBe(10)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })
})
