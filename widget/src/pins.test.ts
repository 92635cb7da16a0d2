import { expect } from '@open-wc/testing'
import { isSameAddress, type Pins, verifyMerchant } from './pins.ts'

const onEvm = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const onSolana = 'DjVE6JNiYqPL2QXyCUUh8rNjHrbz9hXHNYt99MQ59qw1'

test('addresses of Ethereum are the same in any case; those of Solana are others', () => {
  expect(isSameAddress(onEvm, onEvm.toLowerCase())).to.equal(true)
  expect(isSameAddress(onSolana, onSolana)).to.equal(true)
  expect(isSameAddress(onSolana, onSolana.toLowerCase())).to.equal(false)
  expect(isSameAddress(onEvm, onEvm.slice(2))).to.equal(false)
})

test('with wallets pinned, others are refused, and no basis point is more than was allowed', () => {
  const pins: Pins = { splitters: [], merchantWallets: [onEvm, onSolana], maxFeeBps: 150, tokenAddress: '' }
  for (const wallet of [onEvm, onEvm.toLowerCase(), onSolana]) verifyMerchant(pins, wallet, 9_850)
  for (const wallet of [onSolana.toLowerCase(), `0x${'0'.repeat(40)}`, ''])
    expect(() => verifyMerchant(pins, wallet, 10_000), wallet).to.throw('which merchant-wallet does not list')
  expect(() => verifyMerchant(pins, onEvm, 9_849)).to.throw('Others would receive 151 bps')
  verifyMerchant({ ...pins, merchantWallets: [] }, `0x${'0'.repeat(40)}`, 0)
})
