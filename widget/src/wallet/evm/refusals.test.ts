import { expect } from '@open-wc/testing'
import { RpcError } from '../../test/chain.ts'
import { contractCall, contractId, permit, splitter } from '../../test/contract.ts'
import { address, paid, seen, short } from '../../test/service.ts'
import { waitUntil } from '../../test/wait-until.ts'
import { contractSecret, paidWords, pressWhenShown, shown, WalletStage } from '../../test/wallet-stage.ts'

let stage: WalletStage
setup(() => {
  stage = new WalletStage()
})
teardown(() => stage.strike())

const connect = 'eth_requestAccounts'
const send = 'eth_sendTransaction'
const fail = (method: string, code: number, message = 'no', data?: unknown) =>
  stage.wallet.faults.push({ method, error: new RpcError(code, message, data) })

suite('problems before anything is paid', () => {
  for (const method of [connect, send, 'eth_signTypedData_v4', 'wallet_sendCalls'])
    test(`a refusal of ${method} is shown to have cost nothing, and repeated only on a tap`, async () => {
      if (method === 'wallet_sendCalls') stage.wallet.atomic = 'supported'
      if (method === 'eth_signTypedData_v4') stage.contract = { contractCall: contractCall({ permit }) }
      fail(method, 4001)
      const page = await stage.pay()
      await shown(page, 'Not confirmed in your wallet')
      expect(page.text()).to.include('Nothing was paid')
      const { length } = stage.wallet.prompts
      await page.pollUntil(() => true)
      expect(stage.wallet.prompts.length).to.equal(length)
      await page.press('Try again')
      await shown(page, paidWords)
      expect(stage.chain.paid).to.equal(1)
    })

  test('an open request in the wallet must be answered there', async () => {
    fail(connect, -32002)
    const page = await stage.pay()
    await pressWhenShown(page, 'Try again')
    await shown(page, paidWords)
  })

  test('a wallet on another network is switched first', async () => {
    stage.wallet.chain = 1
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts[1]).to.equal('wallet_switchEthereumChain')
  })

  test('an unknown network is added with the service’s description', async () => {
    Object.assign(stage.wallet, { chain: 1, knownChains: [1] })
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.requests[2]).to.deep.equal({
      method: 'wallet_addEthereumChain',
      params: {
        chainId: '0x7a69',
        chainName: 'Devnet',
        rpcUrls: ['https://rpc.example'],
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        blockExplorerUrls: ['https://explorer.example'],
      },
    })
  })

  test('a numeric chain id is accepted', async () => {
    stage.wallet.hasNumberIds = true
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).not.to.include('wallet_switchEthereumChain')
  })

  test('a wallet that stays on another network is never asked to pay', async () => {
    Object.assign(stage.wallet, { chain: 1, isStubborn: true })
    const page = await stage.pay()
    await shown(page, 'Your wallet is on another network')
    expect(stage.wallet.prompts).not.to.include(send)
    stage.wallet.isStubborn = false
    await page.press('Try again')
    await shown(page, paidWords)
  })

  test('too little of the token: shows the missing amount, without a prompt', async () => {
    stage.chain.balances.set(stage.wallet.account, 4_500_000n)
    const page = await stage.pay()
    await shown(page, 'You need 20.5 USDC more')
    expect(page.text()).to.include('0xaaaa…aaaa')
    expect(stage.wallet.prompts).to.deep.equal([connect])
    stage.chain.balances.set(stage.wallet.account, 25_000_000n)
    await page.press('Try again')
    await shown(page, paidWords)
  })

  test('too little for the network fee: shows the missing amount, and a way on for wallets that pay fees otherwise', async () => {
    stage.chain.coins = 0n
    const page = await stage.pay()
    await shown(page, 'Not enough ETH for the network fee')
    expect(page.text()).to.include('needs about 0.00012 ETH more')
    expect(page.text('details')).to.match(/^Exact amount ?0\.00012 ETH$/)
    expect(stage.wallet.prompts).to.deep.equal([connect])
    await page.press('Continue anyway')
    await shown(page, paidWords)
  })

  test('a call that differs from the payment on screen never reaches the wallet', async () => {
    for (const over of [
      { approvalAmount: '25000001' },
      { params: { token: splitter, amount: '25000000' } },
      { params: { token: '0x1111111111111111111111111111111111111111', amount: '2500000000' } },
      { chainId: 1 },
    ]) {
      stage.contract = { contractCall: contractCall(over) }
      const page = await stage.pay()
      await shown(page, 'Couldn’t prepare the payment')
      expect(stage.wallet.prompts.filter((prompt) => prompt !== connect)).to.deep.equal([])
      page.element.remove()
      sessionStorage.clear()
      stage.service.payment = { ...stage.service.payment, outcome: 'pending', isFinal: false }
    }
  })

  test('no payment is started in a window about to end', async () => {
    stage.contract = { expiresAt: new Date(Date.now() + 10_000).toISOString() }
    const page = await stage.pay()
    await shown(page, 'Too little time is left')
    expect(stage.wallet.prompts).to.deep.equal([connect])
  })

  test('money that arrives at the address meanwhile ends the wallet flow and cancels the new payment', async () => {
    stage.replaced = seen
    const page = await stage.pay()
    await shown(page, 'Payment detected')
    expect(stage.posts('payments/fail')[0]?.body).to.deep.equal({
      ...{ paymentId: contractId, status: 'cancelled', clientSecret: contractSecret },
    })
    expect(stage.wallet.prompts).to.deep.equal([connect])
  })

  test('requests to an unreachable service are repeated with the same key', async () => {
    stage.refusal = { status: 503, body: {} }
    const page = await stage.pay()
    await shown(page, 'Couldn’t prepare the payment')
    stage.refusal = null
    await page.press('Try again')
    await shown(page, paidWords)
    const keys = new Set(stage.posts('payments/create').map(({ headers }) => headers.get('Idempotency-Key')))
    expect(keys.size).to.equal(1)
  })
})

