import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, isHex, size } from 'viem'
import type { StorefrontConfig, StorefrontNetwork } from '../config.ts'
import type { InTurn } from '../turns.ts'
import { openAccounts, prepareAccount } from './accounts.ts'
import { openBatches } from './batches.ts'
import { type Description, describeCalls, describeTypedData } from './describe.ts'
import { askNode } from './node.ts'
import { parseBatch, parseTransaction, parseTypedData, reads, requireFrom } from './requests.ts'
import { openSender, type SendBehaviour } from './send.ts'
import type { AccountName, WalletAccount } from './wallet-account.ts'
import { invalidParams, WalletError } from './wallet-error.ts'

/** A request forwarded by the page's provider. The page has asked for the customer's approval. */
export type WalletRequest = {
  account: AccountName
  chainId: number
  behaviour: SendBehaviour
  method: string
  params: readonly unknown[]
}

export type TestWallet = {
  /** @throws {WalletError} a wallet's error. */
  request(request: WalletRequest): Promise<unknown>
  /**
   * The confirmation text.
   * @throws {WalletError} when the request can never succeed.
   */
  describe(request: WalletRequest): Promise<Description>
}

export type TestWalletOptions = {
  inTurn: InTurn
  /** Resolves when a `slow` transaction is sent. Default: long enough to reload the page meanwhile. */
  beSlow?: () => Promise<unknown>
}

/** The test wallet's server part: signs with the devnet customer's keys, and sends to the devnet. */
export function createTestWallet(
  config: StorefrontConfig,
  { inTurn, beSlow = () => sleep(6_000) }: TestWalletOptions,
): TestWallet {
  const accounts = openAccounts(config.customerPrivateKey)
  const send = openSender(inTurn, beSlow)
  const batches = openBatches(send)

  function networkOf(chainId: number): StorefrontNetwork {
    const network = config.networks.find((one) => one.chainId === chainId && one.wallet !== 'none')
    if (network === undefined) throw new WalletError(4901, `The test wallet has no node for chain ${chainId}.`)
    return network
  }

  async function connect(account: WalletAccount): Promise<Hex[]> {
    if (account.name === 'customer') return [account.address]
    for (const network of config.networks.filter(({ wallet }) => wallet === undefined)) {
      const { customer } = accounts
      const prepare = () => prepareAccount(network, account, customer, send)
      await inTurn(`prepare ${network.shortName} ${account.name}`, prepare)
    }
    return [account.address]
  }

  async function signTypedData(
    { address, signer, isSmart }: WalletAccount,
    chainId: number,
    params: readonly unknown[],
  ) {
    requireFrom(params[0], address)
    const typedData = parseTypedData(params[1], chainId)
    if (isSmart) throw new WalletError(4200, 'A smart account signs by ERC-1271, which this wallet does not support.')
    return await signer.signTypedData(typedData as never).catch((error: unknown) => {
      throw invalidParams(`The typed data cannot be signed: ${String(error)}`)
    })
  }

  async function signMessage({ address, signer, isSmart }: WalletAccount, [message, from]: readonly unknown[]) {
    requireFrom(from, address)
    if (isSmart) throw new WalletError(4200, 'A smart account signs by ERC-1271, which this wallet does not support.')
    if (typeof message !== 'string') throw invalidParams('The message must be text or hex')
    return await signer.signMessage({ message: isHex(message) && size(message) > 0 ? { raw: message } : message })
  }

  return {
    async request({ account: name, chainId, behaviour, method, params }) {
      const account = accounts[name]
      const network = networkOf(chainId)
      if (reads.has(method)) return await askNode(network, method, params)
      switch (method) {
        case 'eth_requestAccounts':
          return await connect(account)
        case 'eth_sendTransaction':
          return await send(network, account, parseTransaction(params[0], account.address, chainId), behaviour)
        case 'eth_signTypedData_v4':
          return await signTypedData(account, chainId, params)
        case 'personal_sign':
          return await signMessage(account, params)
        case 'wallet_sendCalls':
          return await batches.send(network, account, parseBatch(params[0], account.address, chainId), behaviour)
        case 'wallet_getCallsStatus':
          return await batches.status(params[0])
        default:
          throw new WalletError(4200, `The test wallet does not support ${method}.`)
      }
    },

    async describe({ account: name, chainId, method, params }) {
      const { address } = accounts[name]
      const network = networkOf(chainId)
      switch (method) {
        case 'eth_sendTransaction':
          return describeCalls(network, [parseTransaction(params[0], address, chainId)])
        case 'wallet_sendCalls':
          return describeCalls(network, parseBatch(params[0], address, chainId).calls)
        case 'eth_signTypedData_v4':
          return describeTypedData(network, parseTypedData(params[1], chainId))
        default:
          return { title: method === 'personal_sign' ? 'Sign a message' : method, facts: [] }
      }
    },
  }
}
