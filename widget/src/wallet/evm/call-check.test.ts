import { expect } from '@open-wc/testing'
import { paymentSplitter } from '../../../../bff/src/chain/evm/deploy/contracts.generated.ts'
import { splitterAddress } from '../../pins.ts'
import { approval, contractCall, details, params, payCall, permit, splitter, token } from '../../test/contract.ts'
import { address, type Wire } from '../../test/service.ts'
import { paidWords, shown, WalletStage } from '../../test/wallet-stage.ts'
import { encodeSplit, encodeSplitBefore } from './split-call.ts'

const thief = '0x7777777777777777777777777777777777777777'
const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, '0')
const transferToThief = `0xa9059cbb${word(thief)}${word(2n ** 255n)}`
const moves = ['eth_sendTransaction', 'eth_signTypedData_v4', 'wallet_sendCalls']

let stage: WalletStage
setup(() => {
  stage = new WalletStage()
})
teardown(() => stage.strike())

/** The customer chooses the wallet; no sign or send prompt follows. */
async function isRefused(contract: Wire, attributes: Record<string, string> = {}): Promise<void> {
  stage.contract = contract
  const page = await stage.pay(attributes)
  await shown(page, 'Couldn’t prepare the payment')
  expect(stage.wallet.prompts.filter((method) => moves.includes(method))).to.deep.equal([])
  page.element.remove()
}

async function isPaid(attributes: Record<string, string> = {}): Promise<void> {
  const page = await stage.pay(attributes)
  await shown(page, paidWords)
  expect(stage.chain.received).to.equal(25_000_000n)
}

const before = (data: string, over: Wire = {}) => ({
  ...(contractCall()['before'] as Wire),
  data,
  ...over,
})
const withCall = (over: Wire): Wire => ({ contractCall: contractCall(over) })
const deadline = BigInt(permit.deadline)

