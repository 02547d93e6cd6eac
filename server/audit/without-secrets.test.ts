import { expect, test } from 'vitest'
import { withoutSecrets } from './without-secrets.ts'

test('texts of fields named like a secret are left out, however deep', () => {
  const state = { password: 'p', webhookSecret: 's', codeHash: 'h', list: [{ token: 't' }], deep: { apiKey: 'k' } }
  expect(withoutSecrets(state)).toEqual({
    ...{ password: '•••', webhookSecret: '•••', codeHash: '•••' },
    ...{ list: [{ token: '•••' }], deep: { apiKey: '•••' } },
  })
})

test('of an address only the host is kept', () => {
  const urls = ['https://me:pass@hooks.example/T0/B0?key=1#x', 'https://hooks.example', 'none']
  expect(urls.map((webhookUrl) => withoutSecrets({ webhookUrl }).webhookUrl)).toEqual([
    ...['https://hooks.example/…', 'https://hooks.example', 'none'],
  ])
})

test('everything else stays as it is', () => {
  const state = { role: 'admin', shared: false, quotaBytes: null, sites: ['a.example'], tokens: 3, note: 'https://a/b' }
  expect(withoutSecrets(state)).toEqual(state)
})
