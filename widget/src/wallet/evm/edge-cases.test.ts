import { expect } from '@open-wc/testing'
import { formatCoin, formatUnits, parseUnits } from '../units.ts'
import { encodeCall, fromHex, parseText, signatureWords } from './call-data.ts'
import { permitTypedData } from './permit.ts'
import { codeOf, isCertainlyUnsent, isRefusal } from './wallet-errors.ts'

suite('amounts', () => {
  test('are exact in both directions, with any number of decimals', () => {
    expect(parseUnits('25.00', 6)).to.equal(25_000_000n)
    expect(parseUnits('0.000000000000000001', 18)).to.equal(1n)
    expect(parseUnits('7', 0)).to.equal(7n)
    expect(formatUnits(1_500_000n, 6)).to.equal('1.5')
    expect(formatUnits(1n, 18)).to.equal('0.000000000000000001')
    expect(formatUnits(100n, 0)).to.equal('100')
    expect(formatUnits(20_000_000n, 6)).to.equal('20')
  })

  test('that exceed the token’s decimals are refused, never rounded', () => {
    expect(() => parseUnits('1.0000001', 6)).to.throw(RangeError)
    expect(parseUnits('1.0000000', 6)).to.equal(1_000_000n)
  })

  test('of the network fee are rounded up, so that a top-up suffices', () => {
    expect(formatCoin(1_000_000_000_001n, 18)).to.equal('0.00000101')
    expect(formatCoin(1_234_567_890_123_456n, 18)).to.equal('0.00124')
    expect(formatCoin(12n * 10n ** 18n + 1n, 18)).to.equal('12.1')
    expect(formatCoin(120_000_000_000_000n, 18)).to.equal('0.00012')
  })
})

suite('calls', () => {
  test('are a selector and padded words', () => {
    const spender = `0x${'2'.repeat(40)}`
    expect(encodeCall('approve', spender, 255n)).to.equal(
      `0x095ea7b3${'0'.repeat(24)}${'2'.repeat(40)}${'ff'.padStart(64, '0')}`,
    )
  })

  test('split a signature as the contract expects it, also a hardware wallet’s', () => {
    const [r, s] = ['11'.repeat(32), '22'.repeat(32)]
    const words = (v: string) => v.padStart(64, '0') + r + s
    expect(signatureWords(`0x${r}${s}1c`)).to.equal(words('1c'))
    expect(signatureWords(`0x${r}${s}01`)).to.equal(words('1c'))
    expect(signatureWords(`0x${r}${s}00`)).to.equal(words('1b'))
    for (const other of ['0x', `0x${r}${s}`, `0x${r}${s}1c00`, null]) expect(signatureWords(other)).to.equal(null)
  })

  test('fill only the owner and the signature into a permit', () => {
    const domain = { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: '0x1' }
    const permit = { domain, spender: '0x2', value: 25n, deadlineSeconds: 9n }
    expect(permitTypedData(permit, '0xa', 7n).message).to.deep.equal({
      ...{ owner: '0xa', spender: '0x2', value: '25', nonce: '7', deadline: '9' },
    })
  })

  test('read strings of new and old tokens, and empty text otherwise', () => {
    const word = (hex: string) => hex.padStart(64, '0')
    expect(parseText(`0x${word('20')}${word('4')}${'55534443'.padEnd(64, '0')}`)).to.equal('USDC')
    expect(parseText(`0x${'4d4b52'.padEnd(64, '0')}`)).to.equal('MKR')
    expect(parseText(`0x${word('20')}${'f'.repeat(64)}${'55'.repeat(100)}`).length).to.equal(64)
    for (const other of [null, '0x', 'abc', `0x${word('20')}${word('4')}`]) expect(parseText(other)).to.equal('')
  })

  test('read only valid numbers', () => {
    expect(fromHex('0x7a69')).to.equal(31337n)
    for (const other of ['0x', '', null, 5, 'latest']) expect(() => fromHex(other)).to.throw(SyntaxError)
  })
})

suite('wallet errors', () => {
  test('an unknown chain is found inside an internal error', () => {
    expect(codeOf({ code: -32603, data: { originalError: { code: 4902 } } })).to.equal(4902)
    expect(codeOf(new Error('no code'))).to.equal(0)
  })

  test('a refusal is recognized by its code or its message', () => {
    expect(isRefusal({ code: 4001 })).to.equal(true)
    expect(isRefusal({ code: -32000, message: 'MetaMask Tx Signature: User denied transaction signature.' })).to.equal(
      true,
    )
    expect(isRefusal({ code: -32603, message: 'internal error' })).to.equal(false)
  })

  test('an error that leaves open whether it was sent does not count as unsent', () => {
    for (const code of [4001, 4100, 4200, -32602]) expect(isCertainlyUnsent({ code })).to.equal(true)
    for (const code of [-32603, -32000, -32002, 4900, 4901, 0]) expect(isCertainlyUnsent({ code })).to.equal(false)
  })
})
