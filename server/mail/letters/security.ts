import { parseBrowser } from '#format/device.ts'
import type { LetterOf } from '../letter.ts'
import type { Receiver } from '../receiver.ts'
import { type Desk, type Draft, draftTo, type Pen } from './draft.ts'

/** A password or another factor of the account has changed. */
export function draftNote(desk: Desk, { topic, ...where }: LetterOf<'note'>, receiver: Receiver): Draft {
  const { username } = receiver
  return draftTo(desk, receiver, (pen) => ({
    title: pen.say(`mail.note.${topic}.title`),
    paragraphs: [pen.say(`mail.note.${topic}.text`, { username }), pen.say('mail.noteCheck')],
    facts: whenAndWhere(pen, where),
    link: toAccount(desk, pen),
  }))
}

/** A browser has signed in that the account did not know. */
export function draftDevice(desk: Desk, { userAgent, ...where }: LetterOf<'device'>, receiver: Receiver): Draft {
  const { username } = receiver
  return draftTo(desk, receiver, (pen) => ({
    title: pen.say('mail.device.title'),
    paragraphs: [pen.say('mail.device.text', { username }), pen.say('mail.device.check')],
    facts: [[pen.say('mail.browser'), nameBrowser(pen, userAgent)], ...whenAndWhere(pen, where)],
    link: toAccount(desk, pen),
  }))
}

export const whenAndWhere = (
  { say, format }: Pen,
  { at, address }: { readonly at: string; readonly address: string },
) =>
  [
    [say('mail.time'), say('mail.utc', { time: format.date(at, { time: true, timeZone: 'UTC' }) })],
    ...(address === '' ? [] : [[say('mail.address'), address] as const]),
  ] as const

const toAccount = ({ config }: Desk, { say }: Pen) => ({
  label: say('mail.openAccount'),
  url: `${config.origin}/account`,
})

/** Only names that are known: a stranger may have chosen the rest, such as a link. */
function nameBrowser({ say }: Pen, userAgent: string): string {
  const found = parseBrowser(userAgent)
  return found ? say('account.device', { browser: found.browser, system: found.system }) : say('mail.program')
}
