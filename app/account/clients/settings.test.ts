import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { listProgramSettings, TOKEN_PLACEHOLDER } from './settings.ts'

const ORIGIN = 'https://img.example:8443'
const TOKEN = `slu_${'aZ09-_'.repeat(7)}x`
const settings = listProgramSettings(ORIGIN, TOKEN)

function of(name: string) {
  const found = settings.find((each) => each.name === name)
  if (!found) throw new Error(`no settings for ${name}`)
  return { ...found, field: (own: string) => found.fields.find((each) => each.name === own)?.value ?? '' }
}

/** Returns the arguments that a shell passes to curl when it runs a command, with `file` as curl's file argument. */
function splitWords(command: string, ...more: readonly string[]): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; flameshot() { :; }; xclip() { cat; }; export -f curl; ${command} ${more.join(' ')}`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

describe('the ShareX uploader', () => {
  const { file, text } = of('ShareX')

  it('is JSON with exactly the keys that ShareX reads', () => {
    expect(JSON.parse(file?.value ?? '')).toEqual({
      Version: '17.0.0',
      Name: 'Sluice (img.example:8443)',
      DestinationType: 'ImageUploader',
      RequestMethod: 'POST',
      RequestURL: `${ORIGIN}/api/upload`,
      Headers: { Authorization: `Bearer ${TOKEN}` },
      Body: 'MultipartFormData',
      FileFormName: 'file',
      URL: '{json:url}',
      ThumbnailURL: '{json:thumbnail_url}',
      DeletionURL: '{json:deletion_url}',
      ErrorMessage: '{json:message}',
    })
    expect(text).toBe(file?.value)
  })

  it('contains no braces, bars or backslashes except in its functions', () => {
    const strings = z.record(z.string(), z.unknown()).parse(JSON.parse(file?.value ?? ''))
    const all = Object.values(strings).flatMap((value) =>
      typeof value === 'string' ? value : Object.values(Object(value)),
    )
    for (const value of all) expect(String(value).replace(/^\{json:\w+\}$/, '')).not.toMatch(/[{}|\\]/)
  })

  it('has a file name that is valid on every system', () => {
    expect(file?.name).toBe('sluice-img.example-8443.sxcu')
    const [ipv6] = listProgramSettings('http://[::1]:3000', TOKEN)
    expect(ipv6?.file?.name).toBe('sluice----1--3000.sxcu')
  })
})

test.each([
  ['PicGo', 'customHeader'],
  ['PicList', 'headers'],
])('the headers of %s are JSON', (name, field) => {
  expect(JSON.parse(of(name).field(field))).toEqual({ Authorization: `Bearer ${TOKEN}` })
})

describe('the path to the image URL in the response', () => {
  const url = 'https://img.example/i/a.png'
  const answer = { url, data: { url }, image: { url } }
  const at = (path: readonly string[]) =>
    path.reduce<unknown>(
      (value, key) => (typeof value === 'object' && value ? Reflect.get(value, key) : undefined),
      answer,
    )

  it.each([
    ['PicGo', of('PicGo').field('jsonPath').split('.')],
    ['PicList', of('PicList').field('resDataPath').split('.')],
    ['uPic', z.array(z.string()).parse(JSON.parse(of('uPic').field('URL path')))],
    ['Chevereto', of('Chevereto').field('Result').split('.')],
  ])('is right for %s', (_, path) => {
    expect(at(path)).toBe(url)
  })
})

describe('a command', () => {
  const asked = ['-sS', '--fail-with-body', '-H', `Authorization: Bearer ${TOKEN}`, '-H', 'Accept: text/plain']
  const words = [...asked, '-F']

  it('passes curl the intended arguments', () => {
    expect(splitWords(of('curl').text ?? '')).toEqual([...words, 'file=@picture.png', `${ORIGIN}/api/upload`])
  })

  it('pipes Flameshot’s screenshot to curl', () => {
    expect(splitWords(of('Flameshot').text ?? '')).toEqual([
      ...words,
      'file=@-;filename=screenshot.png',
      `${ORIGIN}/api/upload`,
    ])
  })

  it('uploads each file that Typora appends', () => {
    const command = (of('Typora').text ?? '').replace(/^sh /, 'bash ')
    expect(splitWords(command, `'/a b;,/one.png'`, '/two.png')).toEqual(
      ['/a b;,/one.png', '/two.png'].flatMap((path) => [...asked, '-g', '-T', path, `${ORIGIN}/api/upload/`]),
    )
  })
})

test('Typora’s command stops at the first refused file, so that no error is taken for a URL', () => {
  const command = (of('Typora').text ?? '').replace(/^sh /, 'bash ')
  const script = `curl() { printf '%s\n' "$9"; [ "$9" != b ] || return 22; }; export -f curl; ${command} a b c`
  const { status, stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  expect([status, stdout.split('\n')]).toEqual([22, ['a', 'b', '']])
})

test('the CLI command passes the site and the token in environment variables', () => {
  const command = of('Sluice CLI').text ?? ''
  const script = `sluice() { printf '%s\n' "$SLUICE_URL" "$SLUICE_TOKEN" "$@"; }; ${command}`
  const lines = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n')
  expect(lines).toEqual([ORIGIN, TOKEN, 'upload', 'picture.png'])
})

test('uPic sends a form only if the header says so', () => {
  expect(of('uPic').field('Content-Type')).toBe('multipart/form-data')
})

test('settings of every client contain the token, or the placeholder before there is one', () => {
  for (const [token, other] of [
    [TOKEN, TOKEN_PLACEHOLDER],
    [TOKEN_PLACEHOLDER, TOKEN],
  ] as const)
    for (const { name, fields, text, file } of listProgramSettings(ORIGIN, token)) {
      const all = JSON.stringify([fields, text, file])
      expect([name, all.includes(token), all.includes(other)]).toEqual([name, true, false])
    }
})

test('every URL is absolute and on this site', () => {
  const addresses = JSON.stringify(settings).match(/https?:\/\/[^"'\s\\;]+/g) ?? []
  expect([...new Set(addresses)].sort()).toEqual([
    ORIGIN,
    `${ORIGIN}/api/1/upload`,
    `${ORIGIN}/api/upload`,
    `${ORIGIN}/api/upload/`,
  ])
})
