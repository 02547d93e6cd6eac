import { refuse } from '#server/errors/refuse.ts'
import type { Context } from '#server/trpc/context.ts'
import type { Turn } from '#server/turns/lanes.ts'
import { NO_PASSWORD, verifyPassword } from './passwords.ts'
import { recordWrong } from './record-wrong.ts'
import { isProven, type Viewer } from './viewer.ts'

/** Throws unless the current password of the viewer was entered, whose hash this is. Who has none that signs in, because they use a
 *  provider or a passkey, needs a fresh proof instead. */
export async function requirePassword(
  ctx: Context & { readonly viewer: Viewer },
  passwordHash: string,
  { password, turn }: { readonly password: string; readonly turn: Turn },
): Promise<void> {
  if (passwordHash === NO_PASSWORD || !ctx.app.site.read().passwords) {
    if (!isProven(ctx.viewer)) throw refuse('proof-needed')
    return
  }
  if (await verifyPassword(passwordHash, password, turn)) return
  recordWrong(ctx, 'wrong-current-password')
  throw refuse('wrong-current-password')
}
