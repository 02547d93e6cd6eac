import { expect, test } from 'vitest'
import { parseEmail } from './address.ts'

test.each([
  ['ada@example.org', 'ada@example.org'],
  ['  Ada.L+sluice@Example.ORG ', 'ada.l+sluice@example.org'],
  ['ada@Bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ["o'neil@mail.example.org", "o'neil@mail.example.org"],
])('%s is %s', (text, key) => {
  expect(parseEmail(text)).toMatchObject({ text: text.trim(), key })
})

test.each([
  '',
  'ada',
  '@example.org',
  'ada@',
  'ada@localhost',
  'ada@192.0.2.1',
  'ada@[192.0.2.1]',
  'a@x.example,b@y.example',
  'a@x.example;b@y.example',
  '"e@attacker.example"@victim.example',
  '"ada l"@example.org',
  'ada (friend)@example.org',
  'Ada <ada@example.org>',
  'ada@example.org\r\nBcc: b@y.example',
  'ada\n@example.org',
  'ada@exam\u202eple.org',
  'ada\u200b@example.org',
  'ada@example.org/path',
  'ada@example.org:25',
  'ada@example..org',
  'ada.@example.org',
  'ada@-example.org',
  'ádá@example.org',
  `${'a'.repeat(65)}@example.org`,
  `ada@${'a.'.repeat(130)}org`,
])('%j is refused', (text) => {
  expect(parseEmail(text)).toBeNull()
})
