import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { areaLists, areasSaid, layoutsAround } from './page-areas.ts'

const pages = globSync('app/**/{page,layout,error,not-found}.tsx').sort()

test('there are pages', () => expect(pages).toContain('app/signin/page.tsx'))

const missingFrom = (page: string, said: ReadonlySet<string>): readonly string[] => {
  const loaded = new Set(layoutsAround(page).flatMap(areaLists).flat())
  return [...said].filter((area) => !loaded.has(area)).sort()
}

test.each(pages)('%s loads the areas of messages that it says, and no other', (page) => {
  expect([...new Set(areaLists(page).flat())].sort()).toEqual(missingFrom(page, areasSaid(page)))
})

test.each([
  ['app/page.tsx', 'app/gallery/guest/guest-gallery.tsx'],
  ['app/image/[slug]/page.tsx', 'app/image/guest/guest-image.tsx'],
])('%s loads for guests the areas that %s says, and no other', (page, part) => {
  expect(areaLists(page)).toContainEqual(missingFrom(page, areasSaid(part)))
})
