// Ends the demo's processes when the supervisor died without doing so, for example after `kill -9`. The supervisor
// writes its list of children as one JSON line at each change; the end of the pipe means that it is dead. A supervisor
// that stops normally writes an empty list first.
import { setTimeout as sleep } from 'node:timers/promises'

/** Shorter than the supervisor's: the data of a killed demo is not kept anyway. */
const patienceMs = 3_000
const lookEveryMs = 100

let pids = []
let rest = ''

// Ctrl-C reaches the whole terminal; only the supervisor ends parts.
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

// In reverse order of start, as the supervisor does: a service that stops normally still needs its chain.
for (const pid of pids.reverse()) {
  let isAlive = send(pid, 'SIGTERM')
  for (let waitedMs = 0; isAlive && waitedMs < patienceMs; waitedMs += lookEveryMs) {
    await sleep(lookEveryMs)
    isAlive = send(pid, 0)
  }
  if (isAlive) send(pid, 'SIGKILL')
}
