#!/usr/bin/env node
// The command `sluice`, for any version of Node: one older than Sluice needs starts the Node that Sluice has as a dependency.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const command = new URL('sluice.ts', import.meta.url)

if (Number.parseInt(process.versions.node, 10) >= 24) {
  await import(command.href)
} else {
  const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))
  const child = spawn(node, [fileURLToPath(command), ...process.argv.slice(2)], { stdio: 'inherit' })
  child.on('error', (error) => {
    console.error(`sluice: ${node} could not be started (${error.message}). Run npm ci in the folder of Sluice first.`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exitCode = code ?? 1
    else process.kill(process.pid, signal)
  })
  // The terminal signals both processes; the command decides when to end.
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
}
