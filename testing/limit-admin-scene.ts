import { TRPCError } from '@trpc/server'
import type { OverrideTarget } from '#server/limit-admin/override-target.ts'
import { messageOf } from '#server/trpc/init.ts'
import { type Person, startApp, type TestApp } from './sluice-app.ts'

/** An app with those who look at its limits and change them. */
export interface LimitAdminScene extends AsyncDisposable {
  readonly test: TestApp
  readonly root: Person
  readonly admin: Person
  readonly sharedAdmin: Person
  /** The procedures of limits, as somebody. */
  of(person: Person): ReturnType<TestApp['as']>['limits']
  /** Takes back every override, and forgets who made it. */
  clear(): Promise<void>
}

export const ALL: OverrideTarget = { kind: 'all' }

export async function startLimitAdminScene(): Promise<LimitAdminScene> {
  const test = await startApp()
  return {
    test,
    root: await test.person({ role: 'superadmin' }),
    admin: await test.person({ role: 'admin' }),
    sharedAdmin: await test.person({ role: 'admin', shared: true }),
    of: (person) => test.as(person).limits,
    clear: async () => {
      await test.app.db.limitOverride.deleteMany()
      await test.app.limitAdmin.overrides.announce()
      await test.app.db.auditEntry.deleteMany()
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  }
}

/** The code and the sentence that a call is refused with. Throws when it is not. */
export async function failureOf(call: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof TRPCError)) throw error ?? new Error('it worked')
  return { code: error.code, message: messageOf(error) }
}
