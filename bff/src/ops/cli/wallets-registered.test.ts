import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { rpcCall } from '@stablecoin-checkout/rig/devnet/rpc'
import { masterId, masterSalt } from '@stablecoin-checkout/rig/devnet/tempo'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { openSqlite } from '../../db/sqlite/open-sqlite.ts'
import { runCli } from './program.ts'
import { systemInput } from './terminal.ts'

/** The first account of anvil, which has a known salt: a new wallet would need billions of attempts. */
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const { merchantId } = newPayment()

let folder: string
let tempo: Anvil
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-registered-'))
  tempo = await startAnvil({ chainId: 31_339, isTempo: true })
  // anvil compares a sender's coins with the gas although Tempo has none.
  await rpcCall(tempo.rpcUrl, 'anvil_setBalance', [wallet, `0x${(10n ** 27n).toString(16)}`])
  const token = { symbol: 'USDC', name: 'USD Coin', address: '0x20c0000000000000000000000000000000000001', decimals: 6 }
  const known = { name: 'Tempo', family: 'evm', chainId: 31_339, confirmations: 1, tokens: [token] }
  const network = { ...known, platformWallet: wallet, deposits: 'virtual' }
  const database = join(folder, 'checkout.sqlite')
  const networks = [
    { ...network, shortName: 'tempo-here', rpcUrls: [tempo.rpcUrl] },
    { ...network, shortName: 'tempo-away', chainId: 31_340, rpcUrls: ['http://127.0.0.1:9'] },
    { shortName: 'base', rpcUrls: ['http://127.0.0.1:9'], platformWallet: wallet },
  ]
  writeFileSync(join(folder, 'checkout.json'), JSON.stringify({ database, networks }))
  const db = openSqlite(database)
  await db.write((tx) =>
    tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, 'Corner Coffee', 's', 0)`),
  )
  await db.close()
})
afterAll(async () => {
  await tempo?.stop()
  rmSync(folder, { recursive: true })
})

async function run(args: readonly string[], env: Record<string, string> = {}) {
  let [stdout, stderr] = ['', '']
  const exitCode = await runCli(args, {
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

const set = (...wallets: string[]) => run(['wallets', 'set', merchantId, ...wallets])
const create = (...wallets: string[]) =>
  run(['merchants', 'create', '--name', 'New Coffee', ...wallets.flatMap((wallet) => ['--wallet', wallet])])
const merchants = async () => JSON.parse((await run(['merchants', 'list', '--json'])).stdout).merchants
const listed = async () => JSON.parse((await run(['wallets', 'list', merchantId, '--json'])).stdout).wallets

test('a wallet for virtual addresses is set, or given a new merchant, once the chain knows it, and is refused by name before', async () => {
  const early = await set(`base=${wallet}`, `tempo-here=${wallet}:${masterSalt}`)
  expect(early).toMatchObject({
    exitCode: 1,
    stderr: `The id ${masterId} of the wallet ${wallet} is not registered on Tempo. Run "deploy tempo-here --wallet ${wallet}". Nothing was changed.\n`,
  })
  expect(await listed()).toEqual([])
  expect(await create(`base=${wallet}`, `tempo-here=${wallet}:${masterSalt}`)).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: early.stderr,
  })
  expect(await merchants()).toHaveLength(1)

  const note = { wallet, next: String(BigInt(masterSalt) - 1_000n), salt: masterSalt }
  writeFileSync(join(folder, `virtual-addresses-${wallet.toLowerCase()}.json`), JSON.stringify(note))
  const registered = await run(['deploy', 'tempo-here', '--wallet', wallet], { WALLET_PRIVATE_KEY: key })
  expect(registered).toMatchObject({ exitCode: 0, stderr: '' })
  expect(await set(`base=${wallet}`, `tempo-here=${wallet}:${masterSalt}`)).toMatchObject({ exitCode: 0, stderr: '' })
  expect(await listed()).toMatchObject([
    { network: 'base', address: wallet },
    { network: 'tempo-here', address: wallet, source: masterId },
  ])
  expect(await create(`tempo-here=${wallet}:${masterSalt}`)).toMatchObject({ exitCode: 0, stderr: '' })
  expect(await merchants()).toMatchObject([{ wallets: ['base', 'tempo-here'] }, { wallets: ['tempo-here'] }])
})

test('without a node nothing is set, and other networks need none', async () => {
  const away = await set(`tempo-away=${wallet}:${masterSalt}`)
  expect(away.exitCode).toBe(1)
  expect(away.stderr).toContain(`The registration of ${wallet} could not be verified: `)
  expect(away.stderr).toContain('Nothing was changed.')
  expect(await create(`tempo-away=${wallet}:${masterSalt}`)).toMatchObject({ exitCode: 1, stderr: away.stderr })
  expect((await listed()).map(({ network }: { network: string }) => network)).not.toContain('tempo-away')
  expect(await set(`base=${wallet}`)).toMatchObject({ exitCode: 0 })
})
