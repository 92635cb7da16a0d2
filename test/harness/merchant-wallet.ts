import type { Page } from 'playwright-core'

/** The chain that the wallet is on. */
type Chain = {
  node(): { rpc(method: string, ...params: unknown[]): Promise<unknown>; facts: { chainId: number } }
}

/** What the wallet does with a payment. `silent`: it sends, and its answer never arrives. */
type Behaviour = 'honest' | 'reject' | 'silent'

type Call = { to: string; data: string }

/** `approve(address,uint256)` */
const approve = '0x095ea7b3'

/** The wallet refuses. A page gets an error's own fields only as an answer. */
const refusal = (code: number, message: string) => ({ error: { code, message } })

/** A browser extension (EIP-6963) with the merchant's settlement wallet, whose transactions are real. */
export async function openMerchantWallet(chain: Chain, account: string) {
  const { rpc, facts } = chain.node()
  await rpc('anvil_impersonateAccount', account)
  await rpc('anvil_setBalance', account, '0x8ac7230489e80000')
  const state = { behaviour: 'honest' as Behaviour, chainId: 1, isAtomic: false, isKnown: false }
  const sent: Call[][] = []
  const batches = new Map<string, string>()
  let heardOf = (_: string) => {}
  const asked: string[] = []

  const send = async (call: Call) => String(await rpc('eth_sendTransaction', { from: account, ...call }))

  async function pay(calls: Call[]): Promise<{ result: string } | ReturnType<typeof refusal>> {
    if (state.behaviour === 'reject') return refusal(4001, 'User rejected the request.')
    let hash = ''
    for (const { to, data } of calls) hash = await send({ to, data })
    sent.push(calls)
    const isApproval = calls.every(({ data }) => data.startsWith(approve))
    if (!isApproval) heardOf(hash)
    return state.behaviour === 'silent' && !isApproval ? await new Promise(() => {}) : { result: hash }
  }

  async function answer(method: string, params: unknown[]): Promise<object> {
    asked.push(method)
    const [first] = params as [never]
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return { result: [account] }
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
        const paid = await pay((first as { calls: Call[] }).calls)
        if ('error' in paid) return paid
        batches.set(`batch ${batches.size}`, paid.result)
        return { result: { id: [...batches.keys()].at(-1) } }
      }
      case 'wallet_getCallsStatus':
        return { result: { status: 200, receipts: [{ transactionHash: batches.get(String(first)) }] } }
      case 'eth_sendTransaction':
        return await pay([first as Call])
      default:
        return { result: await rpc(method, ...params) }
    }
  }

  return {
    state,
    /** The calls of each thing that was signed. */
    sent,
    asked,
    /** The next transaction. */
    next: () =>
      new Promise<string>((resolve) => {
        heardOf = resolve
      }),
    async install(page: Page): Promise<void> {
      await page.context().exposeFunction('askMerchantWallet', answer)
      await page.context().addInitScript(announceWallet)
    },
  }
}

/** Runs in the page. */
function announceWallet(): void {
  type Answer = { result?: unknown; error?: { code: number; message: string } }
  const { askMerchantWallet } = window as unknown as {
    askMerchantWallet(method: string, params: unknown[]): Promise<Answer>
  }
  const provider = {
    async request({ method, params = [] }: { method: string; params?: unknown[] }) {
      const { result, error } = await askMerchantWallet(method, params)
      if (error) throw Object.assign(new Error(error.message), { code: error.code })
      return result
    },
  }
  const info = { uuid: '1c1c6a34-9a5e-4d0e-bb53-0a6c9f1c8f10', name: 'Test wallet', rdns: 'example.test', icon: '' }
  const detail = { info, provider }
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}
