import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Keypair } from '@solana/web3.js'
import { type Chain, getAddress } from 'viem'
import * as viemChains from 'viem/chains'
import * as viemTokens from 'viem/tokens'
import { afterAll, describe, expect, test } from 'vitest'
import { factoryAddress, paymentSplitter } from '../../chain/evm/deploy/contracts.generated.ts'
import { knownCurrencies } from '../../core/known-currencies.ts'
import { loadConfig } from '../../ops/config/config.ts'
import { defaultNodesOf } from './default-nodes.ts'
import { knownNetworks, lookAlikes, otherTokens } from './known-networks.ts'

const known = [...knownNetworks.values()]
const evm = known.filter(({ family }) => family === 'evm')
const folder = mkdtempSync(join(tmpdir(), 'checkout-known-'))
afterAll(() => rmSync(folder, { recursive: true }))

const own = {
  rpcUrls: ['https://rpc.example'],
  factory: factoryAddress,
  platformWallet: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
}

const ownOnSolana = {
  rpcUrls: ['https://rpc.example'],
  platformWallet: 'GDDMwNyyx8uB6zrqwBFHjLLG3TBYk2F8Az4yrQC5RzMp',
}
/** Of Ethereum. */
const byPermit2Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const feePayerKey = `[${Keypair.fromSeed(new Uint8Array(32).fill(7)).secretKey.join(',')}]`

function configured(...networks: object[]) {
  const path = join(folder, 'config.json')
  writeFileSync(path, JSON.stringify({ networks }))
  return loadConfig({
    BFF_CONFIG: path,
    OPERATOR_PRIVATE_KEY: `0x${'ab'.repeat(32)}`,
    SOLANA_FEE_PAYER_KEY: feePayerKey,
  }).networks
}

