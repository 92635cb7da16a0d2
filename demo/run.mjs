#!/usr/bin/env node
// Bundles `main.ts` and the programs that it starts, runs it and forwards signals.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundleDemo } from './programs.mjs'

await bundleDemo()

// A separate process group, so that Ctrl-C reaches it once, from here. Its standard input closes when this process ends.
const main = fileURLToPath(new URL('./dist/main.js', import.meta.url))
const demo = spawn(process.execPath, [main, ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  detached: true,
  windowsHide: true,
  stdio: ['pipe', 'inherit', 'inherit'],
  env: { ...process.env, DEMO_STDIN_WATCH: '1' },
})
let isAsked = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    isAsked = true
    demo.kill(signal)
  })
}
demo.stdin.on('error', () => {})
// Signalled before it installed its handlers, it ends by the signal: that counts as a normal stop.
demo.on('exit', (code) => process.exit(code ?? (isAsked ? 0 : 1)))

// npm runs this in a shell that neither forwards signals nor ends when npm is killed: detect the end of either.
if (process.env.npm_lifecycle_event === 'demo') {
  const shell = process.ppid
  const npm = parentOf(shell)
  setInterval(() => (process.ppid !== shell || parentOf(shell) !== npm) && demo.kill('SIGTERM'), 500)
}

/** Without /proc only the shell is watched. */
function parentOf(pid) {
  try {
    // The command's name is in parentheses and may contain spaces; state and parent follow it.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')[1]
  } catch {
    return undefined
  }
}
