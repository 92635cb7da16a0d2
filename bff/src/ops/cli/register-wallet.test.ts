import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { rpcCall } from '@stablecoin-checkout/rig/devnet/rpc'
import { masterId, masterSalt } from '@stablecoin-checkout/rig/devnet/tempo'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { runCli } from './program.ts'
import { systemInput } from './terminal.ts'

/** The first account of anvil, which has a known salt: a new wallet would need billions of attempts. */
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

let folder: string
let tempo: Anvil
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-register-'))
  tempo = await startAnvil({ chainId: 31_339, isTempo: true })
  // anvil compares a sender's coins with the gas although Tempo has none.
  await rpcCall(tempo.rpcUrl, 'anvil_setBalance', [wallet, `0x${(10n ** 27n).toString(16)}`])
  const token = { symbol: 'USDC', name: 'USD Coin', address: '0x20c0000000000000000000000000000000000001', decimals: 6 }
  const known = {
    name: 'Tempo',
    family: 'evm',
    chainId: 31_339,
    rpcUrls: [tempo.rpcUrl],
    confirmations: 1,
    tokens: [token],
  }
  const network = { shortName: 'tempo-here', ...known, platformWallet: wallet, deposits: 'virtual' }
  const base = { shortName: 'base', rpcUrls: ['https://node.example'], platformWallet: wallet, deposits: 'xpub' }
  writeFileSync(join(folder, 'checkout.json'), JSON.stringify({ networks: [network, base] }))
})
afterAll(async () => {
  await tempo?.stop()
  rmSync(folder, { recursive: true })
})

async function deploy(args: readonly string[], env: Record<string, string> = {}) {
  let [stdout, stderr] = ['', '']
  const exitCode = await runCli(['deploy', ...args], {
    env: () => ({ BFF_CONFIG: join(folder, 'checkout.json'), ...env }),
    folder,
    program: { command: 'checkout', start: null },
    input: { ...systemInput(), isTerminal: false },
    runtime: systemRuntime,
    write: (text) => (stdout += text),
    writeError: (text) => (stderr += text),
  })
  return { exitCode, stdout, stderr }
}

const notePath = () => join(folder, `virtual-addresses-${wallet.toLowerCase()}.json`)
const readNote = () => JSON.parse(readFileSync(notePath(), 'utf8')) as Record<string, string | null>

test('a search that was stopped continues where its note says; the call is printed, and with the key it is sent, once', async () => {
  const stopped = { wallet, next: String(BigInt(masterSalt) - 1_000n), salt: null }
  writeFileSync(notePath(), JSON.stringify(stopped))
  const searched = await deploy(['tempo-here', '--wallet', wallet, '--json'])
  expect(searched.exitCode).toBe(0)
  const { call, ...found } = JSON.parse(searched.stdout)
  expect(found).toEqual({ wallet, salt: masterSalt, masterId, state: 'missing' })
  expect(readNote()).toEqual({ ...stopped, salt: masterSalt })
  const printed = await deploy(['tempo-here', '--wallet', wallet])
  expect(printed.stdout).toContain(`data  ${call.data}`)

  const stranger = `0x${'5e'.repeat(32)}`
  const refused = await deploy(['tempo-here', '--wallet', wallet], { WALLET_PRIVATE_KEY: stranger })
  expect([refused.exitCode, refused.stderr]).toEqual([
    1,
    expect.stringContaining('WALLET_PRIVATE_KEY is the key of 0x'),
  ])
  expect(refused.stderr).not.toContain('5e5e')

  const registered = await deploy(['tempo-here', '--wallet', wallet], { WALLET_PRIVATE_KEY: key })
  expect(registered.stdout).toContain(`is registered now on Tempo, with the id ${masterId}`)
  expect(registered.stdout).toContain(`wallets set <merchant-id> tempo-here=${wallet}:${masterSalt}`)
  const again = await deploy(['tempo-here', '--wallet', wallet, '--json'], { WALLET_PRIVATE_KEY: key })
  expect(JSON.parse(again.stdout)).toMatchObject({ state: 'there' })
})

test('a note of something else is refused by its name and left alone, and a wrong wallet or network is named', async () => {
  const other = `0x${'70997970C51812dc3A010C7d01b50e0d17dc79C8'}`
  const path = join(folder, `virtual-addresses-${other.toLowerCase()}.json`)
  writeFileSync(path, '{"wallet":"0x12"}')
  const refused = await deploy(['tempo-here', '--wallet', other])
  expect(refused.stderr).toContain(`${path} is not a note of the search for ${other}. Delete it to start again.`)
  expect(readFileSync(path, 'utf8')).toBe('{"wallet":"0x12"}')
  expect((await deploy(['tempo-here', '--wallet', '0x12'])).stderr).toContain('--wallet must be an address')
  expect((await deploy(['base', '--wallet', wallet])).stderr).toContain('Base has no virtual addresses')
  expect((await deploy(['tempo-here'])).stderr).toContain('Tempo needs no contracts: register a wallet by --wallet')
  expect((await deploy(['base'])).stderr).toContain('Base needs no contracts')
  expect(existsSync(join(folder, 'checkout.sqlite'))).toBe(false)
})
