import { describe, expect, it } from 'vitest'
import { readSiteValues, type SiteSetting, siteSettings } from './settings.ts'

const parse = (name: SiteSetting, text: string) => siteSettings[name].safeParse(text)
const problem = (name: SiteSetting, text: string) => parse(name, text).error?.issues[0]?.message

describe('the settings of the site', () => {
  it('have defaults', () => {
    expect(readSiteValues({})).toEqual({
      ...{ name: 'Sluice', tagline: '', accent: null, footer: [], logo: null, icon: null },
      guests: { upload: 'off', days: 7, budget: { images: 1_000, bytes: 1024 ** 3 } },
      ...{ language: 'en', indexing: false, signup: 'invite', gallery: false, defaultVisibility: 'link' },
      ...{ secondFactor: 'offered', passwords: true },
      ...{
        quotaBytes: null,
        maxUploadBytes: 25 * 1024 ** 2,
        trashDays: 30,
        auditDays: 365,
        cacheSeconds: 300,
        backups: { times: [150], keep: { count: 7, days: 30 }, lateHours: 48 },
        webhook: null,
        mail: null,
      },
    })
  })

  it('read the times of backups, in order', () => {
    const timesOf = (text: string) => readSiteValues({ SLUICE_BACKUP_TIMES: text }).backups.times
    expect([timesOf('14:30, 2:05,14:30'), timesOf('off')]).toEqual([[125, 870], []])
    expect(() => timesOf('24:00')).toThrow('must be off, or times in UTC such as 02:30 or 02:30,14:30')
  })

  it('read the texts of the environment', () => {
    const texts = {
      ...{ SLUICE_NAME: ' Käse \n Bilder ', SLUICE_ACCENT: '#AA00FF', SLUICE_QUOTA: '5GB', SLUICE_GALLERY: 'on' },
      ...{ SLUICE_FOOTER: 'Imprint https://example.org/a?b | Write to us mailto:me@example.org' },
      ...{ SLUICE_WEBHOOK: 'https://example.org/hook', SLUICE_WEBHOOK_EVENTS: 'image.stored' },
    }
    expect(readSiteValues(texts)).toMatchObject({
      ...{ name: 'Käse Bilder', accent: '#aa00ff', quotaBytes: 5 * 1024 ** 3, gallery: true },
      footer: [
        { label: 'Imprint', url: 'https://example.org/a?b' },
        { label: 'Write to us', url: 'mailto:me@example.org' },
      ],
      webhook: { url: 'https://example.org/hook', events: ['image.stored'] },
    })
  })

  it.each([
    ['smtp://mail.example.org', { host: 'mail.example.org', port: 587, tls: false, user: null }],
    [
      'smtps://ada%40example.org@mail.example.org',
      { host: 'mail.example.org', port: 465, tls: true, user: 'ada@example.org' },
    ],
    ['smtp://[::1]:25/', { host: '::1', port: 25, tls: false, user: null }],
  ])('read the mail server %s', (text, server) => {
    expect(readSiteValues({ SLUICE_MAIL_SERVER: text, SLUICE_MAIL_FROM: 'a@b.example' }).mail).toMatchObject({ server })
    expect(readSiteValues({ SLUICE_MAIL_SERVER: text }).mail).toBeNull()
  })

  it('fall back to Sluice where a name is nothing but white space', () => {
    expect(readSiteValues({ SLUICE_NAME: ' \t ' }).name).toBe('Sluice')
  })
})

