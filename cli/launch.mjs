#!/usr/bin/env node
// The command `sluice`, by whichever Node runs it: one that is older than what Sluice is written for starts the Node that
// Sluice depends on.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const command = new URL('sluice.ts', import.meta.url)

if (Number.parseInt(process.versions.node, 10) >= 24) {
  await import(command.href)
} else {
  const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))
  const child = spawn(node, [fileURLToPath(command), ...process.argv.slice(2)], { stdio: 'inherit' })
  child.on('error', (error) => {
    console.error(`sluice: ${node} does not start (${error.message}). Run npm ci in its folder first.`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exitCode = code ?? 1
    else process.kill(process.pid, signal)
  })
  // The terminal's signals reach both; the command decides when it is done.
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
}
