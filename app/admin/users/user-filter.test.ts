import { expect, test } from 'vitest'
import { readFilter, writeFilter } from './user-filter.ts'

test('a filter stands in the address, without what is not known', () => {
  const filter = { search: 'a b', role: 'admin', state: 'never', use: 'over', seen: 'idle', sort: 'used' }
  const query = '?search=a+b&role=admin&state=never&use=over&seen=idle&sort=used'
  expect(writeFilter(filter)).toBe(query)
  expect(readFilter(new URLSearchParams(query))).toEqual(filter)
  expect(readFilter(new URLSearchParams('?role=king&state=&sort=toString&cursor=x'))).toEqual({})
  expect(writeFilter({})).toBe('')
})
