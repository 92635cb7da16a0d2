import { createPublicClient, createTestClient, createWalletClient, type Hex, http, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Anvil, startAnvil } from './anvil.ts'
import { receiptOf } from './receipt.ts'
import { testUsdc } from './tokens.generated.ts'

/** Sepolia, as in the list of known networks: Circle's test USDC. */
const sepolia = { chainId: 11_155_111, usdc: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238' } as const

/** Storage slots of OpenZeppelin's ERC20 for name and symbol, which the constructor writes. */
const textSlots = [3, 4] as const

type KnownTestnet = Anvil & {
  /** Gives coins. */
  fund(address: string, coins: string): Promise<void>
  /** Sends test USDC from a customer's wallet, and mines the payment's required confirmations. */
  pay(address: string, amount: string): Promise<void>
}

/** More than the required confirmations of Sepolia's payments. */
const blocksAfter = 20

/** As on Sepolia. A node whose newest block is old counts as stopped, however long a set-up takes on a slow machine. */
const blockTimeSeconds = 12

/** @returns a chain that the set-up accepts as Sepolia, without the service's contracts. */
export async function startKnownTestnet(): Promise<KnownTestnet> {
  const anvil = await startAnvil({ chainId: sepolia.chainId, blockTimeSeconds })
  const transport = http(anvil.rpcUrl)
  const reader = createPublicClient({ transport, pollingInterval: 20 })
  const node = createTestClient({ mode: 'anvil', transport })
  const account = privateKeyToAccount(generatePrivateKey())
  await node.setBalance({ address: account.address, value: parseEther('1') })
  const sender = createWalletClient({ transport, account })
  const { abi, bytecode } = testUsdc
  const hash = await sender.deployContract({ abi, bytecode, chain: null })
  const { contractAddress } = await receiptOf(reader, hash)
  const address = contractAddress as Hex
  const code = await reader.getCode({ address })
  await node.setCode({ address: sepolia.usdc, bytecode: code ?? '0x' })
  for (const slot of textSlots) {
    const index = `0x${slot.toString(16).padStart(64, '0')}` as const
    const value = (await reader.getStorageAt({ address, slot: index })) ?? '0x'
    await node.setStorageAt({ address: sepolia.usdc, index, value })
  }
  return {
    ...anvil,
    fund: (to, coins) => node.setBalance({ address: to as Hex, value: parseEther(coins) }),
    async pay(to, amount) {
      const units = parseUnits(amount, 6)
      const token = { address: sepolia.usdc, abi, chain: null } as const
      const hashes = [
        await sender.writeContract({ ...token, functionName: 'mint', args: [account.address, units] }),
        await sender.writeContract({ ...token, functionName: 'transfer', args: [to as Hex, units] }),
      ]
      for (const sent of hashes) await receiptOf(reader, sent)
      await node.mine({ blocks: blocksAfter })
    },
  }
}
