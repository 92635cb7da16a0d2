import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Abi,
  type Address,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
  publicActions,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { depositFactory } from '../../bff/src/chain/contracts.generated.ts'
import { deployFactory } from '../../bff/src/chain/evm-deploy.ts'
import { type DepositTerms, depositAddress } from '../../bff/src/chain/evm-deposit-address.ts'
import { toTuple } from '../../bff/src/chain/settle-call.ts'
import { startAnvil } from '../../demo/devnet/anvil.ts'
import { testUsdc, testUsdt } from '../../demo/devnet/tokens.generated.ts'
import type { Measure } from './fixtures.ts'

const chainId = 31_337
const batchSizes = [1, 10, 50]
/** Of a plain ERC-20 in a batch of 50; what a batch cannot share (deployment, two transfers, events) is about 50,000. */
const gasPerDepositMax = 60_000
const due = 25_000_000n

/**
 * Gas a swept deposit, the transaction's own 21,000 and its calldata included, with merchant and platform already
 * holding tokens, as they do after their first day. On a chain of its own.
 */
export async function benchGas(): Promise<Measure[]> {
  const anvil = await startAnvil({ chainId })
  try {
    const bench = await prepare(anvil.rpcUrl)
    const results: Measure[] = []
    for (const [label, artifact] of Object.entries({
      'plain ERC-20': plainToken(),
      'test USDC': testUsdc,
      'test USDT': testUsdt,
    })) {
      const token = await bench.deploy(artifact.bytecode)
      for (const size of batchSizes) {
        const value = Math.round((await bench.sweep(token, size)) / size)
        const name = `gas a deposit, ${label}, batch of ${size}`
        const isTarget = label === 'plain ERC-20' && size === 50
        results.push({
          name,
          value,
          unit: 'gas',
          ...(isTarget ? { target: `<= ${gasPerDepositMax}`, isGood: value <= gasPerDepositMax } : {}),
        })
      }
    }
    return results
  } finally {
    await anvil.stop()
  }
}

async function prepare(rpcUrl: string) {
  const chain = {
    id: chainId,
    name: 'bench',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  }
  const transport = http(rpcUrl)
  const reader = createTestClient({ mode: 'anvil', chain, transport }).extend(publicActions)
  const account = privateKeyToAccount(generatePrivateKey())
  const sender = createWalletClient({ chain, transport, account, pollingInterval: 20 })
  await reader.setBalance({ address: account.address, value: parseEther('100') })
  const factory = await deployFactory({ reader, sender })
  const [merchant, platform] = [newAddress(), newAddress()]

  async function send(to: Address | undefined, data: Hex) {
    const hash = await sender.sendTransaction({ data, ...(to === undefined ? {} : { to }) })
    const receipt = await reader.waitForTransactionReceipt({ hash, pollingInterval: 20 })
    if (receipt.status !== 'success') throw new Error(`Transaction ${hash} reverted.`)
    return receipt
  }
  const mint = (token: Address, to: Address) =>
    send(token, encodeFunctionData({ abi: testUsdc.abi, functionName: 'mint', args: [to, due] }))

  return {
    async deploy(bytecode: Hex): Promise<Address> {
      const { contractAddress } = await send(undefined, bytecode)
      if (!contractAddress) throw new Error('The token was not deployed.')
      return contractAddress
    },
    /** Pays and settles that many deposits in one transaction, and answers what it cost. */
    async sweep(token: Address, size: number): Promise<number> {
      for (const wallet of [merchant, platform]) await mint(token, wallet)
      const batch: DepositTerms[] = []
      for (let i = 0; i < size; i++) {
        const terms: DepositTerms = {
          chainId,
          token,
          amount: due,
          least: due,
          merchant,
          platform,
          feeBps: 150,
          deadlineSeconds: 1_800_000_000,
          operator: account.address,
          salt: generatePrivateKey(),
        }
        await mint(token, depositAddress(terms))
        batch.push(terms)
      }
      const args = [batch.map((terms) => toTuple({ ...terms, factory }))] as const
      const receipt = await send(
        factory,
        encodeFunctionData({ abi: depositFactory.abi, functionName: 'settleMany', args }),
      )
      // Two transfers and one `Settled` each: a skipped deposit would make a cheap batch.
      if (receipt.logs.length !== 3 * size)
        throw new Error(`${receipt.logs.length} events for ${size} deposits: some were skipped.`)
      return Number(receipt.gasUsed)
    },
  }
}

function newAddress(): Address {
  return privateKeyToAccount(generatePrivateKey()).address
}

/** OpenZeppelin's ERC-20 and nothing else, compiled here because nothing but this bench needs it. */
function plainToken(): { abi: Abi; bytecode: Hex } {
  const require = createRequire(new URL('../../bff/package.json', import.meta.url))
  const solc = require('solc') as {
    compile(input: string, callbacks: { import(path: string): { contents: string } }): string
  }
  const content = `
    pragma solidity 0.8.37;
    import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
    contract Plain is ERC20("Plain", "P") { function mint(address to, uint256 amount) external { _mint(to, amount); } }`
  const settings = {
    evmVersion: 'shanghai',
    viaIR: true,
    optimizer: { enabled: true, runs: 1_000_000 },
    outputSelection: { '*': { Plain: ['abi', 'evm.bytecode.object'] } },
  }
  const findImport = (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') })
  const output = JSON.parse(
    solc.compile(JSON.stringify({ language: 'Solidity', sources: { 'Plain.sol': { content } }, settings }), {
      import: findImport,
    }),
  )
  const { abi, evm } = output.contracts['Plain.sol'].Plain
  return { abi, bytecode: `0x${evm.bytecode.object}` }
}
