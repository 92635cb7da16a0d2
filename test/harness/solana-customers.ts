import { expect } from 'vitest'
import type { PaymentBody } from './bff.ts'
import { type Paid, shareOf } from './paid.ts'
import type { Story } from './story.ts'

type OnSolana = NonNullable<Story['onSolana']>

/** A load's customers on Solana: 25.00 to one deposit of 25.00, and 30.00 to another, which refunds 5.00. */
export function openSolanaCustomers(
  { chain, merchant, platform, config }: OnSolana,
  create: (network: string) => Promise<PaymentBody>,
) {
  const read = async () => ({ merchant: await chain.units(merchant), platform: await chain.units(platform) })
  const before = read()
  let made: { exact: PaymentBody; overpaid: PaymentBody } | undefined

  return {
    /** Makes two deposits, and pays those of the previous call, whose accounts the service has begun to create. */
    async pay(): Promise<Paid[]> {
      const due = made
      made = { exact: await create(config.shortName), overpaid: await create(config.shortName) }
      await chain.finalize()
      if (!due) return []
      const { exact, overpaid } = due
      const refundTo = await chain.newWallet()
      await chain.send([
        ...chain.transferTo(exact.depositAddress, '25.00'),
        ...chain.transferTo(overpaid.depositAddress, '30.00'),
      ])
      await chain.finalize()
      return [
        { id: exact.id, kind: 'exact on Solana', depositAddress: exact.depositAddress },
        {
          id: overpaid.id,
          kind: 'overpaid on Solana',
          depositAddress: overpaid.depositAddress,
          refundTo,
          clientSecret: String(overpaid['clientSecret']),
        },
      ]
    },
    finalize: () => chain.finalize(),
    /** Customers who overpaid got exactly the excess, deposits have no accounts left, and the wallets have their shares. */
    async expectToClose(paid: readonly Paid[]): Promise<void> {
      const { merchant, platform } = await before
      const shared = await read()
      const count = BigInt(paid.length)
      expect({ merchant: shared.merchant - merchant, platform: shared.platform - platform }).toEqual({
        merchant: shareOf.merchant * count,
        platform: shareOf.platform * count,
      })
      for (const { id, depositAddress = '', refundTo } of paid) {
        expect([id, await chain.hasAccount(depositAddress)]).toEqual([id, false])
        if (refundTo) expect([id, await chain.balance(refundTo)]).toEqual([id, '5.00'])
      }
    },
  }
}
