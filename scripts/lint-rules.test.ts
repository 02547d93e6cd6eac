import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** Returns the lint rules that `files` break, by Biome with this repository's configuration. */
function brokenRules(files: Record<string, string>): string[] {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-lint-'))
  for (const name of ['biome.json', 'package.json', '.gitignore']) cpSync(name, join(folder.path, name))
  for (const [path, code] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    writeFileSync(join(folder.path, path), code)
  }
  const biome = join(process.cwd(), 'node_modules/.bin/biome')
  const { stdout } = spawnSync(biome, ['lint', '--reporter=json', '.'], { cwd: folder.path, encoding: 'utf8' })
  const report: { diagnostics: { category: string }[] } = JSON.parse(stdout)
  return report.diagnostics.map(({ category }) => category.replace('lint/', ''))
}

const readsEnv = 'export const home = process.env.HOME\n'

test.each([
  ['process.env in the server', { 'server/a.ts': readsEnv }, ['style/noProcessEnv']],
  ['process.env in a page', { 'app/a.tsx': readsEnv }, ['style/noProcessEnv']],
  [
    'the env of node:process',
    { 'server/a.ts': "import { env as settings } from 'node:process'\nexport const home = settings\n" },
    ['style/noRestrictedImports'],
  ],
  [
    'English in a page',
    {
      'app/a.tsx':
        "import { translate } from '#messages/translate.ts'\nexport const title = translate('shell.trash')\n",
    },
    ['style/noRestrictedImports'],
  ],
  [
    'a barrel',
    { 'server/a.ts': "export { b } from './b.ts'\n", 'server/b.ts': 'export const b = 1\n' },
    ['performance/noBarrelFile'],
  ],
  ['any', { 'server/a.ts': 'export function a(b: any): number {\n  return b.c\n}\n' }, ['suspicious/noExplicitAny']],
  [
    'a promise nobody waits for',
    { 'server/a.ts': 'async function a(): Promise<void> {\n  await 1\n}\na()\n' },
    ['nursery/noFloatingPromises'],
  ],
  [
    'a skipped test',
    { 'server/a.test.ts': "import { test } from 'vitest'\ntest.skip('a', () => {})\n" },
    ['suspicious/noSkippedTests'],
  ],
])('%s is flagged', (_, files, rules) => {
  expect(brokenRules(files)).toEqual(rules)
})

test('a cycle is flagged, by relative and by aliased imports', () => {
  const a = "import { b } from './b.ts'\nexport const a = () => b\n"
  const b = "import { a } from '#server/a.ts'\nexport const b = () => a\n"
  expect(brokenRules({ 'server/a.ts': a, 'server/b.ts': b })).toEqual([
    'suspicious/noImportCycles',
    'suspicious/noImportCycles',
  ])
})

test('server/config.ts and tests read process.env', () => {
  const code = 'export const home = process.env.HOME\n'
  expect(brokenRules({ 'server/config.ts': code, 'testing/a.ts': code, 'scripts/a.ts': code })).toEqual([])
})
