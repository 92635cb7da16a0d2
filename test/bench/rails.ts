import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { virtualAddress } from '@stablecoin-checkout/bff/testing/evm'
import { startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { devnetChain } from '@stablecoin-checkout/rig/devnet/deploy'
import { receiptOf } from '@stablecoin-checkout/rig/devnet/receipt'
import { masterId, startTempo } from '@stablecoin-checkout/rig/devnet/tempo'
import { createWalletClient, encodeFunctionData, erc20Abi, type Hex, http, parseEther, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { compile } from '../../bff/contracts/build.mjs'
import type { Measure } from './fixtures.ts'
import { sweep } from './gas.ts'
import { newAddress, openGasChain } from './gas-chain.ts'
import { benchDirectWatching } from './watcher.ts'

const chainId = 31_337
const plainPath = 'test/bench/Plain.sol'
const due = 25_000_000n
const batchSize = 50
const ratioTo = 'that of a sweep'

/**
 * Gas that the merchant's side pays a payment on each rail: for its settlement, and for moving the money on from an address of the
 * merchant's own wallet, where a wallet sends the address its gas first. Beside a deposit that the service sweeps in a batch of 50.
 */
export async function benchRails(): Promise<Measure[]> {
  const { swept, moved } = await gasOnEvm()
  const onTempo = await gasOnTempo()
  const row = (name: string, value: number): Measure => ({ name, value, unit: 'gas' })
  const share = (name: string, value: number): Measure => ({
    name,
    ratioTo,
    value: Math.round((value / swept) * 1_000) / 1_000,
    unit: 'x',
  })
  const ownAddress = 'an address of the own wallet (xpub): settlement'
  const movedOn = 'an address of the own wallet (xpub): moving the money on, later, if ever'
  const virtual = 'a virtual address (Tempo): settlement'
  return [
    row(`a forwarder: sweep in a batch of ${batchSize}`, swept),
    row(ownAddress, 0),
    share(ownAddress, 0),
    row(movedOn, moved),
    share(movedOn, moved),
    row(virtual, onTempo),
    { ...share(virtual, onTempo), target: '<= 0', isGood: onTempo === 0 },
    ...(await benchDirectWatching()),
  ]
}

async function gasOnEvm(): Promise<{ swept: number; moved: number }> {
  const anvil = await startAnvil({ chainId })
  try {
    const chain = await openGasChain(chainId, anvil.rpcUrl)
    const token = await chain.deploy(compile([plainPath])(plainPath).bytecode)
    const [merchant, platform] = [newAddress(), newAddress()]
    for (const wallet of [merchant, platform]) await chain.mint(token, wallet, due)
    const swept = Math.round((await sweep(chain, { token, merchant, platform }, batchSize)) / batchSize)

    // An address of the wallet has a payment, and no coin: the wallet sends it gas, then the whole sum to its first address.
    const account = privateKeyToAccount(generatePrivateKey())
    await chain.mint(token, account.address, due)
    const transport = http(anvil.rpcUrl)
    const wallet = createWalletClient({ account, chain: devnetChain(anvil.rpcUrl, chainId), transport }).extend(
      publicActions,
    )
    const funding = await chain.sendCoins(account.address, parseEther('0.01'))
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [merchant, due] })
    const hash = await wallet.sendTransaction({ to: token, data })
    const receipt = await receiptOf(wallet, hash)
    if (receipt.status !== 'success') throw new Error('The money was not moved on.')
    return { swept, moved: Number(funding.gasUsed + receipt.gasUsed) }
  } finally {
    await anvil.stop()
  }
}

/** The customer's transfer to a virtual address credits the wallet. @returns the gas of everything that anybody else had to send. */
async function gasOnTempo(): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  const { network, customer, anvil } = await startTempo({ dataDir, blockTimeSeconds: null })
  try {
    const chain = devnetChain(network.rpcUrl, network.chainId)
    const account = privateKeyToAccount(customer.privateKey)
    const client = createWalletClient({ account, chain, transport: http(network.rpcUrl) }).extend(publicActions)
    const token = network.tokens.USDC.address as Hex
    const held = () =>
      client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [network.merchantWallet] })
    const [before, block] = [await held(), await client.getBlockNumber()]
    const args = [virtualAddress({ masterId, tag: '0x000000000001' }), due] as const
    const hash = await client.writeContract({ address: token, abi: erc20Abi, functionName: 'transfer', args })
    await receiptOf(client, hash)
    if ((await held()) - before !== due) throw new Error('The wallet was not credited by the transfer.')
    let others = 0
    for (let number = block + 1n; number <= (await client.getBlockNumber()); number++) {
      const { transactions } = await client.getBlock({ blockNumber: number, includeTransactions: true })
      for (const one of transactions) if (one.hash !== hash) others += Number(one.gas)
    }
    return others
  } finally {
    await anvil.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
