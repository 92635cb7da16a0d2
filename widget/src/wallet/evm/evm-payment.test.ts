import { expect } from '@open-wc/testing'
import { RpcError } from '../../test/chain.ts'
import { approval, contractCall, contractId, payCall, permit, splitter, token } from '../../test/contract.ts'
import { EmulatedWallet } from '../../test/injected-wallet.ts'
import { address, paymentId } from '../../test/service.ts'
import { waitUntil } from '../../test/wait-until.ts'
import { laterId, paidWords, pressWhenShown, shown, WalletStage } from '../../test/wallet-stage.ts'

let stage: WalletStage
setup(() => {
  stage = new WalletStage()
})
teardown(() => stage.strike())

const connect = 'eth_requestAccounts'
const send = 'eth_sendTransaction'

suite('the fewest prompts that the wallet allows', () => {
  test('an approval and a payment, if the wallet supports no more', async () => {
    const { wallet, chain } = stage
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(wallet.prompts).to.deep.equal([connect, send, send])
    expect(wallet.requests[1]?.params).to.include({ to: token, value: '0x0', chainId: '0x7a69' })
    expect(wallet.requests[2]?.params).to.include({ to: splitter, data: payCall })
    expect(chain.received).to.equal(25_000_000n)
    expect(chain.allowance(wallet.account), 'no permission is left over').to.equal(0n)
    const [create] = stage.posts('payments/create')
    expect(create?.headers.get('Idempotency-Key')).to.match(/^[0-9a-f]{32}$/)
    expect(create?.body).to.include({ existingPaymentId: paymentId, amount: '25.00', network: 'devnet' })
    await waitUntil(() => stage.posts('payments/process').length > 0)
    expect(stage.posts('payments/process')[0]?.body).to.deep.equal({
      paymentId: contractId,
      network: 'devnet',
      transactionHash: chain.transactions[1]?.hash,
      senderAddress: wallet.account,
    })
    expect(page.names()).to.include('sc-transaction-sent').and.to.include('sc-paid')
  })

  test('only the payment, if the allowance suffices', async () => {
    stage.chain.allowances.set(stage.wallet.account, 30_000_000n)
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, send])
  })

  test('a signature and a payment, if the token supports permits', async () => {
    stage.contract = { contractCall: contractCall({ permit }) }
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, 'eth_signTypedData_v4', send])
    const [, typedData] = (stage.wallet.requests[1]?.params ?? []) as unknown as string[]
    expect(JSON.parse(typedData ?? '').message).to.deep.include({
      owner: stage.wallet.account,
      nonce: '7',
      value: '25000000',
    })
    expect(stage.chain.received).to.equal(25_000_000n)
  })

  test('one batch, if the wallet executes batches atomically', async () => {
    stage.wallet.atomic = 'supported'
    stage.contract = { contractCall: contractCall({ permit }) }
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, 'wallet_sendCalls'])
    const { version, atomicRequired, chainId, calls } = stage.wallet.requests[1]?.params ?? {}
    expect({ version, atomicRequired, chainId }).to.deep.equal({
      version: '2.0.0',
      atomicRequired: true,
      chainId: '0x7a69',
    })
    expect((calls as { to: string }[]).map(({ to }) => to)).to.deep.equal([token, splitter])
  })

  test('an account upgrade is requested only if it saves a transaction, and may be declined', async () => {
    stage.wallet.atomic = 'ready'
    stage.wallet.faults.push({ method: 'wallet_sendCalls', error: new RpcError(5750, 'upgrade rejected') })
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, 'wallet_sendCalls', send, send])
  })

  test('an old allowance is revoked first if the token requires it', async () => {
    stage.chain.wantsReset = true
    stage.chain.allowances.set(stage.wallet.account, 1n)
    stage.contract = { contractCall: contractCall({ approval: { ...approval, requiresReset: true } }) }
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, send, send, send])
  })

  test('a wallet that cannot sign typed data is asked for an approval instead', async () => {
    stage.contract = { contractCall: contractCall({ permit }) }
    stage.wallet.faults.push({ method: 'eth_signTypedData_v4', error: new RpcError(4200, 'not supported') })
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, 'eth_signTypedData_v4', send, send])
  })

  test('a signature that the token rejects is detected before the customer pays for it', async () => {
    stage.contract = { contractCall: contractCall({ permit }) }
    stage.chain.refusesPermits = true
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.chain.transactions.map(({ status }) => status)).to.deep.equal(['0x1', '0x1'])
  })
})

