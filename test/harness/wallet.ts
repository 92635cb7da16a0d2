import type { Page } from 'playwright-core'

export type Behaviour =
  | ('honest' | 'reject' | 'unknown-network' | 'stuck-network' | 'no-signing')
  | ('slow' | 'silent' | 'drop' | 'replace')

/** The demo's test wallet on a page, as a customer sees it: its panel, and its window. */
export function openWallet(page: Page) {
  const window = page.getByRole('dialog')

  async function decide(title: string, button: 'Approve' | 'Reject'): Promise<void> {
    await window.getByRole('heading', { name: title }).waitFor({ timeout: 30_000 })
    await window.getByRole('button', { name: button }).click()
    await window.filter({ has: page.getByRole('heading', { name: title }) }).waitFor({ state: 'detached' })
  }

  return {
    behaves: (how: Behaviour) => page.getByLabel('Behaviour').selectOption(how),
    holds: (account: 'customer' | 'smart' | 'short' | 'dry') => page.getByLabel('Account').selectOption(account),
    isOn: (chainId: number) => page.getByLabel('Network in the wallet').selectOption(String(chainId)),
    /** The chain the wallet says it is on. */
    chainId: async () => Number(await page.getByLabel('Network in the wallet').inputValue()),
    /** Waits until the wallet asks for this, and agrees. */
    approve: (title: string) => decide(title, 'Approve'),
    reject: (title: string) => decide(title, 'Reject'),
    /** Waits until the wallet asks for this, and leaves its window open. */
    asks: async (title: string) => await window.getByRole('heading', { name: title }).waitFor({ timeout: 30_000 }),
    /** What the window says. */
    text: async () => (await window.textContent()) ?? '',
    isOpen: () => window.isVisible(),
    /** Asks the wallet as a page does. @returns the result, or the code of the refusal. */
    request: (method: string, ...params: unknown[]) => page.evaluate(requestInPage, { method, params }),
  }
}

type Provider = { request(asked: object): Promise<unknown> }

/** Runs in the page: finds the announced wallet (EIP-6963) and asks it. */
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
