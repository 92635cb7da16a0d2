import { noChains, openApp } from '@stablecoin-checkout/rig/test-app'
import { expect, test } from 'vitest'
import type { Authorizer } from '../../chain/authorization.ts'
import type { WalletPayments } from '../../chain/connector.ts'
import { createMinuteShares, tooManySignatures } from '../../chain/minute-bound.ts'
import {
  AuthorizationRefused,
  type IdentifiedAuthorization,
  type SignedAuthorization,
} from '../../payment/authorization.ts'
import type { Payment } from '../../payment/payment.ts'

const word = (digit: string) => `0x${digit.repeat(64)}`

test('a stranger with a whole network of IPv6 leaves others their share of the signatures that are checked', async () => {
  // As smart wallets' on EVM.
  const shares = createMinuteShares({ perClient: 20, perMerchant: 40, all: 60 }, () => 0)
  const identify = async (
    { id, merchantId, network, tokenAddress: token, due: value }: Payment,
    signed: SignedAuthorization,
  ) =>
    ({
      paymentId: id,
      merchantId,
      network,
      token,
      payer: signed.from,
      nonce: signed.nonce,
      value,
    }) as unknown as IdentifiedAuthorization
  const authorizer = {
    limits: { perPayer: 100, perAddress: 100, dailyBudgetMicros: 1_000_000 },
    identify,
    check: identify,
    async simulate({ merchantId }: IdentifiedAuthorization, client: string | null) {
      if (!shares.take({ client, merchantId })) throw tooManySignatures()
      throw new AuthorizationRefused('INVALID_SIGNATURE', 'An invented signature.')
    },
  } as unknown as Authorizer
  const chains = new Map([['devnet', { authorizer } as WalletPayments]])
  const bff = await openApp({ contracts: { ...noChains, chains } })
  try {
    const id = (await bff.create()).body.payment['id']
    const ask = async (remoteAddress: string) => {
      const [from, to] = [word('1').slice(0, 42), word('2').slice(0, 42)]
      const authorization = { from, to, value: '1', validAfter: '0', validBefore: '1', nonce: word('3') }
      const body = JSON.stringify({ authorization, signature: `${word('4')}${'4'.repeat(66)}` })
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }
      const socket = { incoming: { socket: { remoteAddress } } } as never
      const response = await bff.app.request(`/api/v1/payments/${id}/authorize`, init, socket)
      return ((await response.json()) as { code: string }).code
    }
    const codes: string[] = []
    for (let nth = 0; nth < 200; nth++) codes.push(await ask(`2001:db8:1:${(nth % 50).toString(16)}::1`))
    expect(codes.filter((code) => code === 'INVALID_SIGNATURE')).toHaveLength(20)
    expect([await ask('2001:db8:2::1'), await ask('192.0.2.1')]).toEqual(['INVALID_SIGNATURE', 'INVALID_SIGNATURE'])
  } finally {
    await bff.close()
  }
})
