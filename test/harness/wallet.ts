import type { Page, Request } from 'playwright-core'

/**
 * Settings of a service whose pages pay by wallet. The service waits longer for a reported transaction than the page does: a 400
 * after its default of 25 seconds would appear in the page's console.
 */
export const patientSettings = { contractPayments: { processWaitSeconds: 300 } }

export type Behaviour =
  | ('honest' | 'reject' | 'unknown-network' | 'stuck-network' | 'no-signing')
  | ('slow' | 'silent' | 'drop' | 'replace')

/** The demo's test wallet on a page, as a customer sees it: its panel, and its window. */
export function openWallet(page: Page) {
  const window = page.getByRole('dialog')

  async function decide(title: string, button: 'Approve' | 'Reject'): Promise<void> {
    await window.getByRole('heading', { name: title }).waitFor()
    await window.getByRole('button', { name: button }).click()
    await window.filter({ has: page.getByRole('heading', { name: title }) }).waitFor({ state: 'detached' })
  }

  return {
    behaves: (how: Behaviour) => page.getByLabel('Behaviour').selectOption(how),
    holds: (account: 'customer' | 'smart' | 'short' | 'dry') => page.getByLabel('Account').selectOption(account),
    isOn: (chainId: number) => page.getByLabel('Network in the wallet').selectOption(String(chainId)),
    /** The chain that the wallet reports. */
    chainId: async () => Number(await page.getByLabel('Network in the wallet').inputValue()),
    /** Waits until the wallet asks for this, and approves it. */
    approve: (title: string) => decide(title, 'Approve'),
    reject: (title: string) => decide(title, 'Reject'),
    /** Waits until the wallet asks for this, and leaves its window open. */
    asks: async (title: string) => await window.getByRole('heading', { name: title }).waitFor(),
    /** The window's text. */
    text: async () => (await window.textContent()) ?? '',
    isOpen: () => window.isVisible(),
    holdSending: () => holdSending(page),
    /** Calls the wallet as a page does. @returns the result, or the error's code. */
    request: (method: string, ...params: unknown[]) => page.evaluate(requestInPage, { method, params }),
  }
}

/** Delays sending what was approved. `asked`: the wallet has the transaction. `send`: sends it, even if the page is gone. */
async function holdSending(page: Page) {
  let hold: (request: Request) => void = () => undefined
  const asked = new Promise<Request>((resolve) => {
    hold = resolve
  })
  await page.route('**/demo/wallet', async (route) => {
    if (route.request().postData()?.includes('eth_sendTransaction')) hold(route.request())
    else await route.continue()
  })
  return {
    asked,
    async send(): Promise<void> {
      const request = await asked
      const headers = { 'content-type': 'application/json' }
      const { status } = await fetch(request.url(), { method: 'POST', headers, body: request.postData() })
      if (status !== 200) throw new Error(`The wallet's server answered ${status}`)
    },
  }
}

type Provider = { request(asked: object): Promise<unknown> }

/** Runs in the page: finds the announced wallet (EIP-6963) and calls it. */
async function requestInPage(asked: {
  method: string
  params: unknown[]
}): Promise<{ result: unknown } | { code: number }> {
  const provider = await new Promise<Provider>((resolve) => {
    window.addEventListener('eip6963:announceProvider', (event) => {
      resolve((event as CustomEvent<{ provider: Provider }>).detail.provider)
    })
    window.dispatchEvent(new Event('eip6963:requestProvider'))
  })
  try {
    return { result: await provider.request(asked) }
  } catch (error) {
    return { code: (error as { code: number }).code }
  }
}
