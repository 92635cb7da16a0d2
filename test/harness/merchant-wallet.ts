import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'

/** The wallet's chain. */
type Chain = {
  node(): { rpc(method: string, ...params: unknown[]): Promise<unknown>; facts: { chainId: number } }
}

/** What the wallet does with a payment. `silent`: sends it, and its response never arrives. `late`: waits for `wakeUp`. */
type Behaviour = 'honest' | 'reject' | 'silent' | 'late'

type Call = { to: string; data: string }

/** `approve(address,uint256)` */
const approve = '0x095ea7b3'

/** The wallet refuses. A page gets an error's own fields only in a response. */
const refusal = (code: number, message: string) => ({ error: { code, message } })

/** The wallet's announcement. */
type Announced = { uuid: string; name: string; rdns: string; icon: string; binding: string }

/**
 * A browser extension (EIP-6963) with the merchant's settlement wallet, which sends real transactions.
 * @param name - Several wallets in one browser have different names.
 */
export async function openMerchantWallet(chain: Chain, account: string, name = 'Test wallet') {
  const { rpc, facts } = chain.node()
  await rpc('anvil_impersonateAccount', account)
  await rpc('anvil_setBalance', account, '0x8ac7230489e80000')
  const state = {
    behaviour: 'honest' as Behaviour,
    chainId: 1,
    isAtomic: false,
    /** Whether it claims to support batches, and fails them. */
    refusesBatch: false,
    /** Whether no block has its batches yet. */
    isBatchPending: false,
    /** Whether it takes a batch and then gives it up, without sending it. */
    givesUpBatch: false,
    /** Whether the network reverts its payments, because they get too little gas. */
    isReverted: false,
    isKnown: false,
    /** The selected account. */
    account,
  }
  let wakeUp = () => {}
  const sent: Call[][] = []
  const batches = new Map<string, string>()
  let heardOf = (_: string) => {}
  const asked: string[] = []

  const send = async (call: Call) => {
    const gas = state.isReverted && !call.data.startsWith(approve) ? { gas: '0xc350' } : {}
    return String(await rpc('eth_sendTransaction', { from: state.account, ...call, ...gas }))
  }

  async function pay(calls: Call[]): Promise<{ result: string } | ReturnType<typeof refusal>> {
    const isApproval = calls.every(({ data }) => data.startsWith(approve))
    if (state.behaviour === 'late' && !isApproval) {
      const isAwake = new Promise<void>((resolve) => {
        wakeUp = resolve
      })
      heardOf('')
      await isAwake
    }
    if (state.behaviour === 'reject') return refusal(4001, 'User rejected the request.')
    let hash = ''
    for (const { to, data } of calls) hash = await send({ to, data })
    sent.push(calls)
    if (!isApproval) heardOf(hash)
    return state.behaviour === 'silent' && !isApproval ? await new Promise(() => {}) : { result: hash }
  }

  async function answer(method: string, params: unknown[]): Promise<object> {
    asked.push(method)
    const [first] = params as [never]
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return { result: [state.account] }
      case 'eth_chainId':
        return { result: `0x${state.chainId.toString(16)}` }
      case 'wallet_switchEthereumChain':
        if (!state.isKnown) return refusal(4902, 'Unrecognized chain.')
        state.chainId = Number((first as { chainId: string }).chainId)
        return { result: null }
      case 'wallet_addEthereumChain':
        state.isKnown = true
        return { result: null }
      case 'wallet_getCapabilities':
        return {
          result: state.isAtomic ? { [`0x${facts.chainId.toString(16)}`]: { atomic: { status: 'supported' } } } : {},
        }
      case 'wallet_sendCalls': {
        if (state.refusesBatch) return refusal(5750, 'The account was not upgraded.')
        if (state.givesUpBatch) return { result: { id: 'given up' } }
        const paid = await pay((first as { calls: Call[] }).calls)
        if ('error' in paid) return paid
        batches.set(`batch ${batches.size}`, paid.result)
        return { result: { id: [...batches.keys()].at(-1) } }
      }
      case 'wallet_getCallsStatus':
        if (state.givesUpBatch) return { result: { status: 400, receipts: [] } }
        if (state.isBatchPending) return { result: { status: 100, receipts: [] } }
        return {
          result: {
            status: state.isReverted ? 500 : 200,
            receipts: [{ transactionHash: batches.get(String(first)) }],
          },
        }
      case 'eth_sendTransaction':
        return await pay([first as Call])
      default:
        return { result: await rpc(method, ...params) }
    }
  }

  return {
    state,
    /** The calls of each signed request. */
    sent,
    asked,
    /** A late wallet sends what was requested, whatever happened to the page. */
    wakeUp: () => wakeUp(),
    /** The next transaction; empty while a late wallet holds it back. */
    next: () =>
      new Promise<string>((resolve) => {
        heardOf = resolve
      }),
    async install(page: Page): Promise<void> {
      const rdns = `${name.toLowerCase().replaceAll(' ', '-')}.example`
      const binding = `ask ${name}`.replaceAll(' ', '_')
      await page.exposeFunction(binding, answer)
      await page.addInitScript(announceWallet, { uuid: randomUUID(), name, rdns, icon: '', binding })
    },
  }
}

/** Runs in the page. */
function announceWallet({ binding, ...info }: Announced): void {
  type Answer = { result?: unknown; error?: { code: number; message: string } }
  type Ask = (method: string, params: unknown[]) => Promise<Answer>
  const askMerchantWallet: Ask = (...asked) =>
    (window as unknown as Record<string, Ask>)[binding]?.(...asked) ?? Promise.reject()
  const provider = {
    async request({ method, params = [] }: { method: string; params?: unknown[] }) {
      const { result, error } = await askMerchantWallet(method, params)
      if (error) throw Object.assign(new Error(error.message), { code: error.code })
      return result
    },
  }
  const detail = { info, provider }
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}