suite('each step is announced', () => {
  test('what the wallet will ask, why, and the number of steps', async () => {
    for (const method of [connect, send]) stage.wallet.held.add(method)
    const page = await stage.pay()
    await shown(page, 'Connect in your wallet')
    expect(page.text()).to.include('Moss & Fern may see your address')
    stage.wallet.release()
    stage.wallet.held.add(send)
    await shown(page, 'Permit 25.00 USDC in your wallet')
    expect(page.text()).to.include('Step 1 of 2').and.to.include('exactly 25.00 USDC')
    expect(page.text('[role=status]')).to.equal('Permit 25.00 USDC in your wallet')
    expect(page.element.renderRoot.activeElement?.textContent, 'a keyboard user stays in the card').to.include('Permit')
    stage.wallet.release()
    stage.wallet.held.add(send)
    await shown(page, 'Pay 25.00 USDC in your wallet')
    expect(page.text()).to.include('Step 2 of 2')
    stage.wallet.release()
    await shown(page, paidWords)
  })

  test('a prompt without an answer may be hidden, and the screen says so', async () => {
    stage.wallet.held.add(send)
    const page = await stage.pay()
    await shown(page, 'Open Fern Wallet:')
    stage.wallet.release()
    await shown(page, paidWords)
  })
})

suite('choosing a wallet', () => {
  test('among several wallets, and another one afterwards', async () => {
    const other = new EmulatedWallet(stage.chain, 'Moss Wallet', 'example.moss')
    other.faults.push({ method: connect, error: new RpcError(4001, 'no') })
    const page = await stage.open()
    await page.press('Pay with wallet')
    await pressWhenShown(page, 'Moss Wallet')
    await pressWhenShown(page, 'Another wallet')
    await pressWhenShown(page, 'Fern Wallet')
    await shown(page, paidWords)
    expect(stage.wallet.prompts.length).to.equal(3)
    other.remove()
  })

  test('a wallet that never announced itself is found as window.ethereum', async () => {
    stage.wallet.remove()
    Object.defineProperty(window, 'ethereum', { configurable: true, value: stage.wallet.provider })
    const page = await stage.open()
    await page.press('Pay with wallet')
    await pressWhenShown(page, 'Browser wallet')
    await shown(page, paidWords)
    Reflect.deleteProperty(window, 'ethereum')
  })

  test('going back to the address before the wallet payment exists creates nothing', async () => {
    const page = await stage.open()
    await page.press('Pay with wallet')
    await pressWhenShown(page, 'Pay to an address instead')
    expect(page.text('[part=address]')).to.equal(address)
    expect(stage.posts('create').length).to.equal(1)
  })

  test('going back to an address after the contract payment was created replaces it by a new deposit', async () => {
    stage.wallet.faults.push({ method: send, error: new RpcError(4001, 'no') })
    const page = await stage.pay()
    await pressWhenShown(page, 'Pay to an address instead')
    await waitUntil(() => page.find('[part=address]'))
    const create = stage.posts('deposits/create').at(-1)
    expect(create?.headers.get('Idempotency-Key')).to.match(/^[0-9a-f]{32}$/)
    expect(create?.body).to.include({ existingPaymentId: contractId, amount: '25.00' })
    const again = await page.reload()
    expect(again.text('[part=address]')).to.equal(address)
    expect(stage.service.reads.at(-1)?.url).to.include(laterId)
  })
})
