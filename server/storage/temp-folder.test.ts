import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readlink, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from './temp-folder.ts'

async function makeRoot() {
  const root = await mkdtemp(join(tmpdir(), 'sluice-temp-'))
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) }
}

test('removes a folder with its contents', async () => {
  await using made = await makeRoot()
  const temp = await openTempFolder(join(made.root, 'tmp'))
  {
    await using folder = await temp.create()
    await writeFile(join(folder.path, 'file'), 'unfinished')
  }
  expect(await readdir(join(made.root, 'tmp'))).toEqual([])
})

test('removes what ended processes left and what is an hour old at startup', async () => {
  await using made = await makeRoot()
  const host = hostname().replace(/[^A-Za-z0-9-]/g, '-')
  const ended = spawnSync(process.execPath, ['--version']).pid
  const stays = [`${host}.${process.ppid}.running`, 'elsewhere.1.young', `elsewhere.${ended}.young`]
  const goes = [`${host}.${ended}.crashed`, `${host}.${process.pid}.before`, 'elsewhere.1.old', 'nobodys-old']
  for (const name of [...stays, ...goes]) await mkdir(join(made.root, name))
  const hourAgo = Date.now() / 1000 - 3600
  for (const name of goes.filter((each) => each.endsWith('old'))) await utimes(join(made.root, name), hourAgo, hourAgo)
  await openTempFolder(made.root)
  expect((await readdir(made.root)).sort()).toEqual(stays.sort())
})

test('removes nothing of a container with the same host name and its own PIDs', {
  skip: process.platform !== 'linux',
}, async () => {
  await using made = await makeRoot()
  const host = hostname().replace(/[^A-Za-z0-9-]/g, '-')
  const own = (await readlink('/proc/self/ns/pid')).replace(/\D/g, '')
  const ended = spawnSync(process.execPath, ['--version']).pid
  const stays = [
    `${host}.${own}-${process.ppid}.running`,
    `${host}.1-${ended}.theirs`,
    `${host}.1-${process.pid}.theirs`,
  ]
  const goes = [`${host}.${own}-${ended}.crashed`, `${host}.${own}-${process.pid}.before`]
  for (const name of [...stays, ...goes]) await mkdir(join(made.root, name))
  const temp = await openTempFolder(made.root)
  expect((await readdir(made.root)).sort()).toEqual(stays.sort())
  expect(basename(temp.newName())).toMatch(new RegExp(`^${host}\\.${own}-${process.pid}\\.`))
})

test('never returns the same folder twice', async () => {
  await using made = await makeRoot()
  const temp = await openTempFolder(made.root)
  await using one = await temp.create()
  await using two = await temp.create()
  expect(basename(one.path)).not.toBe(basename(two.path))
})
