import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { systemRuntime } from '../../core/runtime.ts'
import { openSqlite } from '../../db/sqlite/open-sqlite.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { insertPayment } from '../../payment/store/payment-store.ts'
import { setupFolder } from '../config/source.ts'
import { runCli } from './program.ts'
import { systemInput } from './terminal.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-program-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const platformWallet = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A configuration without a network or with one; `secretsFile` names a file that is not there. */
function configure(name: string, ...networks: string[]): string {
  const path = join(folder, name)
  const configured = networks.map((shortName) => ({ shortName, rpcUrls: ['http://127.0.0.1:9'], platformWallet }))
  writeFileSync(path, JSON.stringify({ database: 'checkout.sqlite', networks: configured }))
  return path
}

async function run(args: readonly string[], env: Record<string, string> = {}) {
  let [stdout, stderr] = ['', '']
  const exitCode = await runCli(args, {
    env: () => env,
    folder,
    program: { command: 'checkout', start: null },
    input: { ...systemInput(), isTerminal: false },
    runtime: systemRuntime,
    write: (text) => (stdout += text),
    writeError: (text) => (stderr += text),
  })
  return { exitCode, stdout, stderr }
}

/** What `merchants create` accepts shows which configuration it read. */
const createOn = async (network: string, env: Record<string, string> = {}, ...options: string[]) =>
  await run([...options, 'merchants', 'create', '--name', 'Shop', '--wallet', `${network}=${wallet}`, '--json'], env)

test('the configuration is that of --config, else of BFF_CONFIG, else checkout.json of the folder', async () => {
  expect(await createOn('base')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('has no service') })
  configure('checkout.json', 'base')
  const other = configure('other.json', 'polygon')
  const third = configure('third.json', 'arbitrum')
  expect(await createOn('base')).toMatchObject({ exitCode: 0 })
  expect(await createOn('base', { BFF_CONFIG: '' })).toMatchObject({ exitCode: 0 })
  expect(await createOn('polygon', { BFF_CONFIG: other })).toMatchObject({ exitCode: 0 })
  expect(await createOn('arbitrum', { BFF_CONFIG: other }, '--config', third)).toMatchObject({ exitCode: 0 })
  expect(await createOn('base', { BFF_CONFIG: other })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('there: polygon'),
  })
})

test('a command in a folder without a service creates no database, so that the next start still serves the set-up page', async () => {
  for (const words of ['merchants list', 'dashboard invite', 'reconcile', 'reconcile --json', 'deploy base']) {
    const { exitCode, stderr } = await run(words.split(' '))
    expect([words, exitCode, stderr]).toEqual([words, 1, expect.stringContaining(`${folder} has no service. Run the`)])
  }
  expect(readdirSync(folder)).toEqual([])
  expect(setupFolder({}, folder)).toBe(folder)
})

test('before its first start a service is told from another one that runs on its port', async () => {
  const other = createServer((_, response) => response.setHeader('X-API-Version', '1').end('{}'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  writeFileSync(join(folder, 'checkout.json'), JSON.stringify({ database: 'checkout.sqlite', port }))
  try {
    const { exitCode, stdout } = await run(['doctor'])
    expect(stdout).toContain('BAD  service: http://127.0.0.1:')
    expect(stdout).toContain('is a stablecoin-checkout service with another database')
    expect(exitCode).toBe(1)
  } finally {
    await new Promise((resolve) => other.close(resolve))
  }
})

test('-V and --version print the version', async () => {
  for (const option of ['-V', '--version']) {
    expect(await run([option])).toEqual({ exitCode: 0, stdout: `${manifest.version}\n`, stderr: '' })
  }
})

test('no order id controls the terminal, or adds a line that looks like another payment', async () => {
  configure('checkout.json', 'base')
  const { merchantId } = JSON.parse((await createOn('base')).stdout) as { merchantId: MerchantId }
  const payment = newPayment({ merchantId, network: 'base', orderId: 'A-1\u001b[2J\u009b1A\nA-2 paid\r\u202eA-3' })
  const db = openSqlite(join(folder, 'checkout.sqlite'))
  await db.write((tx) => insertPayment(tx, payment))
  await db.close()
  const { stdout: list } = await run(['payments', 'list', merchantId])
  const { stdout: shown } = await run(['payments', 'show', payment.id])
  expect(list.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^payment /),
    expect.stringMatching(new RegExp(`^${payment.id} .* A-1 `)),
    '1 of 1',
  ])
  expect(shown).toMatch(/^order id +A-1 .*A-2 paid/m)
  for (const text of [list, shown]) expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
})

test('a command that fails prints no control characters', async () => {
  configure('checkout.json', 'base')
  const { stderr } = await run(['payments', 'show', 'x\u001b[2J'])
  expect(stderr).toBe('there is no payment "x [2J"\n')
})
