import { expect, test } from 'vitest'
import { namedPaths, settingsAmiss } from './check-docs.ts'

const folders = ['.ci', 'server', 'e2e', 'docs']

test.each([
  ['`server/main.ts`', ['server/main.ts']],
  ['`.ci/run`', ['.ci/run']],
  ['`server/limits/`', ['server/limits/']],
  ['`#server/config.ts`', ['server/config.ts']],
  ['`e2e/*.spec.ts`', ['e2e/*.spec.ts']],
  ['`servr/main.ts`', ['servr/main.ts']],
  ['`biome.json`', ['biome.json']],
  ['[map](architecture.md#limits)', ['docs/architecture.md']],
  ['![page](../public/page.png "a page")', ['public/page.png']],
  ['<img src="gallery.png">', ['docs/gallery.png']],
  [
    '`npm test`, `image.upload`, `/api/trpc`, `image/png`, `*.redis.test.ts`, `data/db`, `SLUICE_DATA=./data`, `.ts`',
    [],
  ],
  ['[elsewhere](https://example.org/a.ts), [below](#how)', []],
  ['```ts\nimport { a } from `server/gone.ts`\n```\n`server/main.ts`', ['server/main.ts']],
])('%s names %j', (text, paths) => {
  expect(namedPaths('docs/a.md', text, folders)).toEqual(paths)
})

test('compares the table of settings with the settings, both ways', () => {
  const readme = '| Setting | |\n|---|---|\n| `PORT`, `SLUICE_DATA` | |\n| `SLUICE_GONE` | see `HOST` |\n'
  expect(settingsAmiss('README.md', readme, ['PORT', 'SLUICE_DATA', 'HOST'])).toEqual([
    'README.md: its tables lack the setting HOST',
    'README.md: there is no setting SLUICE_GONE',
  ])
})