suite('problems on the way', () => {
  test('another account needs its own approval', async () => {
    stage.wallet.held.add(send)
    const page = await stage.pay()
    await shown(page, 'Permit 25.00 USDC')
    const first = stage.wallet.account
    stage.wallet.release()
    stage.wallet.accounts = [`0x${'bb'.repeat(20)}`]
    stage.chain.balances.set(stage.wallet.account, 25_000_000n)
    await shown(page, paidWords)
    expect(stage.chain.balance(stage.wallet.account)).to.equal(0n)
    expect(stage.chain.balance(first)).to.equal(100_000_000n)
  })

  test('a signature of the previous account is not submitted for another one', async () => {
    stage.contract = { contractCall: contractCall({ permit }) }
    stage.wallet.held.add('eth_signTypedData_v4')
    const page = await stage.pay()
    await shown(page, 'Sign for 25.00 USDC')
    stage.wallet.accounts = [`0x${'bb'.repeat(20)}`]
    stage.chain.balances.set(stage.wallet.account, 25_000_000n)
    // The wallet has shown the first account's request until now.
    stage.wallet.signer = `0x${'aa'.repeat(20)}`
    stage.wallet.release()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, 'eth_signTypedData_v4', 'eth_signTypedData_v4', send])
  })

  test('a pending transaction is followed, and the customer is asked not to pay again', async () => {
    stage.chain.allowances.set(stage.wallet.account, 25_000_000n)
    stage.chain.isMining = false
    const page = await stage.pay()
    await shown(page, 'Payment sent')
    expect(page.text()).to.include('don’t pay again').and.not.to.include('Try again').and.not.to.include('instead')
    page.element.amount = '99.00'
    await page.pollUntil(() => true)
    expect(page.text(), 'the page cannot change the terms now').to.include('25.00 USDC')
    stage.chain.mine()
    await shown(page, paidWords)
  })

  test('a transaction replaced by a faster one counts as paid', async () => {
    stage.chain.allowances.set(stage.wallet.account, 25_000_000n)
    stage.chain.isMining = false
    const page = await stage.pay()
    await shown(page, 'Payment sent')
    const [{ to = '', data = '', nonce = '' } = {}] = stage.chain.transactions
    stage.chain.drop()
    stage.chain.transactions.push({ from: 'other', to: '', data: '0x', hash: '0x0', status: '0x1' })
    stage.chain.isMining = true
    stage.chain.send(stage.wallet.account, { from: stage.wallet.account, to, data, nonce })
    await shown(page, paidWords)
    expect(stage.chain.paid).to.equal(1)
  })

  test('a dropped transaction is reported, and a repeat cannot pay twice', async () => {
    stage.chain.allowances.set(stage.wallet.account, 25_000_000n)
    stage.chain.isMining = false
    const page = await stage.pay()
    await shown(page, 'Payment sent')
    stage.chain.drop()
    await shown(page, 'Your transaction disappeared')
    stage.chain.isMining = true
    await page.press('Try again')
    await shown(page, paidWords)
    expect(stage.chain.paid).to.equal(1)
  })

  test('a reverted transaction is reported to have cost only the fee', async () => {
    stage.chain.allowances.set(stage.wallet.account, 25_000_000n)
    stage.chain.isMining = false
    const page = await stage.pay()
    await shown(page, 'Payment sent')
    stage.chain.balances.set(stage.wallet.account, 0n)
    stage.chain.mine()
    await shown(page, 'The network refused the payment')
    stage.chain.balances.set(stage.wallet.account, 25_000_000n)
    stage.chain.isMining = true
    await page.press('Try again')
    await shown(page, paidWords)
  })

  test('a payment that is already made is not asked for', async () => {
    stage.chain.allowances.set(stage.wallet.account, 25_000_000n)
    stage.chain.paid = 1
    const page = await stage.pay()
    await shown(page, 'You already made this payment')
    expect(stage.wallet.prompts).to.deep.equal([connect])
    expect(page.text()).not.to.include('Try again')
  })

  test('a wallet that fails without saying whether it sent leaves the question to the customer', async () => {
    stage.chain.allowances.set(stage.wallet.account, 25_000_000n)
    fail(send, -32603, 'internal error')
    const page = await stage.pay()
    await shown(page, 'Did you confirm it in your wallet?')
    expect(page.text()).not.to.include('instead')
    await page.press('Ask my wallet again')
    await shown(page, paidWords)
    expect(stage.chain.paid).to.equal(1)
  })

  test('a prompt answered after the customer gave up still counts', async () => {
    stage.chain.allowances.set(stage.wallet.account, 25_000_000n)
    stage.wallet.held.add(send)
    const page = await stage.pay()
    await pressWhenShown(page, 'I don’t see a request')
    await shown(page, 'Did you confirm it in your wallet?')
    stage.wallet.release()
    await shown(page, paidWords)
    await waitUntil(() => page.names().includes('sc-transaction-sent'))
  })

  test('a token that deducts a fee ends without another prompt', async () => {
    stage.chain.onPaid = () => {
      stage.contract = { ...short, contractCall: undefined }
    }
    const page = await stage.pay()
    await shown(page, 'Less than the amount arrived')
    expect(page.text()).to.include('10.00 USDC arrived').and.not.to.include('wallet again')
  })

  test('a window that ends meanwhile ends the flow', async () => {
    stage.wallet.held.add(send)
    const page = await stage.pay()
    await shown(page, 'Permit 25.00 USDC')
    stage.contract = { outcome: 'failed', isFinal: true, expiresAt: new Date(Date.now() - 1000).toISOString() }
    await page.pollUntilShown('Time is up')
    stage.wallet.release()
    await page.press('Start again')
    await waitUntil(() => page.text('[part=address]') === address)
    expect(stage.chain.paid).to.equal(0)
  })
})

test('without a splitter on the network, the wallet pays by a transfer to the address', async () => {
  stage.refusal = { status: 400, body: { code: 'NOT_SUPPORTED', message: 'No splitter.' } }
  const page = await stage.pay()
  await shown(page, paidWords)
  expect(stage.wallet.prompts).to.deep.equal([connect, send])
  expect(stage.chain.received).to.equal(BigInt(`${paid.amountReceived}0000`.replace('.', '')))
})

test('where fees are paid in tokens, a wallet without coins is asked to pay, and for no coin', async () => {
  stage.refusal = { status: 400, body: { code: 'CONTRACT_PAYMENTS_UNAVAILABLE', message: 'Deposits only.' } }
  stage.chain.coins = 0n
  const Network = { name: 'Devnet', shortName: 'devnet', chainId: 31337, type: 'evm', hasCoin: false }
  stage.service.payment = { ...stage.service.payment, Network }
  const page = await stage.pay()
  await shown(page, paidWords)
  expect(stage.wallet.prompts).to.deep.equal([connect, send])
})
