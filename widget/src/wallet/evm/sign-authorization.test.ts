import { expect } from '@open-wc/testing'
import { RpcError } from '../../test/chain.ts'
import { authorization, contractId, permit2Authorization, splitter, token } from '../../test/contract.ts'
import { address, paymentId, type Wire } from '../../test/service.ts'
import { paidWords, pressWhenShown, shown, WalletStage } from '../../test/wallet-stage.ts'

let stage: WalletStage
setup(() => {
  stage = new WalletStage()
  stage.contract = { authorization: authorization() }
  // A customer without native coins.
  stage.chain.coins = 0n
})
teardown(() => stage.strike())

const sign = 'eth_signTypedData_v4'
const send = 'eth_sendTransaction'
const signed = () => {
  const { params } = stage.wallet.requests.find(({ method }) => method === sign) ?? {}
  return JSON.parse(String((params as unknown as string[])[1])) as { primaryType: string; message: Wire }
}
/** Allows the other payment methods. */
const giveCoins = () => {
  stage.chain.coins = 10n ** 18n
}

suite('a payment by signature', () => {
  test('is one prompt after connecting, needs no coins, and shows who pays the fee', async () => {
    stage.wallet.held.add(sign)
    const page = await stage.pay()
    await shown(page, 'The shop pays the network fee')
    await expect(page.element).to.be.accessible()
    stage.wallet.release()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).to.deep.equal(['eth_requestAccounts', sign])
    expect(stage.chain.paid).to.equal(1)
    const { primaryType, message } = signed()
    expect(primaryType).to.equal('ReceiveWithAuthorization')
    expect(message).to.deep.include({ from: stage.wallet.account, to: splitter, value: '25000000' })
    const [posted] = stage.posts('/authorize')
    expect(posted?.url).to.include(`/payments/${contractId}/authorize`)
    expect(posted?.body).to.deep.equal({ authorization: message, signature: stage.chain.signed })
  })

  test('pays a deposit created by the shop’s server, with a new nonce each time', async () => {
    stage.isTransfer = true
    const until = new Date(Math.floor(Date.now() / 1000 + 900) * 1000).toISOString()
    const offered = authorization({}, 'TransferWithAuthorization', until)
    Object.assign(stage.service.payment, { expiresAt: until, authorization: offered })
    const page = await stage.open({ 'payment-id': paymentId, 'public-key': '' })
    await pressWhenShown(page, 'Pay with wallet')
    await pressWhenShown(page, 'Fern Wallet')
    await shown(page, paidWords)
    const { primaryType, message } = signed()
    expect(primaryType).to.equal('TransferWithAuthorization')
    expect(message['to']).to.equal(address)
    expect(message['nonce']).to.match(/^0x[\da-f]{64}$/)
    expect(stage.wallet.prompts).not.to.include(send)
  })

  test('is submitted again with the same signature after a lost response, and paid once', async () => {
    stage.authorized.push('lost', 'lost')
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.chain.paid).to.equal(1)
    const bodies = stage.posts('/authorize').map(({ body }) => JSON.stringify(body))
    expect(bodies.length).to.equal(3)
    expect(new Set(bodies).size).to.equal(1)
    expect(stage.wallet.prompts.filter((prompt) => prompt === sign).length).to.equal(1)
  })

  test('refused by the customer costs nothing, and is asked again on a tap', async () => {
    stage.wallet.faults.push({ method: sign, error: new RpcError(4001, 'no') })
    const page = await stage.pay()
    await shown(page, 'Not confirmed in your wallet')
    expect(stage.posts('/authorize').length).to.equal(0)
    await page.press('Try again')
    await shown(page, paidWords)
    expect(stage.wallet.prompts).not.to.include(send)
  })
})