describe('what is known of networks', () => {
  test('is the ten mainnets of the Ethereum family, Solana, and their testnets', () => {
    const names = (isTestnet: boolean) =>
      known.filter((one) => one.isTestnet === isTestnet).map(({ shortName }) => shortName)
    expect(names(false)).toEqual([
      ...['ethereum', 'base', 'arbitrum', 'optimism', 'polygon', 'bsc', 'avalanche', 'unichain', 'plasma', 'tempo'],
      'solana',
    ])
    expect(names(true)).toContain('base-sepolia')
    expect(new Set(known.map(({ shortName }) => shortName)).size).toBe(known.length)
  })

  test('has every address with the checksum of EIP-55, and those of Solana in base58', () => {
    for (const { tokens } of evm) for (const { address } of tokens) expect(address).toBe(getAddress(address))
    for (const { address } of [...lookAlikes, ...otherTokens]) expect(address).toBe(getAddress(address))
    const solana = known.filter(({ family }) => family === 'solana').flatMap(({ tokens }) => tokens)
    for (const { address } of solana) expect(address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/)
  })

  test('agrees with the chains, their public nodes and the USDC addresses that viem ships', () => {
    const chains = new Map<number, Chain>(Object.values(viemChains).map((chain) => [chain.id, chain]))
    // A chain whose blocks are also shown before they are made stands there twice.
    const nodesOf = (id: number) =>
      Object.values<Chain>(viemChains).flatMap((chain) => (chain.id === id ? chain.rpcUrls.default.http : []))
    for (const { chainId, explorerUrl, publicRpcUrls, tokens, shortName } of evm) {
      expect(chains.get(chainId ?? 0)?.blockExplorers?.default.url, shortName).toBe(explorerUrl)
      expect(nodesOf(chainId), shortName).toEqual(expect.arrayContaining([...(publicRpcUrls ?? ['none'])]))
      // Circle issues none on BSC, so viem has none there.
      if (shortName === 'bsc') continue
      const address = tokens.find(({ symbol }) => symbol === 'USDC')?.address
      const usdc =
        shortName === 'tempo'
          ? getAddress(viemTokens.usdce(4_217).address)
          : viemTokens.usdc(chainId as Parameters<typeof viemTokens.usdc>[0]).address
      expect(address, shortName).toBe(usdc)
    }
  })

  test('offers at least one public node of every network, over https', () => {
    for (const network of known) {
      const nodes = defaultNodesOf(network)
      expect(nodes.length, network.shortName).toBeGreaterThan(0)
      for (const url of nodes) expect(url).toMatch(/^https:/)
    }
  })

  test('names for each token the currency that viem names, and refuses what stands for none', () => {
    type AnyToken = (chainId: number) => { symbol: string; currency: string; address?: string }
    const { defineToken: _, tokens: __, ...all } = viemTokens
    const found = Object.values(all as unknown as Record<string, AnyToken>).flatMap((tokenOn) =>
      evm.flatMap(({ chainId }) => {
        try {
          const { symbol: name, currency, address = '' } = tokenOn(chainId)
          return [{ chainId, name, currency, address: getAddress(address) }]
        } catch {
          // viem throws for a chain without the token.
          return []
        }
      }),
    )
    const rows = known.flatMap(({ chainId, tokens }) => tokens.map((token) => ({ chainId, ...token })))
    for (const { chainId, symbol, address } of rows) {
      expect(knownCurrencies[symbol], symbol).toMatch(/^(USD|EUR)$/)
      const listed = found.find((one) => one.chainId === chainId && one.address === address)
      if (listed) expect([address, knownCurrencies[symbol]]).toEqual([address, listed.currency])
    }
    const euros = rows.filter(
      ({ symbol, chainId }) => symbol === 'EURC' && found.some((one) => one.chainId === chainId),
    )
    expect(euros.map(({ chainId, address }) => [chainId, address])).toEqual(
      euros.map(({ chainId }) => [chainId, viemTokens.eurc(chainId as Parameters<typeof viemTokens.eurc>[0]).address]),
    )
    expect(euros.map(({ chainId }) => chainId).sort()).toEqual([1, 11_155_111, 43_114, 8_453, 84_532, 9_745].sort())
    const mainnets = new Set(evm.filter(({ isTestnet }) => !isTestnet).map(({ chainId }) => chainId))
    const isOther = (one: { name: string; currency: string; chainId: number }) =>
      one.currency !== 'USD' && one.name !== 'EURC' && mainnets.has(one.chainId)
    expect(found.filter(isOther)).toEqual(otherTokens)
  })

  test('has 18 decimals on BSC, where both tokens are pegged by Binance, and 6 everywhere else', () => {
    for (const { shortName, tokens } of known) {
      for (const { decimals } of tokens) expect(decimals, shortName).toBe(shortName === 'bsc' ? 18 : 6)
    }
  })

  test('never takes a look-alike for the token, and keeps headers for longer than a payment needs', () => {
    const addresses = known.flatMap(({ tokens }) => tokens.map(({ address }) => address))
    for (const { address } of lookAlikes) expect(addresses).not.toContain(address)
    for (const { finalityBlocks, confirmations } of evm) expect(finalityBlocks).toBeGreaterThan(confirmations)
  })
})

