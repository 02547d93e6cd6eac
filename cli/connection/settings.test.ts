import { mkdtempDisposableSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forgetLogin, parseOrigin, readLogin, savedLogin, saveLogin, stateFolder } from './settings.ts'

const kept = { url: 'https://images.example.com', username: 'sue', token: 'slu_kept' }

test('saves a login for its owner only, and deletes it', async () => {
  using home = mkdtempDisposableSync(join(tmpdir(), 'sluice-settings-'))
  const env = { XDG_CONFIG_HOME: home.path }
  expect(await savedLogin(env)).toBeNull()
  const path = await saveLogin(env, kept)
  expect([path, statSync(path).mode & 0o777, statSync(join(path, '..')).mode & 0o777]).toEqual([
    join(home.path, 'sluice/config.json'),
    0o600,
    0o700,
  ])
  expect([JSON.parse(readFileSync(path, 'utf8')), await savedLogin(env)]).toEqual([kept, kept])
  await forgetLogin(env)
  expect(await savedLogin(env)).toBeNull()
})

test('the environment comes first, and a saved token is only for its own server', async () => {
  using home = mkdtempDisposableSync(join(tmpdir(), 'sluice-settings-'))
  const env = { HOME: home.path }
  await expect(readLogin({ env })).rejects.toThrow('Run sluice login, or set SLUICE_URL and SLUICE_TOKEN.')
  await saveLogin(env, kept)
  const { url, token } = kept
  expect(await readLogin({ env })).toEqual({ url, token })
  expect(await readLogin({ env: { ...env, SLUICE_TOKEN: 'slu_own' } })).toEqual({ url, token: 'slu_own' })
  expect(await readLogin({ env: { ...env, SLUICE_TOKEN: 'slu_own\n' } })).toEqual({ url, token: 'slu_own' })
  await expect(readLogin({ env: { ...env, SLUICE_TOKEN: 'slu_a\nslu_b' } })).rejects.toThrow(
    'SLUICE_TOKEN is not a token',
  )
  expect(await readLogin({ env: { ...env, SLUICE_URL: 'https://images.example.com/gallery' } })).toEqual({ url, token })
  await expect(readLogin({ env: { ...env, SLUICE_URL: 'https://other.example.com' } })).rejects.toThrow(
    'No token for https://other.example.com',
  )
})

test('reports a damaged file', async () => {
  using home = mkdtempDisposableSync(join(tmpdir(), 'sluice-settings-'))
  const env = { XDG_CONFIG_HOME: home.path }
  const path = await saveLogin(env, kept)
  writeFileSync(path, '{"url":')
  await expect(savedLogin(env)).rejects.toThrow(`${path} is damaged`)
})

test('ignores a relative folder in the environment', () => {
  expect(stateFolder({ HOME: '/home/sue', XDG_STATE_HOME: 'state' })).toBe('/home/sue/.local/state/sluice')
})

test.each([
  ['images.example.com', 'https://images.example.com'],
  ['images.example.com:3000', 'https://images.example.com:3000'],
  ['HTTPS://Images.Example.com/i/x', 'https://images.example.com'],
  ['localhost.example.com', 'https://localhost.example.com'],
  ['localhost', 'http://localhost'],
  ['LOCALHOST:3000/gallery', 'http://localhost:3000'],
  ['site.localhost:3000', 'http://site.localhost:3000'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['127.1.2.3', 'http://127.1.2.3'],
  ['[::1]:3000', 'http://[::1]:3000'],
  ['https://localhost:3000', 'https://localhost:3000'],
])('the address %s is the origin %s', (text, origin) => {
  expect(parseOrigin(text)).toBe(origin)
})

test.each(['', 'ftp://images.example.com', 'https://sue@images.example.com', 'sue@localhost', 'a b'])(
  '%j is not a server address',
  (text) => {
    expect(() => parseOrigin(text)).toThrow('is not a server address')
  },
)