describe('a line of text', () => {
  it.each([
    ['<script>alert(1)</script>'],
    ['</title>"\'`{{x}}'],
    ['图床'],
    ['صور العائلة'],
    ['نمی‌دانم'],
    ['👩‍💻 photos'],
    ['x'.repeat(60)],
  ])('may be %j, which is shown as it is', (text) => {
    expect(parse('SLUICE_NAME', text)).toMatchObject({ success: true, data: text })
  })

  it.each([
    ['a direction override', 'Sluice\u202egpj.exe'],
    ['a direction mark', 'a\u200fb'],
    ['an isolate', '\u2066a\u2069'],
    ['a zero-width space', 'a\u200bb'],
    ['a NUL', 'a\0b'],
    ['an escape', '\u001b[31mred'],
    ['half a surrogate pair', 'a\ud800'],
    ['invisible tags', 'a\u{e0061}'],
    ['stacked marks', `a${'\u0301\u0300'.repeat(20)}`],
  ])('has no %s', (_, text) => {
    expect(problem('SLUICE_NAME', text)).toBe('has hidden or stacked characters')
  })

  it('has a limit in characters', () => {
    expect(problem('SLUICE_NAME', 'x'.repeat(10_000))).toBe('must have at most 60 characters')
    expect(parse('SLUICE_NAME', '😀'.repeat(60)).success).toBe(true)
    expect(problem('SLUICE_TAGLINE', 'x'.repeat(201))).toBe('must have at most 200 characters')
  })

  it('is more than joiners', () => {
    expect(problem('SLUICE_NAME', '\u200d')).toBe('must have a visible character')
  })
})

describe('links in the footer', () => {
  it.each([
    ['javascript:alert(1)'],
    ['JavaScript:alert(1)'],
    ['java\tscript:alert(1)'],
    ['data:text/html,x'],
    ['vbscript:x'],
    ['file:///etc/passwd'],
    ['//example.org/x'],
    ['/imprint'],
    ['https://user:password@example.org'],
    ['mailto:'],
    ['mailto:me'],
    [`https://example.org/${'x'.repeat(500)}`],
  ])('may not lead to %s', (url) => {
    expect(problem('SLUICE_FOOTER', `Imprint ${url}`)).toMatch(/^must read Label https:/)
  })

  it('need labels', () => {
    expect(problem('SLUICE_FOOTER', 'https://example.org')).toMatch(/^must read Label/)
    expect(problem('SLUICE_FOOTER', `${'x'.repeat(41)} https://example.org`)).toMatch(/^must read Label/)
    expect(problem('SLUICE_FOOTER', 'a\u202eb https://example.org')).toMatch(/^must read Label/)
  })

  it('are eight at most', () => {
    const links = (count: number) => Array(count).fill('a https://example.org').join(' | ')
    expect(parse('SLUICE_FOOTER', links(8)).success).toBe(true)
    expect(problem('SLUICE_FOOTER', links(9))).toBe('must have at most 8 links')
  })
})

it.each([
  ['SLUICE_ACCENT', 'red'],
  ['SLUICE_ACCENT', '#12345'],
  ['SLUICE_ACCENT', '#123456;background:url(x)'],
  ['SLUICE_LANGUAGE', 'fr'],
  ['SLUICE_INDEXING', 'yes'],
  ['SLUICE_QUOTA', '-1'],
  ['SLUICE_MAX_UPLOAD', '0'],
  ['SLUICE_MAX_UPLOAD', '1025MB'],
  ['SLUICE_TRASH_DAYS', '1.5'],
  ['SLUICE_WEBHOOK', 'ftp://example.org'],
  ['SLUICE_WEBHOOK', 'https://me:secret@example.org'],
  ['SLUICE_WEBHOOK_EVENTS', 'image.deleted'],
  ['SLUICE_MAIL_SERVER', 'https://mail.example.org'],
  ['SLUICE_MAIL_SERVER', 'smtp://ada:secret@mail.example.org'],
  ['SLUICE_MAIL_SERVER', 'smtp://mail.example.org/path?x=1'],
  ['SLUICE_MAIL_SERVER', 'smtp://%0d%0aEHLO@mail.example.org'],
  ['SLUICE_MAIL_SERVER', 'mail.example.org'],
  ['SLUICE_MAIL_PASSWORD', 'two\r\nlines'],
  ['SLUICE_MAIL_FROM', 'Sluice <sluice@example.org>'],
  ['logo', '../../etc/passwd'],
] as const)('%s may not be %j', (name, text) => {
  expect(parse(name, text).success).toBe(false)
})
