import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { openBrowser } from './browser.ts'
import { confirmationsRequired } from './chain.ts'
import { openDashboard } from './dashboard.ts'
import { openMerchantWallet } from './merchant-wallet.ts'
import type { Story } from './story.ts'
import { until } from './until.ts'

export type Refund = {
  id: string
  paymentId: string
  address: string
  status: string
  prompt: { transactionHash: string | null } | null
}

/** Before and after the service has found the payment. */
export const isSent = /A payment was sent at|The payment was found|The refund is paid/

/** Refunds that wait for the merchant's wallet, the owner's page of them, and a browser whose wallet pays them. */
export async function openRefundsToPay({ bff, files, chain, sweep, wallets, merchant }: Story) {
  const browser = await openBrowser()
  const owner = await openDashboard({ bff, files })
  const wallet = await openMerchantWallet(chain, wallets.merchant)

  async function ask(path: string, body?: object): Promise<Record<string, unknown>> {
    const { status, body: answer } = await bff.ask(`/api/v1${path}`, {
      headers: { 'content-type': 'application/json', 'x-api-key': merchant.apiKey, 'x-api-secret': merchant.apiSecret },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    expect({ status, answer }).toMatchObject({ status: 200 })
    return answer
  }

  const read = async ({ id }: Pick<Refund, 'id'>) => (await ask(`/refunds/${id}`))['refund'] as Refund

  return {
    browser,
    owner,
    wallet,
    ask,
    read,
    /** The refunds page, in a browser with the wallet. */
    site: () => owner.site('refunds', wallet.install),

    /** A refund of a paid payment. */
    async requested(amount: string): Promise<Refund> {
      const payment = await bff.createDeposit({ amount: '25.00' })
      await chain.pay(payment.depositAddress, '25.00')
      await chain.mine(confirmationsRequired)
      await sweep([payment])
      const address = `0x${randomBytes(20).toString('hex')}`
      return (await ask(`/payments/${payment.id}/refunds`, { amount, address }))['refund'] as Refund
    },

    async expectPaid(refund: Refund, amount: bigint): Promise<void> {
      await until('the refund to be paid', async () => {
        await chain.mine(1)
        return (await read(refund)).status === 'paid'
      })
      expect(await chain.balance('USDC', refund.address)).toBe(amount)
    },
  }
}
