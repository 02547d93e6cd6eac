import { expect, test } from 'vitest'
import { sentencesIn } from './check-sentences.ts'

test.each([
  ['app/a.tsx', 'const a = <p>Upload</p>', 'Upload'],
  ['app/a.tsx', 'const a = <p title="Copy link" />', 'Copy link'],
  ['app/a.tsx', `const a = <B label={\`Delete \${n}\`} />`, 'Delete'],
  ['app/a.ts', "const a = 'The file is empty.'", 'The file is empty.'],
  ['app/a.ts', "const a = { title: 'Retry' }", 'Retry'],
  ['app/a.ts', `const a = \`\${n}, not uploaded\``, ', not uploaded'],
  ['app/a.ts', "const label = isOne ? 'Copy link' : a", 'Copy link'],
  ['cli/a.ts', "say(io, 'Nothing to do.')", 'Nothing to do.'],
  ['app/a.ts', `const a = \`\${n} per \${m}\``, 'per'],
  ['server/a.ts', "ids.refine((all) => isOk(all), 'Each image once.')", 'Each image once.'],
  ['server/a.ts', "text.regex(/a/, 'must be a month')", 'must be a month'],
  ['server/a.ts', "const a = { note: 'Nothing is charged.' }", 'Nothing is charged.'],
  ['server/a.ts', "return { refused: 'There is no account.' }", 'There is no account.'],
  ['server/a.ts', "const name = filename || 'The file'", 'The file'],
  ['server/a.ts', "throw new TRPCError({ code: 'NOT_FOUND', message: 'No such job.' })", 'No such job.'],
])('%s: %s', (path, code, text) => {
  expect(sentencesIn(path, code)).toEqual([`${path}:1: ${text}`])
})

test.each([
  ['app/a.tsx', 'const a = <p className="flex items-center not-italic by the way">{t("upload")}</p>'],
  ['app/a.tsx', 'const a = <p title={t("the.title of it")} />'],
  ['app/a.tsx', '\'use client\'\nimport x from "the way to it"'],
  ['app/a.ts', "throw new Error('the list is empty')"],
  ['app/a.ts', "const message = read(body, 'message')"],
  ['app/a.ts', "const a = 'flex min-w-0 items-center gap-2'"],
  ['server/a.ts', "text.regex(/a/, invalid('month'))"],
  ['server/limits/rules/a.ts', "text.regex(/a/, 'must be a month')"],
  ['server/a.ts', "log.info('the cache is full')"],
  ['server/a.ts', "throw refuse('image-not-found')"],
])('%s: nothing in %s', (path, code) => {
  expect(sentencesIn(path, code)).toEqual([])
})
