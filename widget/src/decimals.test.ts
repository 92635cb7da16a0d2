import { expect } from '@open-wc/testing'
import { addDecimals, isAtLeast, subtractDecimals } from './decimals.ts'

/** More digits than a float has. */
const many = '1000000000.000000000000000001'

suite('decimal texts', () => {
  test('are added exactly', () => {
    expect(addDecimals('0.1', '0.2')).to.equal('0.3')
    expect(addDecimals(many, '25')).to.equal('1000000025.000000000000000001')
    expect(addDecimals('25.00', '1.5')).to.equal('26.50')
  })

  test('are subtracted exactly, and never come to less than nothing', () => {
    expect(subtractDecimals('0.3', '0.1')).to.equal('0.2')
    expect(subtractDecimals(many, '1000000000')).to.equal('0.000000000000000001')
    expect(subtractDecimals('5.00', '25')).to.equal('0.00')
  })

  test('are compared exactly', () => {
    expect(isAtLeast('25', '25.00')).to.equal(true)
    expect(isAtLeast('1000000000', many)).to.equal(false)
    expect(isAtLeast(many, '1000000000')).to.equal(true)
    expect(isAtLeast('9', '10')).to.equal(false)
  })
})
