// Ends the demo's processes when the supervisor is gone without having done so, for example after `kill -9`.
// The supervisor writes the list of its children as one JSON line each time it changes; the pipe's end means that
// it is dead. A supervisor that stops in order writes an empty list first.
import { setTimeout as sleep } from 'node:timers/promises'

/** Shorter than the supervisor's: nothing of a demo whose supervisor was killed is kept anyway. */
const patienceMs = 3_000
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

// The last started first, as the supervisor would: a service that ends in order still needs its chain.
for (const pid of pids.reverse()) {
  let isAlive = send(pid, 'SIGTERM')
  for (let waitedMs = 0; isAlive && waitedMs < patienceMs; waitedMs += lookEveryMs) {
    await sleep(lookEveryMs)
    isAlive = send(pid, 0)
  }
  if (isAlive) send(pid, 'SIGKILL')
}
