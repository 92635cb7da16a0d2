import { expect } from '@open-wc/testing'
import { RpcError } from '../../test/chain.ts'
import { contractId, token } from '../../test/contract.ts'
import { paymentId, short } from '../../test/service.ts'
import { paidWords, pressWhenShown, shown, WalletStage } from '../../test/wallet-stage.ts'

let stage: WalletStage
setup(() => {
  stage = new WalletStage()
})
teardown(() => stage.strike())

const connect = 'eth_requestAccounts'
const send = 'eth_sendTransaction'
const permit = () => stage.chain.allowances.set(stage.wallet.account, 25_000_000n)

suite('a reload', () => {
  test('before anything was sent shows the same payment’s wallet screen', async () => {
    stage.wallet.faults.push({ method: send, error: new RpcError(4001, 'no') })
    const page = await stage.pay()
    await shown(page, 'Not confirmed')
    const again = await page.reload()
    await pressWhenShown(again, 'Fern Wallet')
    await shown(again, paidWords)
    expect(stage.posts('create').length, 'no payment was made anew').to.equal(2)
  })

  test('after the payment was sent follows it, and never asks again', async () => {
    permit()
    stage.chain.isMining = false
    const page = await stage.pay()
    await shown(page, 'Payment sent')
    const again = await page.reload()
    await shown(again, 'Payment sent')
    expect(again.text()).not.to.include('instead').and.not.to.include('Fern Wallet')
    stage.chain.mine()
    await shown(again, paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, send])
    expect(stage.posts('payments/process').at(-1)?.body['transactionHash']).to.equal(stage.chain.transactions[0]?.hash)
  })

  test('during an open prompt leaves a repeat to the customer', async () => {
    permit()
    stage.wallet.held.add(send)
    const page = await stage.pay()
    await shown(page, 'Pay 25.00 USDC in your wallet')
    const again = await page.reload()
    await shown(again, 'Did you confirm it in your wallet?')
    expect(stage.wallet.prompts.length).to.equal(2)
    stage.wallet.release()
    await again.pollUntilShown(paidWords)
    expect(stage.chain.paid).to.equal(1)
  })

  test('with a batch under way follows the batch', async () => {
    stage.wallet.atomic = 'supported'
    stage.chain.onPaid = () => {}
    const page = await stage.pay()
    await shown(page, 'Payment sent')
    const again = await page.reload()
    await shown(again, 'Payment sent')
    stage.settle(`0x${'ba'.repeat(32)}`)
    await again.pollUntilShown(paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, 'wallet_sendCalls'])
  })
})

suite('a payment created by the merchant’s server', () => {
  const follow = (id: string) => ({ 'payment-id': id, 'public-key': '' })

  test('to an address is paid by one transfer of the remaining amount', async () => {
    stage.service.payment = { ...stage.service.payment, ...short }
    const page = await stage.pay(follow(paymentId))
    await shown(page, paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, send])
    expect(stage.wallet.requests[1]?.params).to.include({ to: token })
    expect(stage.chain.received).to.equal(15_000_000n)
    // The page of an earlier test may still report its contract payment.
    const posts = stage.service.creates.filter(({ body }) => body['paymentId'] !== contractId)
    expect(posts, 'nothing is created, and nothing sent that needs a key').to.deep.equal([])
  })

  test('as a contract payment shows the wallet screen at once, and no address', async () => {
    const page = await stage.open(follow(contractId))
    await shown(page, 'Choose your wallet')
    expect(page.text()).not.to.include('instead')
    await page.press('Fern Wallet')
    await shown(page, paidWords)
  })

  test('a pending transfer is never requested twice, also after a reload', async () => {
    stage.chain.isMining = false
    const page = await stage.pay(follow(paymentId))
    await shown(page, 'Payment sent')
    const again = await page.reload()
    await shown(again, 'Payment sent')
    expect(again.find('[part=address]')).to.equal(null)
    stage.chain.mine()
    await shown(again, paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, send])
  })

  test('a dropped transfer is not requested again, because the wallet may resend it', async () => {
    stage.chain.isMining = false
    const page = await stage.pay(follow(paymentId))
    await shown(page, 'Payment sent')
    const sent = [...stage.chain.transactions]
    stage.chain.drop()
    await shown(page, 'Your wallet may have sent the payment')
    expect(page.text()).not.to.include('Try again').and.not.to.include('instead')
    stage.chain.transactions.push(...sent)
    await shown(page, 'Payment sent')
    stage.chain.mine()
    await page.pollUntilShown(paidWords)
  })

  test('a transfer that the customer cancelled in the wallet may be requested again: the balance is unchanged', async () => {
    stage.chain.isMining = false
    const page = await stage.pay(follow(paymentId))
    await shown(page, 'Payment sent')
    stage.chain.drop()
    stage.chain.isMining = true
    const { account } = stage.wallet
    stage.chain.send(account, { from: account, to: account, data: '0x' })
    await shown(page, 'Your transaction disappeared')
    await page.press('Try again')
    await shown(page, paidWords)
    expect(stage.chain.balance(account)).to.equal(75_000_000n)
  })

  test('a transfer replaced by another payment of the money is not requested again', async () => {
    stage.chain.isMining = false
    stage.chain.onPaid = () => {}
    const page = await stage.pay(follow(paymentId))
    await shown(page, 'Payment sent')
    const [{ to = '', data = '' } = {}] = stage.chain.transactions
    stage.chain.drop()
    stage.chain.isMining = true
    const { account } = stage.wallet
    const hash = stage.chain.send(account, { from: account, to, data })
    const faster = stage.chain.transactions.find((one) => one.hash === hash)
    if (faster) faster.hash = `0x${'fa'.repeat(32)}`
    await shown(page, 'Your wallet may have sent the payment')
    expect(page.text()).not.to.include('Try again').and.not.to.include('instead')
    stage.settle(`0x${'fa'.repeat(32)}`)
    await page.pollUntilShown(paidWords)
    expect(stage.chain.paid).to.equal(1)
  })

  test('a transfer with an open prompt after a reload is replaced by its repeat, when the customer asks for it', async () => {
    stage.wallet.held.add(send)
    const page = await stage.pay(follow(paymentId))
    await shown(page, 'Pay 25.00 USDC in your wallet')
    const again = await page.reload()
    await shown(again, 'Confirming two requests could pay twice')
    expect(again.find('[part=address]')).to.equal(null)
    stage.wallet.held.clear()
    await again.press('There’s no request: ask again')
    await shown(again, paidWords)
    stage.wallet.release()
    expect(stage.wallet.requests.map(({ params }) => params?.['nonce'])).to.deep.equal([undefined, '0x0', '0x0'])
    await again.pollUntil(() => true)
    expect(stage.chain.balance(stage.wallet.account), 'paid once').to.equal(75_000_000n)
  })
})
