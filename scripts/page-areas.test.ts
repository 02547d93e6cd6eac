import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { areasLoaded, areasSaid, layoutsAround } from './page-areas.ts'

const pages = globSync('app/**/{page,layout,error,not-found}.tsx').sort()

test('there are pages', () => expect(pages).toContain('app/signin/page.tsx'))

test.each(pages)('%s loads the areas of messages that it says, and no other', (page) => {
  const loaded = new Set(layoutsAround(page).flatMap(areasLoaded))
  const missing = [...areasSaid(page)].filter((area) => !loaded.has(area))
  expect([...new Set(areasLoaded(page))].sort()).toEqual(missing.sort())
})
