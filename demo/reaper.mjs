// Ends the demo's processes when the supervisor is gone without having done so, for example after `kill -9`.
// The supervisor writes the list of its children as one JSON line each time it changes; the pipe's end means that
// it is dead. A supervisor that stops in order writes an empty list first.
import { setTimeout as sleep } from 'node:timers/promises'

/** The same patience that the supervisor has with a child that was asked to stop. */
const patienceMs = 10_000
const lookEveryMs = 100

let pids = []
let rest = ''

// Ctrl-C reaches the whole terminal; what is to be ended is the supervisor's decision.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('SIGHUP', () => {})

process.stdin.setEncoding('utf8')
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop() ?? ''
  const last = lines.at(-1)
  if (last !== undefined) pids = JSON.parse(last)
}

const send = (pid, signal) => {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

let alive = pids.filter((pid) => send(pid, 'SIGTERM'))
for (let waitedMs = 0; alive.length > 0 && waitedMs < patienceMs; waitedMs += lookEveryMs) {
  await sleep(lookEveryMs)
  alive = alive.filter((pid) => send(pid, 0))
}
for (const pid of alive) send(pid, 'SIGKILL')
