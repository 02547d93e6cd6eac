import { type Desk, type Draft, draftIn } from './draft.ts'

/** A mail that says only that mail works. */
export const draftTest = (desk: Desk, to: string): Draft =>
  draftIn(desk, to, null, ({ say, siteName: site }) => ({
    title: say('mail.test.title'),
    paragraphs: [say('mail.test.text', { site })],
    why: say('mail.whyTest', { site }),
  }))
