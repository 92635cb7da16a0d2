import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { devnetChain } from '@stablecoin-checkout/rig/devnet/deploy'
import type { Devnet } from '@stablecoin-checkout/rig/devnet/devnet'
import { createWalletClient, type Hex, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const main = fileURLToPath(new URL('../../bff/dist/main.js', import.meta.url))
const erc20 = parseAbi(['function transfer(address to, uint256 amount)'])

/** The service as a merchant runs it. */
export type Service = { child: ChildProcess; url: string }

/** @param pollMs - Of the watcher. @returns the environment of the service, and of each replica. */
export function configure(
  folder: string,
  { networks, operator }: Devnet,
  { database, pollMs }: { database: string; pollMs: number },
): NodeJS.ProcessEnv {
  const [{ shortName, name, chainId, rpcUrl, factory, platformWallet, tokens }] = networks
  const path = join(folder, 'bench.config.json')
  const token = { symbol: 'USDC', name: 'USD Coin', ...tokens.USDC }
  const network = { shortName, name, chainId, factory, platformWallet, rpcUrls: [rpcUrl], confirmations: 3, pollMs }
  const settings = { port: 0, database, rateLimits: 'off', networks: [{ ...network, tokens: [token] }] }
  writeFileSync(path, JSON.stringify(settings))
  return {
    ...process.env,
    BFF_CONFIG: path,
    SECRETS_KEY: 'ab'.repeat(32),
    OPERATOR_PRIVATE_KEY: operator.privateKey,
  }
}

/** @returns when it is ready. */
export async function startService(env: NodeJS.ProcessEnv): Promise<Service> {
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}.`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { msg, url } = JSON.parse(line) as { msg: string; url?: string }
      if (msg === 'ready' && url !== undefined) resolve(url)
    })
  })
  return { child, url }
}

/** @returns the merchant's public key. */
export function createMerchant(env: NodeJS.ProcessEnv, { networks: [network] }: Devnet): string {
  const wallet = `devnet=${network.merchantWallet}`
  const args = [main, 'merchants', 'create', '--name', 'Bench', '--wallet', wallet, '--json']
  const { publicKey } = JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' })) as {
    publicKey: string
  }
  return publicKey
}

export async function createDeposit(url: string, publicKey: string): Promise<{ id: string; depositAddress: Hex }> {
  const answer = await fetch(`${url}/api/v1/deposits/create`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Public-Key': publicKey, 'Idempotency-Key': crypto.randomUUID() },
    body: JSON.stringify({ amount: '25.00', currency: 'USDC', network: 'devnet' }),
  })
  return ((await answer.json()) as { payment: { id: string; depositAddress: Hex } }).payment
}

/** The customer sends the amount. The node answers when the block is there. */
export async function payDeposit({ networks: [network], customer }: Devnet, depositAddress: Hex): Promise<void> {
  const wallet = createWalletClient({
    account: privateKeyToAccount(customer.privateKey),
    chain: devnetChain(network.rpcUrl, network.chainId),
    transport: http(network.rpcUrl),
  })
  await wallet.writeContract({
    address: network.tokens.USDC.address,
    abi: erc20,
    functionName: 'transfer',
    args: [depositAddress, 25_000_000n],
  })
}
