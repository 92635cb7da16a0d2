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
  test('a permission and a payment where it can do no better', async () => {
    const { wallet, chain } = stage
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(wallet.prompts).to.deep.equal([connect, send, send])
    expect(wallet.requests[1]?.params).to.include({ to: token, value: '0x0', chainId: '0x7a69' })
    expect(wallet.requests[2]?.params).to.include({ to: splitter, data: payCall })
    expect(chain.received).to.equal(25_000_000n)
    expect(chain.allowance(wallet.account), 'no permission is left over').to.equal(0n)
    const [create] = stage.posts('payments/create')
    expect(create?.headers.get('Idempotency-Key')).to.equal(`${paymentId}:contract`)
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

  test('the payment only, where enough is permitted already', async () => {
    stage.chain.allowances.set(stage.wallet.account, 30_000_000n)
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, send])
  })

  test('a signature and a payment, where the token takes a permit', async () => {
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

  test('one batch, where the wallet carries out all or nothing', async () => {
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

  test('an upgrade of the account is asked for only where it saves a transaction, and may be declined', async () => {
    stage.wallet.atomic = 'ready'
    stage.wallet.faults.push({ method: 'wallet_sendCalls', error: new RpcError(5750, 'upgrade rejected') })
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, 'wallet_sendCalls', send, send])
  })

  test('an old permission is taken back first where the token wants that', async () => {
    stage.chain.wantsReset = true
    stage.chain.allowances.set(stage.wallet.account, 1n)
    stage.contract = { contractCall: contractCall({ approval: { ...approval, requiresReset: true } }) }
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, send, send, send])
  })

  test('a wallet that signs no typed data is asked for a permission instead', async () => {
    stage.contract = { contractCall: contractCall({ permit }) }
    stage.wallet.faults.push({ method: 'eth_signTypedData_v4', error: new RpcError(4200, 'not supported') })
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.wallet.prompts).to.deep.equal([connect, 'eth_signTypedData_v4', send, send])
  })

  test('a signature that the token refuses is found out before the customer pays for it', async () => {
    stage.contract = { contractCall: contractCall({ permit }) }
    stage.chain.refusesPermits = true
    const page = await stage.pay()
    await shown(page, paidWords)
    expect(stage.chain.transactions.map(({ status }) => status)).to.deep.equal(['0x1', '0x1'])
  })
})

suite('each step is said before it comes', () => {
  test('what the wallet is about to ask, why, and how many steps there are', async () => {
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

  test('a prompt without an answer is said to be hidden somewhere', async () => {
    stage.wallet.held.add(send)
    const page = await stage.pay()
    await shown(page, 'Open Fern Wallet:')
    stage.wallet.release()
    await shown(page, paidWords)
  })
})

suite('choosing', () => {
  test('among several wallets, and another one after that', async () => {
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

  test('a wallet that never announced itself is found where it has always been', async () => {
    stage.wallet.remove()
    Object.defineProperty(window, 'ethereum', { configurable: true, value: stage.wallet.provider })
    const page = await stage.open()
    await page.press('Pay with wallet')
    await pressWhenShown(page, 'Browser wallet')
    await shown(page, paidWords)
    Reflect.deleteProperty(window, 'ethereum')
  })

  test('back to the address before anything was made for the wallet, nothing is made', async () => {
    const page = await stage.open()
    await page.press('Pay with wallet')
    await pressWhenShown(page, 'Pay to an address instead')
    expect(page.text('[part=address]')).to.equal(address)
    expect(stage.posts('create').length).to.equal(1)
  })

  test('back to an address after the contract payment was made, a new deposit takes its place', async () => {
    stage.wallet.faults.push({ method: send, error: new RpcError(4001, 'no') })
    const page = await stage.pay()
    await pressWhenShown(page, 'Pay to an address instead')
    await waitUntil(() => page.find('[part=address]'))
    const create = stage.posts('deposits/create').at(-1)
    expect(create?.headers.get('Idempotency-Key')).to.equal(`${contractId}:deposit`)
    expect(create?.body).to.include({ existingPaymentId: contractId, amount: '25.00' })
    const again = await page.reload()
    expect(again.text('[part=address]')).to.equal(address)
    expect(stage.service.reads.at(-1)?.url).to.include(laterId)
  })
})
