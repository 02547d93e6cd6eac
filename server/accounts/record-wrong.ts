import type { FailedOutcome } from '#server/audit/failed-places.ts'
import type { Context } from '#server/trpc/context.ts'
import { usernameKey } from './credentials.ts'

/** Records that the current password of the viewer, their passkey or the setup code was wrong: counted like failed sign-ins, without delaying the
 *  call. */
export function recordWrong(
  { app, viewer, caller, requestId, header }: Context,
  outcome: Extract<FailedOutcome, 'wrong-current-password' | 'wrong-passkey-proof' | 'wrong-setup-code'>,
): void {
  app.failedSignIns.record({
    usernameKey: viewer && usernameKey(viewer.username),
    outcome,
    address: caller.address,
    userAgent: header('user-agent') ?? '',
    requestId,
  })
}
