import type { Letter } from '../letter.ts'
import { findReceiver } from '../receiver.ts'
import type { Desk, Draft } from './draft.ts'
import { draftConfirmation, draftMoved } from './email.ts'
import { draftInvite } from './invite.ts'
import { draftReset } from './reset.ts'
import { draftDevice, draftNote } from './security.ts'
import { draftBudget, draftShare } from './warnings.ts'

/** Returns the draft of a letter; null if nobody is to get it any more. */
export async function draftLetter(desk: Desk, letter: Letter): Promise<Draft | null> {
  if (letter.kind === 'reset') return draftReset(desk, letter)
  if (letter.kind === 'confirm') return draftConfirmation(desk, letter)
  if (letter.kind === 'moved') return draftMoved(desk, letter)
  if (letter.kind === 'invite') return draftInvite(desk, letter)
  const receiver = await findReceiver(desk.db, { id: letter.userId })
  if (!receiver) return null
  if (letter.kind === 'note') return draftNote(desk, letter, receiver)
  if (letter.kind === 'device') return draftDevice(desk, letter, receiver)
  if (letter.kind === 'budget') return draftBudget(desk, letter, receiver)
  return draftShare(desk, letter, receiver)
}
