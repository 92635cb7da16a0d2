import { deterministicDeployer } from '@stablecoin-checkout/bff/contracts'
import { testSmartAccount } from '@stablecoin-checkout/rig/devnet/smart-account.generated'
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  keccak256,
  type LocalAccount,
  parseAbi,
  parseEther,
  stringToHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { StorefrontNetwork } from '../config.ts'
import { askNode, untilMined } from './node.ts'
import type { SendCall } from './send.ts'

/**
 * `customer` is the devnet's own account; the others are derived from its key and get the state their name describes on
 * first use.
 */
export const accountNames = ['customer', 'smart', 'short', 'dry'] as const
export type AccountName = (typeof accountNames)[number]

export type WalletAccount = {
  name: AccountName
  address: Hex
  /** Signs, and pays the gas. Differs from the account's address if that is a contract. */
  signer: LocalAccount
  isSmart: boolean
}

/** Whole tokens, enough for every order of the shop; the `short` account cannot even buy paper filters. */
const tokensOf: Readonly<Record<AccountName, bigint>> = { customer: 0n, smart: 1_000n, short: 1n, dry: 1_000n }
const gasMoney = parseEther('1')
const salt = `0x${'00'.repeat(32)}` as const
const mintAbi = parseAbi(['function mint(address to, uint256 amount)'])

export function openAccounts(customerKey: Hex): Readonly<Record<AccountName, WalletAccount>> {
  const customer = privateKeyToAccount(customerKey)
  const derived = (name: AccountName): WalletAccount => {
    const signer = privateKeyToAccount(keccak256(concat([customerKey, stringToHex(name)])))
    return { name, address: signer.address, signer, isSmart: false }
  }
  return {
    customer: { name: 'customer', address: customer.address, signer: customer, isSmart: false },
    smart: { name: 'smart', address: smartAddress(customer.address), signer: customer, isSmart: true },
    short: derived('short'),
    dry: derived('dry'),
  }
}

/** Gives the account the state its name describes on this network, unless it has it: code, tokens, gas. */
export async function prepareAccount(
  network: StorefrontNetwork,
  account: WalletAccount,
  customer: WalletAccount,
  send: SendCall,
): Promise<void> {
  const { address, name, isSmart } = account
  const sendMined = async (call: { to: Hex; data?: Hex; value?: bigint }) =>
    await untilMined(network, await send(network, customer, call))
  if (isSmart && (await askNode(network, 'eth_getCode', [address, 'latest'])) === '0x') {
    await sendMined({ to: deterministicDeployer, data: concat([salt, smartInitCode(customer.address)]) })
  }
  for (const token of Object.values(network.tokens)) {
    const wanted = tokensOf[name] * 10n ** BigInt(token.decimals)
    if ((await balanceOf(network, token.address, address)) * 2n >= wanted) continue
    await sendMined({
      to: token.address,
      data: encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [address, wanted] }),
    })
  }
  if (name !== 'short' || BigInt(String(await askNode(network, 'eth_getBalance', [address, 'latest']))) > 0n) return
  await sendMined({ to: address, value: gasMoney })
}

const balanceAbi = parseAbi(['function balanceOf(address holder) view returns (uint256)'])

async function balanceOf(network: StorefrontNetwork, token: Hex, holder: Hex): Promise<bigint> {
  const data = encodeFunctionData({ abi: balanceAbi, functionName: 'balanceOf', args: [holder] })
  return BigInt(String(await askNode(network, 'eth_call', [{ to: token, data }, 'latest'])))
}

const smartInitCode = (owner: Hex): Hex =>
  concat([testSmartAccount.bytecode, encodeAbiParameters([{ type: 'address' }], [owner])])

const smartAddress = (owner: Hex): Hex =>
  getCreate2Address({ from: deterministicDeployer, salt, bytecode: smartInitCode(owner) })
