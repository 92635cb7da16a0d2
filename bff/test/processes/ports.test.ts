import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { releasePort } from './port-claims.ts'
import { chooseDevnetPorts, choosePorts, freePort, host } from './ports.ts'
import { bundlePrograms } from './programs.mjs'

const modules = mkdtempSync(join(tmpdir(), 'ports-'))
const servers: Server[] = []

beforeAll(() => bundlePrograms({ ports: fileURLToPath(new URL('./ports.ts', import.meta.url)) }, modules))
afterAll(() => rmSync(modules, { recursive: true }))
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

test('the usual port is used when it is free', async () => {
  const preferred = await unclaimedPort()
  expect(await choosePorts([{ variable: 'BFF_PORT', preferred }], {})).toEqual([preferred])
})

test('an empty variable requests no port', async () => {
  const preferred = await unclaimedPort()
  expect(await choosePorts([{ variable: 'BFF_PORT', preferred }], { BFF_PORT: '' })).toEqual([preferred])
  expect(await chooseDevnetPorts([], { DEVNET_PORT: '' })).toHaveLength(2)
})

test('a usual port in use is replaced by a free one, and all differ', async () => {
  const preferred = await occupy()
  const wish = { variable: 'BFF_PORT', preferred }
  const chosen = await choosePorts([wish, wish, wish], {})
  expect(new Set([...chosen, preferred]).size).toBe(4)
})

test('a requested port that is in use is an error that names the variable', async () => {
  const port = await occupy()
  const chosen = choosePorts([{ variable: 'STOREFRONT_PORT', preferred: 8080 }], { STOREFRONT_PORT: String(port) })
  await expect(chosen).rejects.toThrow(`STOREFRONT_PORT is ${port}, but that port is in use.`)
})

test('an invalid port is refused', async () => {
  for (const text of ['0', '-1', '80.5', '70000', 'http']) {
    const chosen = choosePorts([{ variable: 'BFF_PORT', preferred: 8787 }], { BFF_PORT: text })
    await expect(chosen).rejects.toThrow('BFF_PORT must be a port')
  }
})

test('DEVNET_PORT names the first of two adjacent ports, and both must be free', async () => {
  const taken = await occupy()
  await expect(chooseDevnetPorts([], { DEVNET_PORT: String(taken - 1) })).rejects.toThrow(
    new RegExp(
      `needs ports ${taken - 1} and ${taken}, but port .*${taken} is in use. Choose a port whose next one is free`,
    ),
  )
})

test('a free port is outside the operating system’s range, and no two callers get the same', async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, () => freePort()))
  expect(new Set(ports).size).toBe(100)
  for (const port of ports) expect(port).toBeLessThan(32_768)
})

test('a caller’s port is reserved before it listens: no other process gets it', async () => {
  const port = await freePort()
  const { child, says } = startChooser(port)
  try {
    await says()
    child.stdin.write('choose\n')
    expect(JSON.parse(await says())).not.toContain(port)
    releasePort(port)
  } finally {
    child.kill('SIGKILL')
    await (child.exitCode ?? child.signalCode ?? once(child, 'exit'))
  }
  const again = startChooser(port)
  try {
    await again.says()
    again.child.stdin.write('choose\n')
    expect((JSON.parse(await again.says()) as number[])[0]).toBe(port)
  } finally {
    again.child.kill('SIGKILL')
    await (again.child.exitCode ?? again.child.signalCode ?? once(again.child, 'exit'))
  }
})

test('ports chosen by two processes at the same time differ, and are reserved until they end', async () => {
  const preferred = await unclaimedPort()
  const wish = { variable: 'BFF_PORT', preferred }
  const processes = [startChooser(preferred), startChooser(preferred)]
  const chosen: number[] = []
  try {
    // Both have loaded the module, and wait for a line.
    await Promise.all(processes.map(({ says }) => says()))
    for (const { child } of processes) child.stdin.write('choose\n')
    for (const { says } of processes) chosen.push(...(JSON.parse(await says()) as number[]))
    expect(new Set(chosen).size, String(chosen)).toBe(6)
    // Nothing listens on these ports, but they are reserved.
    const own = await choosePorts([wish, { variable: 'RELAY_PORT', preferred: chosen[0] ?? 0 }], {})
    expect(own.filter((port) => chosen.includes(port))).toEqual([])
    const asked = choosePorts([wish], { BFF_PORT: String(chosen[0]) })
    await expect(asked).rejects.toThrow(`BFF_PORT is ${chosen[0]}, but that port is in use.`)
  } finally {
    for (const { child } of processes) child.kill('SIGKILL')
    await Promise.all(processes.map(({ child }) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
  }
  expect(await choosePorts([wish], { BFF_PORT: String(chosen[0]) })).toEqual([chosen[0]])
})

/** A process that chooses a service's port and the devnet's once it reads a line, and then stays alive. */
function startChooser(preferred: number) {
  const code = `
    import { chooseDevnetPorts, choosePorts } from ${JSON.stringify(`${modules}/ports.js`)}
    console.log('ready')
    process.stdin.on('data', async () => {
      const [port] = await choosePorts([{ variable: 'BFF_PORT', preferred: ${preferred} }], {})
      console.log(JSON.stringify([port, ...(await chooseDevnetPorts([port], {}))]))
    })`
  const args = ['--input-type=module', '--eval', code]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return { child, says: async () => String((await lines.next()).value) }
}

/** A port that is neither in use nor claimed. */
async function unclaimedPort(): Promise<number> {
  const port = await freePort()
  releasePort(port)
  return port
}

async function occupy(): Promise<number> {
  const server = createServer()
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, host, () => resolve()))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port')
  return address.port
}