describe('a configured network', () => {
  const byPermit2 = { permit: null, authorization: 'permit2' }
  const [usdc, usdt] = [
    { symbol: 'USDC', currency: 'USD', name: 'USD Coin' },
    { symbol: 'USDT', currency: 'USD', name: 'Tether USD' },
  ]

  test('that is known needs its nodes, the factory and the platform’s wallet, and no more', () => {
    expect(configured({ shortName: 'bsc', ...own }).get('bsc')).toEqual({
      ...own,
      shortName: 'bsc',
      name: 'BNB Smart Chain',
      family: 'evm',
      chainId: 56,
      isTestnet: false,
      deposits: 'forwarder',
      confirmations: 21,
      finalityBlocks: 128,
      highValue: null,
      sweepGas: null,
      signatureGas: null,
      l1FeeOracle: null,
      pollMs: 1_000,
      explorerUrl: 'https://bscscan.com',
      nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
      publicRpcUrls: ['https://56.rpc.thirdweb.com'],
      splitter: paymentSplitter.address,
      tokens: [
        { ...byPermit2, ...usdc, address: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', decimals: 18 },
        { ...byPermit2, ...usdt, address: '0x55d398326f99059fF775485246999027B3197955', decimals: 18 },
      ],
    })
  })

  test('that is known has public nodes for wallets; the service itself asks only its own', () => {
    const urlsOf = (given: object) => {
      const network = configured({ shortName: 'base', ...own, ...given }).get('base')
      return network?.family === 'evm' ? [network.rpcUrls, network.publicRpcUrls] : []
    }
    expect(urlsOf({})).toEqual([own.rpcUrls, ['https://mainnet.base.org']])
    expect(urlsOf({ publicRpcUrls: ['https://own.example'] })).toEqual([own.rpcUrls, ['https://own.example']])
    // A chain of one's own by a known name.
    expect(urlsOf({ chainId: 31_337 })).toEqual([own.rpcUrls, []])
  })

  test('every one that is known can be configured so; those of Solana need no factory', () => {
    for (const { shortName, family } of known) {
      expect(configured({ shortName, ...(family === 'evm' ? own : ownOnSolana) }).size).toBe(1)
    }
  })

  test('of Solana needs the key of a fee payer, and no operator', () => {
    const path = join(folder, 'solana.json')
    writeFileSync(path, JSON.stringify({ networks: [{ shortName: 'solana', ...ownOnSolana }] }))
    expect(() => loadConfig({ BFF_CONFIG: path })).toThrow(/SOLANA_FEE_PAYER_KEY \(environment\) is required/)
    const wrong = { BFF_CONFIG: path, SOLANA_FEE_PAYER_KEY: 'not a key' }
    expect(() => loadConfig(wrong)).toThrow(/SOLANA_FEE_PAYER_KEY: must be a secret key of 64 bytes/)
    expect(() => loadConfig(wrong)).not.toThrow(/not a key/)
    expect(loadConfig({ ...wrong, SOLANA_FEE_PAYER_KEY: feePayerKey }).networks.get('solana')).toMatchObject({
      ...{ family: 'solana', genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', highValue: null },
    })
  })

  test('of Solana takes addresses in base58, and nothing of Ethereum', () => {
    const configure = (changes: object) => () => configured({ shortName: 'solana', ...ownOnSolana, ...changes })
    expect(configure({ platformWallet: own.platformWallet })).toThrow(/platformWallet: must be a Solana address/)
    expect(configure({ genesisHash: 'mainnet' })).toThrow(/genesisHash: must be a Solana address/)
    expect(configure({ factory: factoryAddress })).toThrow(/networks.0.factory: unknown setting/)
    expect(configure({ highValue: { amount: '0.5' } })).toThrow(/highValue.amount: must be an amount of whole dollars/)
    expect(configure({ highValue: { amount: '1000' } })().get('solana')?.highValue).toEqual({
      ...{ amount: '1000', confirmations: 32 },
    })
    expect(configure({ highValue: { amount: '1000', confirmations: 64 } })().get('solana')?.highValue).toEqual({
      ...{ amount: '1000', confirmations: 64 },
    })
    const tokens = [{ symbol: 'USDC', name: 'USD Coin', address: byPermit2Address, decimals: 6 }]
    expect(configure({ tokens })).toThrow(/tokens.0.address: must be a Solana address/)
  })

  test('keeps what was said of it, whatever is known', () => {
    const said = { shortName: 'base', ...own, confirmations: 33, name: 'Base (ours)', tokens: [{ symbol: 'USDC' }] }
    expect(configured(said).get('base')).toMatchObject({ confirmations: 33, name: 'Base (ours)', chainId: 8453 })
  })

  test('has USDT on Base only when it is named', () => {
    const symbols = (tokens?: object[]) =>
      configured({ shortName: 'base', ...own, ...(tokens && { tokens }) })
        .get('base')
        ?.tokens.map(({ symbol }) => symbol)
    expect(symbols()).toEqual(['USDC'])
    expect(symbols([{ symbol: 'USDC' }, { symbol: 'USDT' }])).toEqual(['USDC', 'USDT'])
  })

  test('takes nothing from the known token when its address is another', () => {
    const tokens = [{ symbol: 'USDC', address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' }]
    expect(() => configured({ shortName: 'base', ...own, tokens })).toThrow(/tokens.0.decimals/)
  })

  test('that nobody knows must say everything, and the error names what', () => {
    expect(() => configured({ shortName: 'mars', ...own })).toThrow(
      /networks.0.name: is required.*networks.0.chainId: is required.*networks.0.confirmations: is required.*networks.0.tokens: is required/s,
    )
  })

  test('may not hold a look-alike', () => {
    for (const { chainId, address } of lookAlikes) {
      const network = evm.find((one) => one.chainId === chainId)
      const tokens = [{ symbol: 'USDC', name: 'USD Coin', address: address.toLowerCase(), decimals: 6 }]
      expect(() => configured({ shortName: network?.shortName, ...own, tokens })).toThrow(/an imitation of USDC/)
    }
  })

  test('may not hold USDC of Arc, because a wallet that sends it as the coin would pay unseen', () => {
    const token = { symbol: 'USDC', name: 'USDC', address: '0x3600000000000000000000000000000000000000', decimals: 6 }
    const network = (chainId: number) => ({
      ...own,
      shortName: 'arc',
      name: 'Arc',
      family: 'evm',
      chainId,
      confirmations: 1,
    })
    for (const chainId of [5_042, 5_042_002])
      expect(() => configured({ ...network(chainId), tokens: [token] })).toThrow(/is the coin of its chain/)
    expect(configured({ ...network(5_043), tokens: [token] }).size).toBe(1)
  })

  test('has EURC on Solana where it is named, with the mint that Circle names', () => {
    const mint = 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr'
    const tokens = (more: object) => configured({ shortName: 'solana', ...ownOnSolana, ...more }).get('solana')?.tokens
    expect(tokens({})?.map(({ symbol }) => symbol)).toEqual(['USDC', 'USDT'])
    expect(tokens({ tokens: [{ symbol: 'EURC' }] })).toMatchObject([{ address: mint, currency: 'EUR', decimals: 6 }])
  })

  test('may not be a testnet whose free tokens would count as real money, whatever its name', () => {
    const named = {
      name: 'Base',
      confirmations: 3,
      tokens: [{ symbol: 'USDC', name: 'USDC', address: byPermit2Address, decimals: 6 }],
    }
    const rule = /isTestnet must be true: it is Base Sepolia, whose money is worth nothing/
    expect(() => configured({ shortName: 'base-sepolia', isTestnet: false, ...own })).toThrow(rule)
    expect(() => configured({ shortName: 'shop', chainId: 84_532, ...named, ...own })).toThrow(rule)
    expect(configured({ shortName: 'shop', chainId: 84_532, isTestnet: true, ...named, ...own }).size).toBe(1)
    const devnet = known.find(({ shortName }) => shortName === 'solana-devnet')
    const { chainId, genesisHash } = devnet ?? {}
    expect(() => configured({ shortName: 'solana', genesisHash, ...ownOnSolana })).toThrow(/it is Solana devnet/i)
    expect(() => configured({ shortName: 'base', chainId, ...named, ...own })).not.toThrow()
  })

  test('may not hold one token under two symbols', () => {
    const tokens = ['EURX', 'USDX'].map((symbol) => ({ ...another, symbol, currency: `${symbol.slice(0, 3)}` }))
    const [one = {}, other = {}] = tokens
    const twice = [one, { ...other, address: byPermit2Address.toLowerCase() }]
    expect(() => configured({ shortName: 'base', ...own, tokens: twice })).toThrow(
      'networks.0 (base): EURX and USDX have one address',
    )
    const elsewhere = [one, { ...other, address: factoryAddress }]
    expect(configured({ shortName: 'base', ...own, tokens: elsewhere }).size).toBe(1)
  })

  test('pays the platform at no mistyped address', () => {
    const paidAt = (platformWallet: string) => configured({ shortName: 'base', ...own, platformWallet })
    expect(() => paidAt(own.platformWallet.replace('BC', 'bC'))).toThrow(
      'networks.0.platformWallet: must be an address, with its checksum',
    )
    expect(paidAt(own.platformWallet.toLowerCase()).size).toBe(1)
  })

  const euro = { symbol: 'EURC', address: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42' }
  const another = { symbol: 'EURX', name: 'Another euro', address: byPermit2Address, decimals: 6 }
  const configure = (token: object) => configured({ shortName: 'base', ...own, tokens: [token] })

  test('has EURC where it is named, as a euro; no other token stands for another currency than it does', () => {
    expect(configure({ symbol: 'EURC' }).get('base')?.tokens).toEqual([
      { ...byPermit2, ...euro, name: 'EURC', currency: 'EUR', decimals: 6 },
    ])
    expect(() => configure({ symbol: 'EURC', currency: 'USD' })).toThrow('EURC stands for EUR, not USD')
    expect(() => configure({ ...another, symbol: 'USDC', currency: 'EUR' })).toThrow('USDC stands for USD, not EUR')
    expect(() => configure({ ...another, address: euro.address, currency: 'EUR' })).toThrow(
      `${euro.address} is EURC, not EURX`,
    )
    for (const { chainId, name, currency, address } of otherTokens) {
      const network = evm.find((one) => one.chainId === chainId)
      const token = { ...another, symbol: 'USDT', address: address.toLowerCase() }
      expect(() => configured({ shortName: network?.shortName, ...own, tokens: [token] })).toThrow(
        `is ${name}, which stands for ${currency}, not USD`,
      )
    }
  })

  test('takes a token that nobody knows with the currency that it stands for, and refuses it by field and rule without', () => {
    expect(configure({ ...another, currency: 'EUR' }).get('base')?.tokens[0]).toMatchObject({
      ...{ symbol: 'EURX', currency: 'EUR', permit: null, authorization: null },
    })
    expect(() => configure(another)).toThrow(/tokens.0.currency: is required: the ISO 4217 code/)
    for (const currency of ['EURO', 'eur', 'BTC', 'XAU', 'XXX', 7])
      expect(() => configure({ ...another, currency }), String(currency)).toThrow(/tokens.0.currency: /)
    expect(configure({ ...another, symbol: 'CFAX', currency: 'XOF' }).size).toBe(1)
    for (const symbol of ['eurx', 'E', 'USDC.e', 'EUR-X', 'ELEVENLETTR'])
      expect(() => configure({ ...another, symbol, currency: 'EUR' }), symbol).toThrow(
        /tokens.0.symbol: must be 2 to 10/,
      )
  })

  test('has one currency for a symbol on all networks', () => {
    const tokens = (currency: string) => [{ ...another, currency }]
    const networks = (currency: string) => [
      { shortName: 'base', ...own, tokens: tokens('EUR') },
      { shortName: 'polygon', ...own, tokens: tokens(currency) },
    ]
    expect(configured(...networks('EUR')).size).toBe(2)
    expect(() => configured(...networks('GBP'))).toThrow(
      /networks.1 \(polygon\): tokens.0.currency must be EUR, because EURX stands for it on another network/,
    )
  })
})

test('leniency is off, on by the file, and the environment decides', () => {
  const path = join(folder, 'lenient.json')
  writeFileSync(path, JSON.stringify({ lenientClients: true }))
  expect(loadConfig({}).lenientClients).toBe(false)
  expect(loadConfig({ LENIENT_CLIENTS: '1' }).lenientClients).toBe(true)
  expect(loadConfig({ BFF_CONFIG: path }).lenientClients).toBe(true)
  expect(loadConfig({ BFF_CONFIG: path, LENIENT_CLIENTS: '0' }).lenientClients).toBe(false)
  expect(() => loadConfig({ LENIENT_CLIENTS: 'yes' })).toThrow(/LENIENT_CLIENTS: must be 0 or 1/)
})
