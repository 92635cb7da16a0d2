import { createPublicClient, createTestClient, createWalletClient, type Hex, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Anvil, startAnvil } from './anvil.ts'
import { testUsdc } from './tokens.generated.ts'

/** Sepolia, as the list of known networks has it: Circle's test USDC. */
const sepolia = { chainId: 11_155_111, usdc: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238' } as const

/** Where OpenZeppelin's ERC20 stores the name and the symbol, which the constructor has written. */
const textSlots = [3, 4] as const

/** @returns a chain that set-up takes for Sepolia, without the service's contracts. `fund` gives coins. */
export async function startKnownTestnet(): Promise<Anvil & { fund(address: string, coins: string): Promise<void> }> {
  const anvil = await startAnvil({ chainId: sepolia.chainId })
  const transport = http(anvil.rpcUrl)
  const reader = createPublicClient({ transport, pollingInterval: 20 })
  const node = createTestClient({ mode: 'anvil', transport })
  const account = privateKeyToAccount(generatePrivateKey())
  await node.setBalance({ address: account.address, value: parseEther('1') })
  const sender = createWalletClient({ transport, account })
  const { abi, bytecode } = testUsdc
  const hash = await sender.deployContract({ abi, bytecode, chain: null })
  const { contractAddress } = await reader.waitForTransactionReceipt({ checkReplacement: false, hash })
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
  }
}
