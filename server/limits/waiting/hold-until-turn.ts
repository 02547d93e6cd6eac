import type { Clock } from '../clock.ts'
import { renewLeases } from '../permit.ts'
import type { LimitStore, Receipt } from '../store.ts'
import { Alarm } from './alarm.ts'
import type { WaitingCall } from './waiting-call.ts'

/** Delays a call that has its permits from a bucket that paces until the instant `call.heldUntil`. Its other permits stay
 *  taken in the meantime. Returns false when the call is cancelled before. */
export async function holdUntilTurn(
  call: WaitingCall,
  receipt: Receipt,
  { clock, store }: { readonly clock: Clock; readonly store: LimitStore },
): Promise<boolean> {
  const alarm = new Alarm(clock)
  call.waitAnew()
  alarm.set(call.heldUntil, () => call.go())
  const renewals = renewLeases(receipt, store)
  const isTurn = await call.turn
  clearInterval(renewals)
  alarm.clear()
  return isTurn
}
