import { describe, expect, it } from 'vitest'
import { changedSettings, changedSince, differing, invalidSettings, toChange, toUndo, withText } from './edit.ts'
import { parseLinks, spellLinks } from './links.ts'
import type { SiteView } from './types.ts'

const base: SiteView = {
  hasEndedMailPassword: false,
  texts: { SLUICE_NAME: 'One', SLUICE_QUOTA: '5GB' },
  defaults: {},
  ...{ locked: [], version: 3, changedAt: null, changedBy: null },
}

describe('an edit', () => {
  it('has what differs from what was shown, and is none when nothing does', () => {
    const renamed = withText({ base, texts: {} }, 'SLUICE_NAME', 'Two')
    expect(renamed?.texts).toEqual({ SLUICE_NAME: 'Two' })
    const both = renamed && withText(renamed, 'SLUICE_GALLERY', 'on')
    expect(both && changedSettings(both)).toEqual(['SLUICE_NAME', 'SLUICE_GALLERY'])
    expect(renamed && withText(renamed, 'SLUICE_NAME', 'One')).toBeNull()
    expect(withText({ base, texts: {} }, 'SLUICE_GALLERY', '')).toBeNull()
  })

  it('keeps what is changed while it is saved, and nothing of what was', () => {
    const sent = { base, texts: { SLUICE_NAME: 'Two', SLUICE_MAIL_PASSWORD: 'secret' } }
    const now = { ...base, version: 4, texts: { ...base.texts, SLUICE_NAME: 'Two' } }
    expect(changedSince(sent, sent, now)).toBeNull()
    const more = withText(sent, 'SLUICE_GALLERY', 'on')
    expect(changedSince(sent, more, now)).toEqual({ base: now, texts: { SLUICE_GALLERY: 'on' } })
    const back = withText(sent, 'SLUICE_NAME', 'One')
    expect(changedSince(sent, back, now)).toEqual({ base: now, texts: { SLUICE_NAME: 'One' } })
  })

  it('is sent with null for defaults, and taken back with what was there', () => {
    const edit = { base, texts: { SLUICE_NAME: ' Two ', SLUICE_QUOTA: '', SLUICE_GALLERY: 'on' } }
    expect(toChange(edit)).toEqual({ SLUICE_NAME: 'Two', SLUICE_QUOTA: null, SLUICE_GALLERY: 'on' })
    expect(toUndo(edit)).toEqual({ SLUICE_NAME: 'One', SLUICE_QUOTA: '5GB', SLUICE_GALLERY: null })
  })

  it('conflicts in what somebody else has changed', () => {
    expect(differing(base.texts, { SLUICE_NAME: 'Three', SLUICE_QUOTA: '5GB', SLUICE_SIGNUP: 'open' })).toEqual([
      'SLUICE_NAME',
      'SLUICE_SIGNUP',
    ])
  })

  it('shows which settings the server found invalid', () => {
    const issues = [{ path: 'change.SLUICE_NAME' }, { path: 'version' }, null]
    expect(invalidSettings(Object.assign(new Error('x'), { data: { issues } }))).toEqual(['SLUICE_NAME'])
    expect(invalidSettings(new Error('x'))).toEqual([])
    expect(invalidSettings(null)).toEqual([])
  })
})

describe('links in the footer', () => {
  it.each(['', 'Imprint https://example.org/', 'Write to us mailto:a@b.c | 图 https://example.org/?a|b'])(
    'read and spell %j',
    (text) => {
      expect(spellLinks(parseLinks(text))).toBe(text.replace('a|b', 'a%7Cb'))
    },
  )

  it('keep their rows apart whatever is typed', () => {
    const links = [
      { label: 'a | b', url: 'https://x | y' },
      { label: '', url: '' },
    ]
    expect(spellLinks(links)).toBe('a ¦ b https://x%7Cy')
  })
})
