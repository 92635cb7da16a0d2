import { expect, test } from 'vitest'
import { explorerPage } from './explorer-page.ts'

const txId = '77'.repeat(32)

test('a page of an explorer has the form that the explorer reads', () => {
  expect(explorerPage('https://etherscan.io/', 'evm', 'tx', `0x${txId}`)).toBe(`https://etherscan.io/tx/0x${txId}`)
  expect(explorerPage('https://explorer.solana.com/?cluster=devnet', 'solana', 'address', 'A1')).toBe(
    'https://explorer.solana.com/address/A1?cluster=devnet',
  )
  expect(explorerPage('https://tronscan.org/#', 'tron', 'tx', txId)).toBe(`https://tronscan.org/#/transaction/${txId}`)
  expect(explorerPage('https://tronscan.org/#/', 'tron', 'address', 'T1')).toBe('https://tronscan.org/#/address/T1')
})