suite('falls back to the wallet’s own transaction', () => {
  const refusals = [
    'GAS_TOO_EXPENSIVE',
    'SIGNATURE_NOT_OFFERED',
    'RELAY_UNAVAILABLE',
    'DAILY_LIMIT',
    'INVALID_SIGNATURE',
  ]
  for (const code of refusals)
    test(`after the service’s refusal: ${code}`, async () => {
      giveCoins()
      const status = code === 'RELAY_UNAVAILABLE' ? 503 : code === 'DAILY_LIMIT' ? 429 : 400
      stage.authorized.push({ status, body: { success: false, code, message: 'no', fallback: 'pay by yourself' } })
      const page = await stage.pay()
      await shown(page, paidWords)
      expect(stage.posts('/authorize').length).to.equal(1)
      expect(stage.wallet.prompts).to.include(send)
      expect(stage.chain.paid).to.equal(1)
    })

  test('when the wallet cannot sign typed data', async () => {
    giveCoins()
    stage.wallet.faults.push({ method: sign, error: new RpcError(4200, 'unsupported') })
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.posts('/authorize').length).to.equal(0)
    expect(stage.wallet.prompts).to.include(send)
  })

  test('when the splitter’s terms hash differs from the service’s: nothing is signed', async () => {
    giveCoins()
    stage.chain.termsHash = `0x${'66'.repeat(32)}`
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).not.to.include(sign)
  })

  test('asks for nothing else while another signature may pay', async () => {
    giveCoins()
    stage.authorized.push({ status: 409, body: { success: false, code: 'AUTHORIZATION_UNDER_WAY', message: 'wait' } })
    const page = await stage.pay()
    await shown(page, 'Ask')
    expect(stage.wallet.prompts).not.to.include(send)
  })
})

suite('a token without ERC-3009', () => {
  const offer = (over?: Wire) => {
    stage.contract = { authorization: permit2Authorization(over) }
  }

  test('is paid by one signature if the account has approved Permit2', async () => {
    offer()
    stage.chain.permit2Allowance = 25_000_000n
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).to.deep.equal(['eth_requestAccounts', sign])
    const { primaryType, message } = signed()
    expect(primaryType).to.equal('PermitWitnessTransferFrom')
    const [posted] = stage.posts('/authorize')
    const permit = { from: stage.wallet.account, ...message }
    expect(posted?.body).to.deep.equal({ permit2Authorization: permit, signature: stage.chain.signed })
  })

  test('also for a deposit, with a new nonce each time', async () => {
    stage.isTransfer = true
    stage.chain.permit2Allowance = 25_000_000n
    const until = new Date(Math.floor(Date.now() / 1000 + 900) * 1000).toISOString()
    const offered = permit2Authorization({}, { depositAddress: address }, until)
    Object.assign(stage.service.payment, { expiresAt: until, authorization: offered })
    const page = await stage.open({ 'payment-id': paymentId, 'public-key': '' })
    await pressWhenShown(page, 'Pay with wallet')
    await pressWhenShown(page, 'Fern Wallet')
    await shown(page, paidWords)
    const { message } = signed()
    expect(message['witness']).to.deep.equal({ depositAddress: address })
    expect(message['nonce']).to.match(/^\d{60,78}$/)
    expect(stage.wallet.prompts).not.to.include(send)
  })

  test('is paid by the wallet if Permit2’s allowance is too low, without approving Permit2', async () => {
    offer()
    giveCoins()
    stage.chain.permit2Allowance = 24_999_999n
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).not.to.include(sign)
    expect(stage.wallet.prompts).to.include(send)
  })

  test('is not signed for a splitter that the page does not trust', async () => {
    offer({ spender: '0x1111111111111111111111111111111111111111' })
    giveCoins()
    stage.chain.permit2Allowance = 25_000_000n
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).not.to.include(sign)
  })

  for (const [name, over] of Object.entries<Wire>({
    'another amount': { permitted: { token, amount: '25000001' } },
    'another token': { permitted: { token: address, amount: '25000000' } },
    'another nonce': { nonce: '7' },
    'a later end': { deadline: '9999999999' },
  }))
    test(`is not signed for ${name}`, async () => {
      offer(over)
      stage.chain.permit2Allowance = 25_000_000n
      const page = await stage.pay()
      await shown(page, 'Couldn’t prepare the payment')
      expect(stage.wallet.prompts).not.to.include(sign)
    })
})

test('an authorization that differs from the payment on screen never reaches the wallet', async () => {
  for (const over of [
    { to: '0x1111111111111111111111111111111111111111' },
    { value: '25000001' },
    { validAfter: '1' },
    { validBefore: '9999999999' },
  ]) {
    stage.contract = { authorization: authorization(over) }
    const page = await stage.pay()
    await shown(page, 'Couldn’t prepare the payment')
    expect(stage.wallet.prompts).not.to.include(sign)
    page.element.remove()
    sessionStorage.clear()
    stage.service.payment = { ...stage.service.payment, outcome: 'pending', isFinal: false }
  }
})
