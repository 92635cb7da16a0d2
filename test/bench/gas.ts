import { depositFactory, factoryAddress } from '@stablecoin-checkout/bff/contracts'
import { type DepositTerms, depositAddress, toTuple } from '@stablecoin-checkout/bff/testing/evm'
import { startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { testUsdc, testUsdt } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { type Address, encodeFunctionData } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { compile } from '../../bff/contracts/build.mjs'
import type { Measure } from './fixtures.ts'
import { type GasChain, newAddress, openGasChain } from './gas-chain.ts'
import { gasOfPayments } from './gas-payment.ts'

const chainId = 31_337
const batchSizes = [1, 10, 50]
/** Of a plain ERC-20 in a batch of 50; what a batch cannot share (deployment, two transfers, events) is about 50,000. */
const gasPerDepositMax = 60_000
const due = 25_000_000n

/**
 * Gas a payment by every door of the splitter, and gas a swept deposit; the transaction's own 21,000 and its calldata
 * included, with merchant and platform already holding tokens, as they do after their first day. On a chain of its own.
 */
export async function benchGas(): Promise<Measure[]> {
  const anvil = await startAnvil({ chainId })
  try {
    const chain = await openGasChain(chainId, anvil.rpcUrl)
    const results: Measure[] = []
    const plainPath = 'test/bench/Plain.sol'
    for (const [label, artifact] of Object.entries({
      'plain ERC-20': compile([plainPath])(plainPath),
      'test USDC': testUsdc,
      'test USDT': testUsdt,
    })) {
      const token = await chain.deploy(artifact.bytecode)
      const wallets = { merchant: newAddress(), platform: newAddress() }
      for (const wallet of Object.values(wallets)) await chain.mint(token, wallet, due)
      results.push(...(await gasOfPayments(chain, { label, token, ...wallets, hasSignatures: artifact === testUsdc })))
      results.push(...(await gasOfSweeps(chain, { label, token, ...wallets })))
    }
    return results
  } finally {
    await anvil.stop()
  }
}

type Sweeps = { label: string; token: Address; merchant: Address; platform: Address }

async function gasOfSweeps(chain: GasChain, { label, ...parties }: Sweeps): Promise<Measure[]> {
  const results: Measure[] = []
  for (const size of batchSizes) {
    const value = Math.round((await sweep(chain, parties, size)) / size)
    const isTarget = label === 'plain ERC-20' && size === 50
    results.push({
      name: `a deposit, swept in a batch of ${size}`,
      case: label,
      value,
      unit: 'gas',
      ...(isTarget ? { target: `<= ${gasPerDepositMax}`, isGood: value <= gasPerDepositMax } : {}),
    })
  }
  return results
}

/** Pays and settles that many deposits in one transaction. @returns what it cost. */
export async function sweep(
  chain: GasChain,
  parties: Pick<DepositTerms, 'token' | 'merchant' | 'platform'>,
  size: number,
): Promise<number> {
  const batch: DepositTerms[] = []
  for (let i = 0; i < size; i++) {
    const terms: DepositTerms = {
      ...parties,
      chainId,
      amount: due,
      least: due,
      feeBps: 150,
      deadlineSeconds: 1_800_000_000,
      operator: chain.account.address,
      salt: generatePrivateKey(),
    }
    await chain.mint(parties.token as Address, depositAddress(terms), due)
    batch.push(terms)
  }
  const args = [batch.map(toTuple)] as const
  const receipt = await chain.send(
    factoryAddress,
    encodeFunctionData({ abi: depositFactory.abi, functionName: 'settleMany', args }),
  )
  // Two transfers and one `Settled` each: a skipped deposit would make a cheap batch.
  if (receipt.logs.length !== 3 * size)
    throw new Error(`${receipt.logs.length} events for ${size} deposits: some were skipped.`)
  return Number(receipt.gasUsed)
}