suite('a compromised service cannot make the wallet', () => {
  test('call a contract other than the splitter, whatever the call data', async () => {
    for (const to of [thief, token]) await isRefused(withCall({ contractAddress: to }))
    await isRefused(withCall({ contractAddress: token, before: before(transferToThief) }))
  })

  test('send data other than the element’s own encoding', async () => {
    await isRefused(withCall({ before: before(transferToThief) }))
    await isRefused(withCall({ data: transferToThief }))
    await isRefused(withCall({ before: before(`${payCall}00`) }))
    await isRefused(withCall({ before: before(`${payCall.slice(0, -1)}1`) }))
    for (const other of [
      { ...details, recipients: [thief, address, `0x${'0'.repeat(40)}`] },
      { ...details, amount: 25_000_001n },
      { ...details, amount: 2_500_000_000n },
      { ...details, paymentId: '00000000-0000-4000-8000-000000000000' },
      { ...details, token: thief },
      { ...details, shares: [150, 9850, 0] },
    ])
      await isRefused(withCall({ before: before(encodeSplitBefore(other, deadline)), data: encodeSplit(other) }))
    await isRefused(withCall({ before: before(encodeSplitBefore(details, deadline + 86_400n)) }))
  })

  test('pay another recipient, amount, token, payment or deadline, even if the whole response is consistent', async () => {
    const mismatch = (over: Wire, encoded: Partial<typeof details>) => {
      const all = { ...details, ...encoded }
      const data = encodeSplitBefore(all, deadline)
      return withCall({ params: { ...params, ...over }, before: before(data), data: encodeSplit(all) })
    }
    const [, platform = '', nobody = ''] = details.recipients
    await isRefused(mismatch({ amount: '250000000' }, { amount: 250_000_000n }))
    await isRefused(mismatch({ token: thief }, { token: thief }))
    await isRefused(mismatch({ paymentId: 'another' }, { paymentId: 'another' }))
    await isRefused(mismatch({ recipient1: thief }, { recipients: [thief, platform, nobody] }))
    await isRefused(mismatch({ recipient2: thief }, { recipients: [details.recipients[0] ?? '', thief, nobody] }))
    await isRefused(mismatch({ recipient2Percentage: 151 }, { shares: [9850, 151, 0] }))
    await isRefused(
      withCall({ before: before(encodeSplitBefore(details, deadline * 2n), { deadline: `${deadline * 2n}` }) }),
    )
  })

  test('approve another spender or another amount', async () => {
    const data = (spender: string, amount: bigint) => `0x095ea7b3${word(spender)}${word(amount)}`
    await isRefused(withCall({ approvalAmount: String(2n ** 256n - 1n) }))
    for (const over of [
      { data: data(thief, 25_000_000n) },
      { data: data(splitter, 2n ** 256n - 1n) },
      { resetData: data(thief, 0n) },
      { to: thief },
    ])
      await isRefused(withCall({ approval: { ...approval, ...over } }))
  })

  test('sign a permit of other types, or for another token, chain, spender or amount', async () => {
    const { typedData } = permit
    const { message, domain, types } = typedData
    const typed = (over: Wire) => withCall({ permit: { ...permit, typedData: { ...typedData, ...over } } })
    for (const over of [
      { message: { ...message, value: String(2n ** 256n - 1n) } },
      { message: { ...message, spender: thief } },
      { message: { ...message, deadline: '9999999999' } },
      { message: { ...message, owner: thief } },
      { message: { ...message, nonce: '1' } },
      { message: { ...message, more: '1' } },
      { domain: { ...domain, verifyingContract: thief } },
      { domain: { ...domain, chainId: 1 } },
      { domain: { ...domain, salt: `0x${'1'.repeat(64)}` } },
      { domain: { ...domain, name: '' } },
      { primaryType: 'PermitTransferFrom' },
      { types: { ...types, Permit: types.Permit.map(({ name }) => ({ name, type: 'bytes32' })) } },
      { types: { ...types, Permit: types.Permit.toReversed() } },
      { types: { ...types, Order: [] } },
      { types: { Permit: types.Permit } },
    ])
      await isRefused(typed(over))
    await isRefused(withCall({ permit: { ...permit, data: transferToThief } }))
    await isRefused(withCall({ permit: { ...permit, signatureOffset: 10 } }))
    await isRefused(withCall({ permit: 'none' }))
  })

  test('pay in a more valuable token under the displayed name', async () => {
    stage.chain.tokenSymbol = `0x${'57425443'.padEnd(64, '0')}`
    await isRefused({})
    // Of a token that only ends like the one on screen.
    stage.chain.tokenSymbol = `0x${'7055534443'.padEnd(64, '0')}`
    await isRefused({})
    stage.chain.tokenSymbol = '0x'
    await isRefused({})
    await isRefused({}, { 'token-address': thief })
  })

  test('treat a token as having fewer decimals', async () => {
    stage.chain.tokenDecimals = 8n
    await isRefused({})
    await isRefused({}, { 'token-address': token })
  })

  test('accept another token, or other decimals, on a mainnet', async () => {
    const base = (over: Wire) => ({ Network: { name: 'Base', chainId: 8453, type: 'evm' }, network: 'base', ...over })
    stage.service.payment = { ...stage.service.payment, ...base({}) }
    await isRefused(base({ contractCall: contractCall({ chainId: 8453 }) }), { network: 'base' })
    await isRefused({ ...base({}), Network: { name: 'Base', chainId: 1, type: 'evm' } }, { network: 'base' })
  })

  test('pay on another network than the page’s', () => isRefused({ network: 'elsewhere' }))

  test('pay a recipient that the page does not list, or give others more than it allows', async () => {
    const [merchant = ''] = details.recipients
    await isRefused({}, { 'merchant-wallet': thief })
    await isRefused({}, { 'merchant-wallet': merchant })
    await isRefused({}, { 'merchant-wallet': merchant, 'max-fee-bps': '149' })
    await isRefused({}, { splitter: thief })
  })

  test('send more to an address than displayed', async () => {
    stage.refusal = { status: 400, body: { code: 'NO_SPLITTER', message: 'none' } }
    const page = await stage.open()
    await page.press('Pay with wallet')
    stage.service.payment = { ...stage.service.payment, amountRemaining: '2500.00' }
    await shown(page, 'Fern Wallet')
    await page.press('Fern Wallet')
    await shown(page, 'Couldn’t prepare the payment')
    expect(stage.chain.transactions).to.deep.equal([])
  })
})

suite('an honest service is paid', () => {
  test('when the chain’s clock, which the deadline follows, is ahead of ours', async () => {
    const later = deadline + 3600n
    const data = encodeSplitBefore(details, later)
    stage.chain.payCall = data
    stage.contract = withCall({ before: before(data, { deadline: String(later) }) })
    await isPaid()
  })

  test('by the call encoded by the element', () => isPaid())

  test('when the page pins the merchant’s wallets, the fee, the token and the splitter', async () => {
    const wallets = `${address} ${details.recipients[0]?.toUpperCase().replace('0X', '0x')}`
    const pins = { 'merchant-wallet': wallets, 'max-fee-bps': '150', 'token-address': token, splitter }
    stage.chain.tokenSymbol = '0x'
    await isPaid(pins)
  })

  test('when a bridge has extended the token’s symbol', async () => {
    const text = Array.from(new TextEncoder().encode('usdc.e'), (byte) => byte.toString(16)).join('')
    stage.chain.tokenSymbol = `0x${word(32n)}${word(6n)}${text.padEnd(64, '0')}`
    await isPaid()
  })

  test('at the splitter’s deployed address', () => expect(splitterAddress).to.equal(paymentSplitter.address))
})
