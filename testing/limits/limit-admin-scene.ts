import { TRPCError } from '@trpc/server'
import type { OverrideTarget } from '#server/limit-admin/overrides/override-target.ts'
import { publicMessage } from '#server/trpc/init.ts'
import { type Person, startApp, type TestApp } from '../sluice/sluice-app.ts'

/** An app with users who read and change its limits. */
export interface LimitAdminScene extends AsyncDisposable {
  readonly test: TestApp
  readonly root: Person
  readonly admin: Person
  readonly sharedAdmin: Person
  /** The procedures of limits, called as a user. */
  of(person: Person): ReturnType<TestApp['as']>['limits']
  /** Deletes every override and its history. */
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

/** Returns the code and the message of a refused call. Throws if it is not refused. */
export async function catchFailure(call: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof TRPCError)) throw error ?? new Error('it worked')
  return { code: error.code, message: publicMessage(error) }
}
