import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Keypair } from '@solana/web3.js'
import { loadConfig } from '@stablecoin-checkout/bff'
import type { Devnet, DevnetNetwork } from '@stablecoin-checkout/rig/devnet/devnet'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serviceCommand, warningOf, writeServiceConfig } from './checkout-service.ts'

const relayUrl = 'http://127.0.0.1:8090'
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-service-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the service accepts the demo’s config, whatever the shell has set', () => {
  const path = writeServiceConfig(folder, 8787, devnet, relayUrl)
  const command = serviceCommand(path, devnet)
  const config = loadConfig({ BFF_PORT: '1', DATABASE_PATH: '/srv/real.sqlite', ...command.env })
  expect(config).toMatchObject({ port: 8787, database: join(folder, 'checkout.sqlite'), feeBps: 150 })
  expect(config.relay).toMatchObject({ baseUrl: relayUrl })
  expect([...config.networks.keys()]).toEqual(['devnet', 'devnet-b', 'solana-devnet'])
  expect(config.networks.get('solana-devnet')).toMatchObject({ family: 'solana', genesisHash: someone })
  expect(config.networks.get('devnet')).toMatchObject({ chainId: 31337, confirmations: 3 })
})

test('the config file contains no key and is readable only by its owner', () => {
  const path = writeServiceConfig(folder, 8787, devnet, relayUrl)
  expect(readFileSync(path, 'utf8')).not.toContain(devnet.operator.privateKey)
  expect(readFileSync(path, 'utf8')).not.toContain(devnet.solana.operator.secretKey)
  expect(statSync(path).mode & 0o077).toBe(0)
})

test('the terminal shows warnings, errors and crashes, and not the rest of the log', () => {
  expect(warningOf('{"level":30,"msg":"ready"}')).toBeNull()
  expect(warningOf('{"level":40,"msg":"rpc is slow"}')).toBe('bff: rpc is slow')
  expect(warningOf('{"level":"error","msg":"disk full"}')).toBe('bff: disk full')
  const failed = '{"level":50,"msg":"request","method":"POST","route":"/api/v1/deposits/create","status":503}'
  expect(warningOf(failed)).toBe('bff: request POST /api/v1/deposits/create: 503')
  expect(warningOf('Error: no such module')).toBe('bff: Error: no such module')
})

const account = () => {
  const privateKey = generatePrivateKey()
  return { privateKey, address: privateKeyToAddress(privateKey) }
}

const token = () => ({ address: account().address, decimals: 6 })

const network = (shortName: DevnetNetwork['shortName'], chainId: number): DevnetNetwork => ({
  ...{ shortName, name: shortName, family: 'evm', chainId, rpcUrl: 'http://127.0.0.1:8545' },
  ...{
    factory: account().address,
    splitter: account().address,
    merchantWallet: account().address,
    platformWallet: account().address,
  },
  tokens: { USDC: token(), USDT: token(), EURC: token() },
})

const someone = '11111111111111111111111111111111'
const { secretKey, publicKey } = Keypair.generate()
const solanaAccount = { secretKey: JSON.stringify([...secretKey]), address: publicKey.toBase58() }

const devnet: Devnet = {
  networks: [network('devnet', 31337), network('devnet-b', 31338)],
  tempo: null,
  tron: null,
  solana: {
    network: {
      ...{ shortName: 'solana-devnet', name: 'Solana devnet', family: 'solana', rpcUrl: 'http://127.0.0.1:8899' },
      ...{ genesisHash: someone, merchantWallet: someone, platformWallet: someone },
      tokens: { USDC: { address: someone, decimals: 6 }, USDT: { address: solanaAccount.address, decimals: 6 } },
    },
    ...{ customer: solanaAccount, operator: solanaAccount, tokenOwner: solanaAccount },
  },
  ...{ customer: account(), operator: account(), tokenOwner: account() },
  pids: () => ({}),
  stop: async () => {},
}
