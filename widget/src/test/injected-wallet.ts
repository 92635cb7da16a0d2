import { type EmulatedChain, RpcError, type Transaction } from './chain.ts'
import { chainId } from './contract.ts'
import type { Wire } from './service.ts'

type Batch = { calls: Transaction[]; hash: string; isOk: boolean }

/** A browser wallet by EIP-1193 and EIP-6963; each misbehaviour is a switch. */
export class EmulatedWallet {
  /** The customer's prompts, in order. */
  readonly prompts: string[] = []
  /** Parameters of each signing and sending prompt. */
  readonly requests: { method: string; params: Wire }[] = []
  accounts = [`0x${'aa'.repeat(20)}`]
  isConnected = false
  chain = chainId
  knownChains = [chainId, 1]
  /** Whether it reports support for batches. */
  atomic: 'supported' | 'ready' | null = null
  /** Overrides a method's responses, one per entry. */
  readonly faults: { method: string; error: RpcError }[] = []
  /** Prompts that wait until `release` is called. */
  readonly held = new Set<string>()
  /** The account whose request was open when the customer switched to another. */
  signer = ''
  /** Stays on its chain while reporting success. */
  isStubborn = false
  /** Reports its chain id as a number, as WalletConnect's provider does. */
  hasNumberIds = false
  readonly provider = { request: (request: { method: string; params?: unknown[] }) => this.request(request) }
  private readonly batches = new Map<string, Batch>()
  private readonly waiting: (() => void)[] = []
  private readonly node: EmulatedChain
  private readonly announce: () => void

  constructor(node: EmulatedChain, name = 'Fern Wallet', rdns = 'example.fern') {
    this.node = node
    const info = { uuid: `${rdns}-${Math.random()}`, name, icon: 'data:image/svg+xml,<svg/>', rdns }
    this.announce = () =>
      window.dispatchEvent(
        new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider: this.provider }) }),
      )
    window.addEventListener('eip6963:requestProvider', this.announce)
    this.announce()
  }

  get account(): string {
    return this.accounts[0] ?? ''
  }

  remove(): void {
    window.removeEventListener('eip6963:requestProvider', this.announce)
  }

  /** The customer answers the wallet's open prompts. */
  release(): void {
    this.held.clear()
    for (const go of this.waiting.splice(0)) go()
  }

  private async request({ method, params = [] }: { method: string; params?: unknown[] }): Promise<unknown> {
    const at = this.faults.findIndex((fault) => fault.method === method)
    const [first] = params
    switch (method) {
      case 'eth_accounts':
        return this.isConnected ? this.accounts : []
      case 'eth_chainId':
        return this.hasNumberIds ? this.chain : `0x${this.chain.toString(16)}`
      case 'wallet_getCapabilities':
        if (this.atomic === null) throw new RpcError(-32601, 'no such method')
        return { [`0x${this.chain.toString(16)}`]: { atomic: { status: this.atomic } } }
      case 'wallet_getCallsStatus':
        return this.statusOf(String(first))
      case 'eth_requestAccounts':
      case 'wallet_switchEthereumChain':
      case 'wallet_addEthereumChain':
      case 'eth_sendTransaction':
      case 'wallet_sendCalls':
      case 'eth_signTypedData_v4':
        this.prompts.push(method)
        this.requests.push({ method, params: (method === 'eth_signTypedData_v4' ? params : first) as Wire })
        if (this.held.has(method)) await new Promise<void>((go) => this.waiting.push(go))
        if (at >= 0) throw this.faults.splice(at, 1)[0]?.error
        return this.confirm(method, params)
      default:
        return this.node.answer(method, params)
    }
  }

  private confirm(method: string, [first, second]: unknown[]): unknown {
    switch (method) {
      case 'eth_requestAccounts':
        this.isConnected = true
        return this.accounts
      case 'wallet_switchEthereumChain':
      case 'wallet_addEthereumChain': {
        const wanted = Number((first as { chainId: string }).chainId)
        if (method === 'wallet_addEthereumChain') this.knownChains.push(wanted)
        if (!this.knownChains.includes(wanted)) throw new RpcError(4902, 'Unrecognized chain')
        if (!this.isStubborn) this.chain = wanted
        return null
      }
      case 'eth_sendTransaction':
        return this.node.send(this.account, first as Transaction)
      case 'eth_signTypedData_v4':
        if ((first !== this.account && first !== this.signer) || typeof second !== 'string')
          throw new RpcError(-32602, 'bad parameters')
        this.node.signed = `0x${'11'.repeat(32)}${'22'.repeat(32)}1c`
        return this.node.signed
      default:
        return this.sendBatch(first as { calls: Transaction[] })
    }
  }

  private sendBatch({ calls }: { calls: Transaction[] }): { id: string } {
    const id = `batch-${this.batches.size + 1}`
    const hash = `0x${'ba'.repeat(32)}`
    const batch = { calls, hash, isOk: true }
    this.batches.set(id, batch)
    try {
      for (const call of calls) this.node.execute({ ...call, from: this.account })
      this.node.onPaid(hash)
    } catch {
      batch.isOk = false
    }
    return { id }
  }

  private statusOf(id: string): Wire {
    const batch = this.batches.get(id)
    if (!batch) throw new RpcError(5730, 'unknown bundle')
    return { version: '2.0.0', id, status: batch.isOk ? 200 : 500, receipts: [{ transactionHash: batch.hash }] }
  }
}
